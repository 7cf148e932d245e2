import { isLoopback, redactSettings } from '@adorn/core/backend';

import { OpenAiRealtimeUnavailableError } from './errors.js';
import type { OpenAiRealtimeOptions } from './openai-realtime-options.js';

/** Where the API is and as whom we come. */
export interface RealtimeSettings {
  /** The address of the WebSocket, with the model. It contains no key. */
  readonly url: URL;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The text without the key and the credentials of the headers. */
  readonly redact: (text: string) => string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws OpenAiRealtimeUnavailableError when there is no key, or the address must not get it */
export function readSettings(
  options: OpenAiRealtimeOptions,
  model: string,
  environment: Environment,
): RealtimeSettings {
  const apiKey = stated(options.apiKey) ?? stated(environment['OPENAI_API_KEY']);
  if (apiKey === undefined)
    throw new OpenAiRealtimeUnavailableError(
      'there is no API key',
      'Set OPENAI_API_KEY, or pass apiKey to new OpenAiRealtimeModel({ … }).',
    );
  const baseUrl = options.baseUrl ?? stated(environment['OPENAI_BASE_URL']) ?? 'https://api.openai.com/v1';
  const headers = options.headers ?? {};
  return {
    url: socketUrl(baseUrl, model),
    apiKey,
    headers,
    redact: (text) => redactSettings(text, { apiKey, headers }),
  };
}

/** The address of the WebSocket below a base URL: `wss`, or `ws` to this machine. */
export function socketUrl(baseUrl: string, model: string): URL {
  const fault = faultOf(baseUrl);
  if (fault !== undefined)
    throw new OpenAiRealtimeUnavailableError(
      `baseUrl ${fault}`,
      'Use a URL such as https://gateway.example.com/v1, or http://127.0.0.1:8080/v1 for a server on this machine.',
    );
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/realtime`);
  url.protocol = /^(https|wss):$/.test(url.protocol) ? 'wss:' : 'ws:';
  url.searchParams.set('model', model);
  return url;
}

function faultOf(baseUrl: string): string | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^(https?|wss?):$/.test(url.protocol)) return 'is not an http:// or https:// URL';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment';
  if (url.username !== '' || url.password !== '') return 'contains a user name or password';
  if (/^(https|wss):$/.test(url.protocol) || isLoopback(url.hostname)) return undefined;
  return `is not encrypted, so the API key would cross the network to ${url.hostname} unencrypted`;
}

function stated(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}
