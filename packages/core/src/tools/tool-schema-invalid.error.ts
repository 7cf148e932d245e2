import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';

/** What stands as a tool's schema is none. */
export class ToolSchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(toolName: string, origin: string, cause: unknown) {
    super(
      `The declaration of tool "${toolName}" (${origin}) cannot be used: ` +
        `${describeThrown(cause).message}. Mend what the tool declares.`,
      { cause },
    );
  }
}
