import type { AdornError } from '@adorn/core';
import { contextRefusal, ContextTooLongError, redactSettings } from '@adorn/core/backend';

import type { AttemptFailure } from './attempt-failure.js';
import type { GeminiCall } from '../gemini-call.js';
import {
  GeminiFailedError,
  GeminiKeyRefusedError,
  GeminiModelNotFoundError,
  GeminiUnreachableError,
} from '../errors.js';
import type { HttpFailure } from './http-failure.js';

interface Circumstances {
  readonly call: Pick<GeminiCall, 'model' | 'settings'>;
  readonly attempts: number;
  readonly host: string;
}

/** The error thrown after the last attempt failed. */
export function toGeminiError(failure: AttemptFailure, circumstances: Circumstances): AdornError {
  const { call, attempts, host } = circumstances;
  switch (failure.kind) {
    case 'http':
      return ofStatus(failure.failure, circumstances);
    case 'connection':
      return new GeminiUnreachableError(host || 'Google', redactSettings(failure.what, call.settings), {
        attempts,
        cause: failure.cause,
      });
    case 'settings':
      return failure.error;
    case 'request':
      return ofRequest(failure.what, call);
    case 'malformed':
      return new GeminiFailedError({
        model: call.model,
        status: 200,
        said: sentence(failure.what),
        attempts,
      });
  }
}

function ofStatus(failure: HttpFailure, { call, attempts }: Circumstances): AdornError {
  const { model, settings } = call;
  const message = redactSettings(failure.message, settings);
  const said = sentence(failure.reason === undefined ? excerpt(message) : message);
  const tooLong = contextRefusal(failure);
  if (tooLong) return new ContextTooLongError(model, said, tooLong);
  if (isRefusal(failure))
    return new GeminiKeyRefusedError(model, failure.status, said, isCloudLogin(settings));
  if (failure.status === 404 && failure.reason === 'NOT_FOUND')
    return new GeminiModelNotFoundError(model, said);
  return new GeminiFailedError({ model, status: failure.status, said, attempts });
}

function isRefusal({ status, message, details }: HttpFailure): boolean {
  if (status === 401 || status === 403) return true;
  return (
    status === 400 &&
    (/api[ _]key/i.test(message) || details.some(({ reason }) => reason === 'API_KEY_INVALID'))
  );
}

/** Google's own login library speaks of credentials before anything is sent. */
function ofRequest(what: string, { model, settings }: Circumstances['call']): AdornError {
  const said = sentence(redactSettings(what, settings));
  if (isCloudLogin(settings) && /credential|authenticat/i.test(what)) {
    return new GeminiKeyRefusedError(model, undefined, said, true);
  }
  return new GeminiFailedError({ model, status: undefined, said, attempts: 1 });
}

function isCloudLogin({ vertexai, apiKey }: GeminiCall['settings']): boolean {
  return vertexai && apiKey === undefined;
}

const EXCERPT_LENGTH = 500;

/** The start of a message that Google did not write, such as the HTML page of a proxy. */
function excerpt(body: string): string {
  const plain = body
    .slice(0, 20 * EXCERPT_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > EXCERPT_LENGTH ? `${plain.slice(0, EXCERPT_LENGTH)}…` : plain;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
