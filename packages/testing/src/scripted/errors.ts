import { AdornError, type Content } from '@adorn/core';

/** A scripted model was called after the last step of its script. */
export class ScriptExhaustedError extends AdornError {
  readonly code = 'SCRIPT_EXHAUSTED';

  constructor(call: number, contents: readonly Content[]) {
    super(
      `Call ${String(call)} of the scripted model has no step in its script. ` +
        `The conversation so far: ${JSON.stringify(contents)}. Add a step, or find out why the model was called again.`,
    );
  }
}

/** The script of a scripted model has unused steps. */
export class ScriptLeftOverError extends AdornError {
  readonly code = 'SCRIPT_LEFT_OVER';

  constructor(left: number, played: number) {
    super(
      `Unused steps of the script: ${String(left)} (used: ${String(played)}). ` +
        'Remove them, or find out why the run ended before them.',
    );
  }
}
