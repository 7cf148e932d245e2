import type { GeminiAnswer, GeminiStep } from './gemini-step.js';

/** How Google words a failure. */
export interface EmulatedFailure {
  /** The message of Google's error object. */
  readonly message?: string;
  /** Google's name of the status, such as `NOT_FOUND`. Default: the usual name for the HTTP status. */
  readonly status?: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
  /** Sent as `Retry-After`: seconds, or a date as HTTP writes it. */
  readonly retryAfter?: number | string;
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An HTTP status other than 200, with Google's error object as its body. */
export function failsWith(code: number, failure: EmulatedFailure = {}): GeminiStep {
  const { message = `HTTP ${String(code)}`, status = STATUS_NAMES[code] ?? 'UNKNOWN', details } = failure;
  const error = { code, message, status, ...(details !== undefined && { details }) };
  return {
    kind: 'bytes',
    status: code,
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
    },
    body: Buffer.from(JSON.stringify({ error })),
  };
}

/** Status 200 and a body that is not JSON; over SSE, one event that is not. */
export function sendsMalformedJson(text = '{"candidates": [{"content": {"parts": [{"te'): GeminiStep {
  return { kind: 'malformed', text };
}

/** Status 200 and not one byte of a body. */
export function sendsNothing(): GeminiStep {
  return { kind: 'bytes', status: 200, headers: {}, body: new Uint8Array() };
}

/** The connection is torn down before a byte of the answer. */
export function resetsConnection(): GeminiStep {
  return { kind: 'reset' };
}

/** A stream torn down in the middle of the chunk that follows those given. */
export function cutsStream(...chunks: readonly GeminiAnswer[]): GeminiStep {
  return { kind: 'cut', chunks };
}

/** No answer at all, while the connection stays open. */
export function neverAnswers(): GeminiStep {
  return { kind: 'silence' };
}

/** The step, `ms` milliseconds late. Given up when the asker goes away. */
export function slowly(ms: number, step: GeminiStep): GeminiStep {
  return { kind: 'slow', ms, step };
}
