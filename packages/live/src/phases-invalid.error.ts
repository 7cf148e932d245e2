import { AdornError } from '@adorn/core';

/** The phases, watchers, extractors or values of a live agent contradict each other. */
export class PhasesInvalidError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  /** @param cure what to do about it, as a sentence */
  constructor(agent: string, fault: string, cure = 'Correct its decorators.') {
    super(`The live agent ${agent} cannot be used: ${fault}. ${cure}`);
  }
}
