import { AdornError } from '@adorn/core';
import type { AdornErrorCode } from '@adorn/core/backend';

import type { RecordedFailure } from './cassette.js';

/** The file of a recorded model is not a cassette. */
export class CassetteInvalidError extends AdornError {
  readonly code = 'CASSETTE_INVALID';

  constructor(path: string, fault: string) {
    super(
      `The cassette ${path} ${fault}. ` +
        'Restore it from version control, or delete it and record again with ADORN_RECORD=record.',
    );
  }
}

/** A recorded model was asked what is not recorded. */
export class CassetteMissError extends AdornError {
  readonly code = 'CASSETTE_MISS';

  /**
   * @param times how often an equal request is recorded
   * @param difference how the request differs from the nearest recorded one
   */
  constructor(path: string, times: number, difference: string) {
    const what =
      times === 0
        ? `This request is not recorded in ${path}`
        : `This request is recorded ${times === 1 ? 'once' : `${String(times)} times`} in ${path}, and was asked once more`;
    super(
      `${what}. If the change is meant, record what is new with ADORN_RECORD=record, or everything anew with ` +
        `ADORN_RECORD=refresh, before the same command; both call the model.\n\n${difference}`,
    );
  }
}

/** A cassette holds exchanges that were not asked for. */
export class CassetteLeftOverError extends AdornError {
  readonly code = 'CASSETTE_LEFT_OVER';

  constructor(path: string, left: readonly number[], size: number) {
    super(
      `${String(left.length)} of ${String(size)} exchanges recorded in ${path} were not asked for: ${left.join(', ')}. ` +
        'Find out why the run ended before them, or record anew with ADORN_RECORD=refresh.',
    );
  }
}

/** An option of a recording, or its file, cannot be used. */
export class RecordingOptionError extends AdornError {
  readonly code = 'RECORDING_OPTION_INVALID';

  /** @param owner the function that takes the options, such as `recorded` */
  constructor(owner: string, fault: string, cure: string) {
    super(`${owner} cannot be used: ${fault}. ${cure}`);
  }
}

/** The failure of a model, as it was recorded: with its name, code, message and facts, such as `status`. */
export class RecordedFailureError extends AdornError {
  readonly code: AdornErrorCode;

  constructor({ name, code, message, facts = {} }: RecordedFailure) {
    super(message);
    Object.assign(this, facts);
    this.name = name;
    this.code = (code ?? 'MODEL_FAILED') as AdornErrorCode;
  }
}

/** A stored conversation takes another course when it is held again. */
export class SessionNotRecordableError extends AdornError {
  readonly code = 'SESSION_NOT_RECORDABLE';

  /** @param before what came in the log where they part; undefined if nothing did */
  constructor(sessionId: string, before: string | undefined, now: string | undefined) {
    super(
      `The session "${sessionId}" takes another course when it is held again. In the log: ${before ?? 'nothing'}. ` +
        `Now: ${now ?? 'nothing'}. Record it with the agents that held it, or hold it anew with recorded(model, file).`,
    );
  }
}

/** A cassette does not tell the conversation that it is of. */
export class CassetteNotReplayableError extends AdornError {
  readonly code = 'CASSETTE_NOT_REPLAYABLE';

  constructor(path: string, fault: string) {
    super(
      `The conversation of ${path} cannot be held again: ${fault}. ` +
        'Make the cassette of a stored conversation with adorn record, or run the test that recorded it.',
    );
  }
}
