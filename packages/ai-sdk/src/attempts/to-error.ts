import type { AdornError, ModelResponse } from '@adorn/core';
import { contextRefusal, ContextTooLongError, type WireNames } from '@adorn/core/backend';

import {
  AiSdkFailedError,
  AiSdkKeyRefusedError,
  AiSdkModelNotFoundError,
  AiSdkSettingsMissingError,
  AiSdkUnreachableError,
} from '../errors.js';
import type { ProviderCall } from '../provider-call.js';
import type { AttemptFailure } from './attempt-failure.js';

interface Circumstances {
  readonly model: string;
  readonly attempts: number;
  /** Headers of the request, whose credentials must not be repeated. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The names of tools in the request, which the provider may repeat. */
  readonly names: WireNames;
}

/** The error thrown after the last attempt failed. */
export function toError(
  failure: AttemptFailure,
  { model, attempts, headers, names }: Circumstances,
): AdornError {
  const clean = (text: string): string => sentence(names.inText(redact(text, headers)));
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
    case 'refused':
      return new AiSdkFailedError({ model, status: 200, said: clean(failure.message), attempts });
    case 'cut':
      return new AiSdkFailedError({ model, status: 200, said: 'The stream ended early.', attempts });
  }
}

/** The longest text of a model that an error repeats, in UTF-16 units. */
const LONGEST_WRITTEN = 1_500;

/** The response to an answer that the provider refused, with what the model had written. */
export function refusedResponse(
  { reason, message, written }: AttemptFailure & { readonly kind: 'refused' },
  { options: { headers }, names }: Pick<ProviderCall, 'options' | 'names'>,
): ModelResponse {
  const clean = (text: string): string => names.inText(redact(text, headers));
  const said = sentence(clean(message === '' ? reason : message));
  const quoted = clean(written ?? '');
  const shown = quoted.length > LONGEST_WRITTEN ? `${quoted.slice(0, LONGEST_WRITTEN)}…` : quoted;
  const errorMessage = `The provider refused what the model wrote: ${said}${shown === '' ? '' : ` The model wrote: ${shown}`}`;
  return { finishReason: reason, errorCode: reason, errorMessage };
}

type HttpFailure = AttemptFailure & { readonly kind: 'http' };

function ofStatus(failure: HttpFailure, model: string, said: string, attempts: number): AdornError {
  const { status, reason, message } = failure;
  const tooLong = contextRefusal(failure);
  if (tooLong) return new ContextTooLongError(model, said, tooLong);
  if (status === 401 || status === 403) return new AiSdkKeyRefusedError(model, status, said);
  const isModel = reason === 'model_not_found' || reason === 'not_found_error' || /\bmodel\b/i.test(message);
  if (status === 404 && isModel) return new AiSdkModelNotFoundError(model, said);
  return new AiSdkFailedError({ model, status, said, attempts });
}

/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST_SECRET = 8;

const CREDENTIAL_NAME = /auth|cookie|key|secret|token|password/i;

/** Keys as providers write them, whole or shortened by asterisks, and what follows a scheme of `Authorization`. */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|AIza|key)[-_][\w*.-]{6,}|\bAIza[\w*.-]{10,}|\b(?:Bearer|Basic)\s+[\w*.+/=-]{6,}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text without API keys, which a provider may have repeated: values of headers and of variables of the environment
 * whose names say that they are credentials, and all that looks like a key.
 */
function redact(text: string, headers: Environment = {}, environment: Environment = process.env): string {
  const secrets = [...Object.entries(headers), ...Object.entries(environment)]
    .filter(([name, value]) => CREDENTIAL_NAME.test(name) && (value ?? '').length >= SHORTEST_SECRET)
    .map(([, value]) => value as string);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text).replace(KEYS, '[key]');
}

const EXCERPT_LENGTH = 500;

/** The start of a message as one sentence, without the markup of a proxy's page. */
function sentence(body: string): string {
  const plain = body
    .slice(0, 20 * EXCERPT_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const text = plain.length > EXCERPT_LENGTH ? `${plain.slice(0, EXCERPT_LENGTH)}…` : plain;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
