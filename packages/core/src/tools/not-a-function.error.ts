import { AdornError } from '../errors/adorn.error.js';

/** What was given to `defineTool` cannot be made a tool. */
export class NotAFunctionError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(given: unknown) {
    super(
      `defineTool was given ${described(given)}. ` +
        'Give it a function with a name, or an object: defineTool({ name, description, run }).',
    );
  }
}

function described(given: unknown): string {
  if (typeof given !== 'function') return `a value of type ${typeof given}`;
  if (given.name === '') return 'a function without a name';
  return `the class ${given.name}; an agent has the @tool methods of a class that it lists`;
}
