import { AdornError } from '@adorn/core';

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
