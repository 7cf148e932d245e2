import { AdornError } from '../errors/adorn.error.js';

/** A tool, or a check of its call, took longer than it may. The model is told. */
export class ToolTimeoutError extends AdornError {
  readonly code = 'TOOL_TIMEOUT';

  /** @param part what took too long, where it is not the tool itself */
  constructor(toolName: string, milliseconds: number, part?: string) {
    super(
      `The ${part === undefined ? '' : `${part} of the `}tool "${toolName}" did not answer within ${String(milliseconds)} ms. ` +
        'Try again later, or go on without it.',
    );
  }
}
