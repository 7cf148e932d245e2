import { AdornError } from '../errors/adorn.error.js';

/** The model's arguments do not match the tool's schema. The message goes to the model, which may try again. */
export class ToolArgumentsInvalidError extends AdornError {
  readonly code = 'TOOL_ARGUMENTS_INVALID';

  constructor(
    /** The tool's name, as the model called it. */
    readonly toolName: string,
    /** A sentence for each argument that does not fit. */
    readonly problems: readonly string[],
    /** Valid arguments. */
    readonly example?: Readonly<Record<string, unknown>>,
  ) {
    const shown = example ? ` An example: ${JSON.stringify(example)}` : '';
    super(
      `Invalid arguments for "${toolName}": ${problems.join('; ')}. Correct them and call the tool again.${shown}`,
    );
  }
}
