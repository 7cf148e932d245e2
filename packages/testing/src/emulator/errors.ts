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

/** The emulator was closed with unused steps in its script. */
export class EmulatorLeftOverError extends AdornError {
  readonly code = 'SCRIPT_LEFT_OVER';

  constructor(taken: number, steps: number) {
    super(
      `The emulator used ${String(taken)} of the ${String(steps)} steps of its script. ` +
        'Remove the unused steps, or find out why the model was called less often.',
    );
  }
}

/** The error for a file of recorded traffic that does not have the form its reader reads. */
export function recordingUnreadable(file: string, why: string): SyntaxError {
  return new SyntaxError(
    `The recording ${file} cannot be read: ${why}. ` +
      'Read *.httprr with readHttprr, replays of js-genai with readReplay, single answers with readLoneAnswer.',
  );
}
