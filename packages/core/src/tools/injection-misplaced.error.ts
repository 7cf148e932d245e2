import { AdornError } from '../errors/adorn.error.js';

/** `@inject` stands before a parameter of a method that nobody but the user calls. */
export class InjectionMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, method: string) {
    super(
      `@inject stands before a parameter of ${className}.${method}, which is no tool, so nothing would fill it. ` +
        'Put @tool before the method, or inject into the constructor.',
    );
  }
}
