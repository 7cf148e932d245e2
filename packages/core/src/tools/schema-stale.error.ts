import { AdornError } from '../errors/adorn.error.js';

/** The parameters of a method, as its record lists them and as the code that runs has them. */
export interface ParameterLists {
  readonly recorded: readonly string[];
  readonly running: readonly string[];
}

/** A class has a tool method that its record does not know, or knows with other parameters. */
export class SchemaStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(className: string, method: string, parameters?: ParameterLists) {
    super(
      parameters === undefined
        ? `The record of ${className} has no schema for its tool method ${method}: it was written before the method was. ` +
            'Run "adorn build" again after the compiler, or put @tool on the overriding method as well.'
        : `The schema of ${className}.${method} is that of ${method}(${parameters.recorded.join(', ')}), but the code that ` +
            `runs has ${method}(${parameters.running.join(', ')}): one is older than the other. ` +
            'Compile the sources again, and then run "adorn build" if you use it.',
    );
  }
}
