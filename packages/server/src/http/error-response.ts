import { AdornError, type Logger } from '@adorn/core';
import type { AdornErrorCode } from '@adorn/core/backend';

import { RequestError } from '../errors.js';
import { faultOf } from '../frames/to-wire.js';

/** The JSON of an error: `error` for clients of the ADK in TypeScript, `detail` for those of the ADK in Python. */
export interface ErrorJson {
  readonly error: string;
  readonly detail: string;
  readonly code: string;
  /** The field of the body, or the parameter, that is wrong. */
  readonly field?: string | undefined;
  /** The path where a person signs in: the option `signIn` of the server. */
  readonly signIn?: string | undefined;
}

/** The statuses of errors of core. Other errors with a code are 500, and their messages are shown. */
const STATUSES: Partial<Record<AdornErrorCode, number>> = {
  AGENT_TREE_CHANGED: 409,
  ANSWER_INVALID: 400,
  ANSWER_REFUSED: 409,
  APPROVER_NOT_ALLOWED: 403,
  ARTIFACT_INVALID: 400,
  CALL_AMBIGUOUS: 409,
  CALL_INVALID: 400,
  CANCELLED: 409,
  CONSENT_STATE_INVALID: 400,
  CONTENT_INVALID: 400,
  DELIVERY_REFUSED: 401,
  EVAL_CONFIG_INVALID: 400,
  EVAL_SET_INVALID: 400,
  EVENT_INVALID: 400,
  EVENT_NOT_FOUND: 404,
  EVENT_TOO_LARGE: 413,
  FEEDBACK_INVALID: 400,
  FEEDBACK_LIMIT_REACHED: 429,
  FORK_POINT_NOT_FOUND: 404,
  INVOCATION_ACTIVE: 409,
  INVOCATION_NOT_FOUND: 404,
  MAILBOX_FULL: 429,
  MESSAGE_INVALID: 400,
  NAME_INVALID: 400,
  NAME_TOO_LONG: 400,
  NOTHING_TO_EXPLAIN: 409,
  NOTHING_TO_RESUME: 409,
  NOT_SUPPORTED: 501,
  PROFILE_INVALID: 400,
  REQUESTERS_MIXED: 403,
  REQUEST_CHANGED: 409,
  REQUEST_NOT_PENDING: 409,
  REQUEST_OF_OTHER_AGENT: 409,
  RESULT_NOT_JSON: 400,
  RUNNER_CLOSED: 503,
  RUN_CONFIG_INVALID: 400,
  SERVER_BUSY: 503,
  SESSION_CONFLICT: 409,
  SESSION_EXISTS: 409,
  SESSION_FILE_INVALID: 400,
  SESSION_NOT_FOUND: 404,
  SESSION_TAKEN_OVER: 409,
  STATE_DELTA_REFUSED: 400,
  STORAGE_CLOSED: 503,
  STORAGE_FULL: 503,
  STORAGE_UNAVAILABLE: 503,
  UI_CALL_REFUSED: 403,
  UI_INVALID: 502,
  UI_NOT_FOUND: 404,
};

/** The response to a request that failed. Errors without a code are logged, and their messages are not shown. */
export function errorResponse(error: unknown, logger: Logger): Response {
  const { code, message } = faultOf(error);
  const status = statusOf(error);
  if (status >= 500) logger.error('a request failed', { error });
  const { field, signIn, headers } = error instanceof RequestError ? error : {};
  const json: ErrorJson = { error: message, detail: message, code, field, signIn };
  return Response.json(json, headers === undefined ? { status } : { status, headers });
}

function statusOf(error: unknown): number {
  if (error instanceof RequestError) return error.status;
  if (!AdornError.is(error)) return 500;
  const { status } = error as { readonly status?: unknown };
  if (error.code === 'DELIVERY_REFUSED' && status === 400) return 400;
  return STATUSES[error.code] ?? 500;
}
