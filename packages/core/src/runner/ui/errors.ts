import { AdornError, shownName } from '@adorn/schema';

/** No page belongs to a call of a conversation. */
export class UiNotFoundError extends AdornError {
  readonly code = 'UI_NOT_FOUND';

  constructor(callId: string, reason: string) {
    super(
      `The call "${shownName(callId)}" has no page: ${reason}. Read the event of its result: uiIn says whether it has one.`,
    );
  }
}

/** A page may not make a call. Nothing was stored. */
export class UiCallRefusedError extends AdornError {
  readonly code = 'UI_CALL_REFUSED';

  constructor(tool: string, fault: string) {
    super(`The page may not call "${shownName(tool)}": ${fault}.`);
  }
}
