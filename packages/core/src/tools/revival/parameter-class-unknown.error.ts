import { AdornError } from '../../errors/adorn.error.js';

/** A parameter promises an instance of a class that cannot be reached at run time. */
export class ParameterClassUnknownError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(method: string, parameterClass: string) {
    super(
      `A parameter of ${method} promises an instance of ${parameterClass}, and nothing says which class that is at ` +
        'run time. Import the class without "import type" where the tool is and run "adorn build", or compile with ' +
        'tsc and emitDecoratorMetadata (esbuild, tsx and type stripping emit no metadata). A class that ' +
        'class-validator knows is found by its name, and one inside another class by @Type of class-transformer.',
    );
  }
}
