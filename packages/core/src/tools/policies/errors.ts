import { AdornError, kindOf } from '@adorn/schema';

/** A tool, or a check of its call, exceeded its time limit. The message goes to the model. */
export class ToolTimeoutError extends AdornError {
  readonly code = 'TOOL_TIMEOUT';

  /** The tool, or the part of its call that took too long. */
  readonly subject: string;

  /** @param part the check or the callback that took too long, if it is not the tool itself */
  constructor(
    toolName: string,
    /** The time limit. */
    readonly milliseconds: number,
    part?: string,
  ) {
    super(
      `The ${part === undefined ? '' : `${part} of the `}tool "${toolName}" did not answer within ${String(milliseconds)} ms. ` +
        'Try again later, or continue without it.',
    );
    this.subject = part === undefined ? 'the tool' : `${part} of the tool`;
  }
}

/** `withOptions` was called with a value that is not a `Tool`. */
export class ToolExpectedError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(given: unknown) {
    super(
      `withOptions was called with ${kindOf(given)}, which is not a Tool. Pass a FunctionTool, a class that extends Tool, ` +
        'or defineTool(…) for a function; for a method, set the option in @tool.',
    );
  }
}

/** A tool has options of policies, and its runner has no policies. */
export class PoliciesMissingError extends AdornError {
  readonly code = 'POLICIES_MISSING';

  constructor(toolName: string) {
    super(
      `The tool "${toolName}" sets cache, retry, rateLimit or concurrency, but its runner has no policies. Create the runner ` +
        'with createRunner of adorn, or pass the module toolPolicies of @adorn/policies.',
    );
  }
}
