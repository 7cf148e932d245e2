import { AdornError } from '../errors/adorn.error.js';

/** A toolset did not list its tools in time. */
export class ToolsetTimeoutError extends AdornError {
  readonly code = 'TOOLSET_FAILED';

  constructor(toolset: string, milliseconds: number) {
    super(
      `The toolset ${toolset} did not list its tools within ${String(milliseconds)} ms. ` +
        'Raise listing.timeout, or pass context.signal on.',
    );
  }
}

/** A toolset, or what wraps one, was given or gave a value that cannot be used. */
export class ToolsetInvalidError extends AdornError {
  readonly code = 'TOOLSET_INVALID';

  constructor(fault: string, cure: string) {
    super(`${fault}. ${cure}`);
  }
}
