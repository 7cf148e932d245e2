import { AdornError } from '@adorn/core';

/** The script of a live emulator does not fit what a client did. */
export class LiveScriptLeftOverError extends AdornError {
  readonly code = 'SCRIPT_LEFT_OVER';

  /** @param waits what the step waits for; undefined if it waits for nothing */
  constructor(connection: number, step: number, waits: string | undefined) {
    super(
      `Connection ${String(connection)} of the live emulator ended at step ${String(step)} of its script (the setup counts)` +
        `${waits === undefined ? '' : `, which waits for ${waits}`}. ` +
        'Remove the steps from there, or find out why the client sent less, or hung up earlier.',
    );
  }
}

/** The live emulator was closed before all connections of its script were made. */
export class LiveConnectionsLeftOverError extends AdornError {
  readonly code = 'SCRIPT_LEFT_OVER';

  constructor(made: number, scripted: number) {
    super(
      `The live emulator got ${String(made)} of the ${String(scripted)} connections of its script. ` +
        'Remove the unused conversations, or find out why the client connected less often.',
    );
  }
}

/** The live emulator got more connections than its script has conversations. */
export class LiveScriptExhaustedError extends AdornError {
  readonly code = 'SCRIPT_EXHAUSTED';

  constructor(scripted: number) {
    super(
      `The live emulator got a connection after all ${String(scripted)} conversations of its script were used. ` +
        'Add a conversation, or find out why the client connected again.',
    );
  }
}

/** The error for a step that an API has no words for. */
export function stepUnknown(kind: string, api: string): TypeError {
  return new TypeError(
    `The step "${kind}" cannot be played: ${api} has no such message. Send it as a frame, or leave it out.`,
  );
}
