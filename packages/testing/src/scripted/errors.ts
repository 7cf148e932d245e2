import { AdornError, type Content } from '@adorn/core';

/** A scripted model was called after the last step of its script. */
export class ScriptExhaustedError extends AdornError {
  readonly code = 'SCRIPT_EXHAUSTED';

  /**
   * @param missing which step there is not, as a sentence
   * @param contents the conversation so far
   */
  constructor(missing: string, contents: readonly Content[]) {
    super(
      `${missing} The conversation so far: ${JSON.stringify(contents)}. ` +
        'Add a step, or find out why the model was called again.',
    );
  }
}

/** The script of a scripted model has unused steps. */
export class ScriptLeftOverError extends AdornError {
  readonly code = 'SCRIPT_LEFT_OVER';

  /**
   * @param left how many, or how many of each agent
   * @param waiting for what the script waits, as a sentence
   */
  constructor(left: string, played: number, waiting?: string) {
    super(
      `Unused steps of the script: ${left} (used: ${String(played)}). ${waiting === undefined ? '' : `${waiting} `}` +
        'Remove them, or find out why the run ended before them.',
    );
  }
}
