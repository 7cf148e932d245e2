import { AdornError } from '../../errors/adorn.error.js';

/** A parameter promises an instance of a class of which only the name is known, and several bear it. */
export class ParameterClassAmbiguousError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(method: string, parameterClass: string, count: number) {
    super(
      `A parameter of ${method} promises an instance of ${parameterClass}, and there are ` +
        `${String(count)} classes of that name. Give each a name of its own, or have the class itself written down: ` +
        'import it without "import type" where the tool is and run "adorn build", or compile with tsc and ' +
        'emitDecoratorMetadata.',
    );
  }
}
