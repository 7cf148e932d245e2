import { AdornError } from '@adorn/core';

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
