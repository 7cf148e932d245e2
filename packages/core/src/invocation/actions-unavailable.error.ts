import { AdornError } from '../errors/adorn.error.js';

/** A callback of an agent or a model asked for `context.actions`: it has no call whose response could steer the run. */
export class ActionsUnavailableError extends AdornError {
  readonly code = 'ACTIONS_UNAVAILABLE';

  constructor() {
    super(
      'The callbacks of agents and models have no context.actions: transferToAgent, escalate and ' +
        'skipSummarization are set by a call. Set them in a tool, beforeTool, afterTool or onToolError, or yield an ' +
        'event with these actions from the run method of a BaseAgent.',
    );
  }
}
