import { AdornError } from '../../errors/adorn.error.js';

/** An agent was told something where it has no effect, or that cannot be used. */
export class AgentConfigInvalidError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(className: string, fault: string, cure: string, options?: ErrorOptions) {
    super(`@agent of ${className}: ${fault}. ${cure}`, options);
  }
}
