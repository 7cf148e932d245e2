import { AdornError } from '@adorn/core';

export interface GeminiFailure {
  readonly model: string;
  /** The HTTP status; undefined where the request was not even sent. */
  readonly status: number | undefined;
  /** Google's words. */
  readonly said: string;
  readonly attempts: number;
}

/** Google answered, and would not or could not do what was asked. */
export class GeminiFailedError extends AdornError {
  readonly code = 'MODEL_FAILED';
  /** The HTTP status; undefined where the request was not even sent. */
  readonly status: number | undefined;

  constructor({ model, status, said, attempts }: GeminiFailure) {
    const what = status === undefined ? 'cannot be asked this way' : `answered with HTTP ${String(status)}`;
    const tries = attempts === 1 ? '' : ` after ${String(attempts)} attempts`;
    super(`Model "${model}" ${what}${tries}: ${said} ${cureOf(status)}`);
    this.status = status;
  }
}

function cureOf(status: number | undefined): string {
  if (status !== undefined && status >= 300 && status < 400)
    return 'Redirects are not followed, as the API key would travel with them: set baseUrl to the final address.';
  if (status === 429) return 'Wait for the quota to refill, raise it, or use another model.';
  if (status !== undefined && status >= 500)
    return "The fault is on Google's side: try again later, or use another model.";
  if (status === 404) return 'Nothing is served at this address: check baseUrl and apiVersion.';
  return 'Check generateContentConfig, the tools and what the conversation holds.';
}
