import { AdornError } from '../../errors/adorn.error.js';

/** What stands among an agent's tools is none. */
export class NotAToolError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(className: string, place: number, fault: string) {
    super(
      `Entry ${String(place)} in the tools of ${className} ${fault}. ` +
        'A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, or a Toolset.',
    );
  }
}
