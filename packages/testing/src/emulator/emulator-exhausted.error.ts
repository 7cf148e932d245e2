import { AdornError } from '@adorn/core';

import type { GeminiRequest } from './gemini-request.js';

/** The emulator got more requests than its script has steps. */
export class EmulatorExhaustedError extends AdornError {
  readonly code = 'SCRIPT_EXHAUSTED';

  constructor(request: Pick<GeminiRequest, 'model' | 'stream'>, steps: number) {
    super(
      `The emulator got a request for ${request.stream ? 'a streamed answer' : 'an answer'} of ` +
        `"${request.model}" after all ${String(steps)} steps of its script were used. ` +
        'Add a step, or find out why the model was called again.',
    );
  }
}
