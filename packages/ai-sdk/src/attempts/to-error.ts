import type { AdornError } from '@adorn/core';

import {
  AiSdkFailedError,
  AiSdkKeyRefusedError,
  AiSdkModelNotFoundError,
  AiSdkSettingsMissingError,
  AiSdkUnreachableError,
} from '../errors.js';
import type { AttemptFailure } from './attempt-failure.js';
import { redact, sentence } from './redact.js';

interface Circumstances {
  readonly model: string;
  readonly attempts: number;
  /** Headers of the request, whose credentials must not be repeated. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The error thrown after the last attempt failed. */
export function toError(failure: AttemptFailure, { model, attempts, headers }: Circumstances): AdornError {
  const clean = (text: string): string => sentence(redact(text, headers));
  switch (failure.kind) {
    case 'own':
      return failure.error;
    case 'http':
      return ofStatus(failure, model, clean(failure.message), attempts);
    case 'connection':
      return new AiSdkUnreachableError(model, failure.host, redact(failure.what, headers), attempts);
    case 'settings':
      return new AiSdkSettingsMissingError(model, clean(failure.what));
    case 'request':
      return new AiSdkFailedError({ model, status: undefined, said: clean(failure.what), attempts: 1 });
    case 'malformed':
      return new AiSdkFailedError({ model, status: 200, said: clean(failure.what), attempts });
    case 'cut':
      return new AiSdkFailedError({ model, status: 200, said: 'The stream ended early.', attempts });
  }
}

type HttpFailure = AttemptFailure & { readonly kind: 'http' };

function ofStatus(failure: HttpFailure, model: string, said: string, attempts: number): AdornError {
  const { status, reason, message } = failure;
  if (status === 401 || status === 403) return new AiSdkKeyRefusedError(model, status, said);
  const isModel = reason === 'model_not_found' || reason === 'not_found_error' || /\bmodel\b/i.test(message);
  if (status === 404 && isModel) return new AiSdkModelNotFoundError(model, said);
  return new AiSdkFailedError({ model, status, said, attempts });
}
