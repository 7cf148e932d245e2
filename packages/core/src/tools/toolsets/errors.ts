import { AdornError } from '@adorn/schema';

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

/** A toolset or its wrapper got or returned a value that cannot be used. */
export class ToolsetInvalidError extends AdornError {
  readonly code = 'TOOLSET_INVALID';

  constructor(fault: string, cure: string) {
    super(`${fault}. ${cure}`);
  }
}

/** The model called a tool of a toolbox that it has not opened. The message goes to the model, which may open it. */
export class ToolboxClosedError extends AdornError {
  readonly code = 'TOOLBOX_CLOSED';

  constructor(toolName: string, { name, opener }: { readonly name: string; readonly opener: string }) {
    super(
      `The tool "${toolName}" is in the toolbox "${name}", which is closed. Call ${opener} first, and then "${toolName}" again.`,
    );
  }
}
