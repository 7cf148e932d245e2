import { AdornError } from '../errors/adorn.error.js';

/** A parameter is of a class that cannot be reached at run time, so no instance can be made. */
export class ParameterClassUnknownError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(className: string, method: string, parameterClass: string) {
    super(
      `A parameter of ${className}.${method} is of class ${parameterClass}, and no class, or more than one, is known ` +
        'by that name at run time. Import the class without "import type", and run "adorn build" or bundle with ' +
        "@adorn/compiler's plugin; or give the class a name of its own and decorators of class-validator.",
    );
  }
}
