import { AdornError } from '../errors/adorn.error.js';

/** A combination of models, or the options of a model, cannot be used as it is written. */
export class ModelConfigInvalidError extends AdornError {
  readonly code = 'MODEL_CONFIG_INVALID';

  /**
   * @param owner the function or class that was called
   * @param fault what is wrong, without its period
   * @param cure a sentence
   */
  constructor(owner: string, fault: string, cure: string) {
    super(`${owner} cannot be used: ${fault}. ${cure}`);
  }
}
