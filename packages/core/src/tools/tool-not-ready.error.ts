import { AdornError } from '../errors/adorn.error.js';

/** A tool was asked what it takes before its schema was found. */
export class ToolNotReadyError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(toolName: string) {
    super(
      `The schema of tool "${toolName}" is not known yet: it is found when a runner is created. ` +
        'Wait for createRunner, or for the ready() of the tool, before you ask for its declaration or run it.',
    );
  }
}
