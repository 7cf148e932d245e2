import { AdornError } from '../errors/adorn.error.js';

/** A model that was to summarise a conversation gave an error in place of a summary. */
export class SummaryFailedError extends AdornError {
  readonly code = 'MODEL_FAILED';

  constructor(errorCode: string, errorMessage: string | undefined) {
    const why = errorMessage === undefined ? errorCode : `${errorCode}, ${errorMessage}`;
    super(`The model gave no summary (${why}). The conversation stays as it is; see what the model refuses.`);
  }
}
