import { AdornError } from '../errors/adorn.error.js';

/** The model's arguments do not fit the tool. It is told what is wrong and may try again. */
export class ToolArgumentsInvalidError extends AdornError {
  readonly code = 'TOOL_ARGUMENTS_INVALID';

  constructor(
    readonly toolName: string,
    readonly problems: readonly string[],
    /** Arguments that would fit. */
    readonly example?: Readonly<Record<string, unknown>>,
  ) {
    const shown = example === undefined ? '' : ` An example: ${JSON.stringify(example)}`;
    super(
      `Invalid arguments for "${toolName}": ${problems.join('; ')}. Call it again with these mended.${shown}`,
    );
  }
}
