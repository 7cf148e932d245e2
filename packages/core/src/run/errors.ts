import { AdornError } from '@adorn/schema';

/** An agent invokes an agent that is not one of its sub-agents. */
export class NotASubAgentError extends AdornError {
  readonly code = 'NOT_A_SUB_AGENT';

  constructor(agent: string, wanted: string, subAgents: readonly string[]) {
    const has = subAgents.length === 0 ? 'has none' : `has ${subAgents.join(', ')}`;
    super(
      `The agent "${agent}" cannot invoke ${wanted}, which is not one of its sub-agents (it ${has}). ` +
        'List it under subAgents of @agent.',
    );
  }
}

/** The generator of a stopped agent was read on. */
export class AgentStoppedError extends AdornError {
  readonly code = 'AGENT_STOPPED';

  constructor(path: string) {
    super(
      `The agent at "${path}" waits for an answer, was cancelled or cannot go on, so the agent that invoked it cannot ` +
        'either. Yield every event of context.invoke: the run then ends here, and continues with the answer.',
    );
  }
}

/** A call, a callback or a run is over, and its context was used to write or to ask. Nothing was written. */
export class ContextClosedError extends AdornError {
  readonly code = 'CONTEXT_CLOSED';

  /**
   * @param what the refused use, such as `state.set("city")`
   * @param reason why, as a sentence: `The call "c1" of the tool "save" is over`
   * @param cure what to do instead, as a sentence
   */
  constructor(what: string, reason: string, cure: string) {
    super(`${reason}: ${what} was refused, and nothing was written. Reading is still possible. ${cure}`);
  }
}

/** The value for `context.once` cannot be stored in the log. */
export class OnceInvalidError extends AdornError {
  readonly code = 'ONCE_INVALID';

  constructor(path: string, key: string, what: string, options?: ErrorOptions) {
    super(
      `context.once(${JSON.stringify(key)}, …) of the agent at "${path}" ${what}. ` +
        'Pass a string as the key, and a function that returns plain JSON.',
      options,
    );
  }
}
