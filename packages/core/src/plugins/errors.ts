import { AdornError } from '../errors/adorn.error.js';

/** An option of a plugin cannot be used. */
export class PluginOptionInvalidError extends AdornError {
  readonly code = 'PLUGIN_INVALID';

  /** @param fault what was there instead, and what to pass */
  constructor(pluginName: string, fault: string) {
    super(`${pluginName}: ${fault}`);
  }
}
