import { AdornError } from '@adorn/core';
import { redactSettings } from '@adorn/core/backend';

import { toGeminiError } from '../attempts/to-gemini-error.js';
import { GeminiKeyRefusedError, GeminiModelNotFoundError, GeminiUnreachableError } from '../errors.js';
import type { GeminiSettings } from '../gemini-settings.js';
import type { LiveFailure } from './open-connection.js';

/** Gemini closed a connection instead of accepting its setup. */
export class GeminiLiveRefusedError extends AdornError {
  readonly code = 'MODEL_FAILED';

  /** @param closeCode the code of WebSocket, such as 1007 for a setup that Gemini does not accept */
  constructor(
    readonly model: string,
    readonly closeCode: number,
    said: string,
  ) {
    super(
      `Model "${model}" refused the live connection (code ${String(closeCode)}): ${said} ` +
        'Check the voice, the modality, the tools and generateContentConfig of the agent.',
    );
  }
}

interface Circumstances {
  readonly model: string;
  readonly settings: GeminiSettings;
}

/** The error for a connection that could not be opened. It contains no key. */
export function toLiveError(failure: LiveFailure, { model, settings }: Circumstances): AdornError {
  switch (failure.kind) {
    case 'closed':
      return ofClose(failure.code, redactSettings(failure.reason, settings), { model, settings });
    case 'connection':
      return ofConnection(failure.error, { model, settings });
    case 'timeout':
      return unreachable(settings, `the setup was not answered within ${String(failure.ms)} ms`);
    case 'request':
      if (failure.error instanceof AdornError) return failure.error;
      return toGeminiError(
        { kind: 'request', what: messageOf(failure.error) },
        { call: { model, settings }, attempts: 1, host: hostOf(settings) },
      );
  }
}

function ofClose(code: number, reason: string, { model, settings }: Circumstances): AdornError {
  const said = sentence(reason === '' ? 'No reason was given' : reason);
  if (/api[ _]key|unauthenticated|permission/i.test(reason))
    return new GeminiKeyRefusedError(model, undefined, said, settings.vertexai);
  if (/not found|not supported for bidi/i.test(reason)) return new GeminiModelNotFoundError(model, said);
  if (code === 1006) return unreachable(settings, 'the connection was lost before the setup was confirmed');
  return new GeminiLiveRefusedError(model, code, said);
}

/** A WebSocket that is refused over HTTP has only a status as its error. */
function ofConnection(error: unknown, { model, settings }: Circumstances): AdornError {
  const what = redactSettings(messageOf(error), settings);
  const status = /Unexpected server response: (\d+)/.exec(what)?.[1];
  if (status === '401' || status === '403')
    return new GeminiKeyRefusedError(model, Number(status), 'The WebSocket was refused.', settings.vertexai);
  return unreachable(
    settings,
    status === undefined ? what : `the WebSocket was refused with HTTP ${status}`,
    error,
  );
}

/** The cause may hold the address with the key, so only its code is kept. */
function unreachable(settings: GeminiSettings, what: string, error?: unknown): GeminiUnreachableError {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return new GeminiUnreachableError(hostOf(settings), what, { attempts: 1, cause: code });
}

function hostOf({ baseUrl }: GeminiSettings): string {
  return baseUrl === undefined ? 'Google' : new URL(baseUrl).host;
}

function messageOf(error: unknown): string {
  const said =
    error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
  return said === '' ? 'the connection failed' : said;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
