import { AdornError } from '@adorn/core';

/** An option of `searchable` does not exist or has an invalid value, or it was called without a source. */
export class ToolSearchOptionError extends AdornError {
  readonly code = 'TOOL_SEARCH_OPTION_INVALID';

  constructor(fault: string, cure: string) {
    super(`searchable: ${fault}. ${cure}`);
  }
}

/** The model called a tool that it has not found. The message goes to the model, which may search for it. */
export class ToolNotFoundYetError extends AdornError {
  readonly code = 'TOOL_NOT_SEARCHED';

  constructor(toolName: string, searchTool: string) {
    super(
      `The tool "${toolName}" has to be found before it is called, because its parameters are not declared yet. ` +
        `Call ${searchTool} with the query "${toolName}" first, and then "${toolName}" again.`,
    );
  }
}
