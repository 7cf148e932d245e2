import { isObject } from '@adorn/core/backend';

import { isFailure, type RecordedFailure } from '../cassette.js';
import { Canonical, type RecordedRequest } from '../recorded-request.js';
import type { Cleaning } from '../recording-options.js';

/** A body: its text, or the base64 of bytes that are none. */
interface RecordedBody {
  readonly text?: string;
  readonly data?: string;
}

/** The answer of a server. */
export interface RecordedAnswer extends RecordedBody {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request by `fetch`, and what came of it. */
export interface HttpExchange {
  readonly request: RecordedRequest;
  readonly answer?: RecordedAnswer;
  readonly failure?: RecordedFailure;
}

/** Headers that belong to a user, or to the way of the bytes, which are decoded here. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  'set-cookie',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

/** The statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * What a recorded answer is found by: the method, the URL and the body, as JSON if it is JSON, without ids, times and secrets.
 * Headers are not looked at, and not written: they hold credentials.
 */
export async function recordedHttpRequest(request: Request, { clean }: Cleaning): Promise<RecordedRequest> {
  const body = bodyOf(new Uint8Array(await request.arrayBuffer()));
  const asked = { method: request.method, url: request.url, ...readable(body) };
  return new Canonical(clean).value(asked, '') as RecordedRequest;
}

/** An answer as it is recorded. */
export async function recordedAnswer(
  response: Response,
  { withoutSecrets }: Cleaning,
): Promise<RecordedAnswer> {
  const headers = [...response.headers].filter(([name]) => !NOT_RECORDED.has(name));
  const { text, data } = bodyOf(new Uint8Array(await response.arrayBuffer()));
  return {
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutSecrets(value)])),
    ...(text !== undefined && { text: withoutSecrets(text) }),
    ...(data !== undefined && { data }),
  };
}

/** The answer of a recorded one. */
export function replayedResponse({ status, statusText, headers, text, data }: RecordedAnswer): Response {
  const body = data === undefined ? text : Buffer.from(data, 'base64');
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
}

/** True for an exchange of a file. */
export function isHttpExchange(value: unknown): value is HttpExchange {
  if (!isObject(value) || !isObject(value['request'])) return false;
  const { answer, failure } = value;
  if (answer === undefined) return failure !== undefined && isFailure(failure);
  return isObject(answer) && typeof answer['status'] === 'number' && isObject(answer['headers']);
}

function bodyOf(bytes: Uint8Array): RecordedBody {
  if (bytes.length === 0) return {};
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { data: Buffer.from(bytes).toString('base64') };
  }
}

/** A body whose JSON a person can read in a difference. */
function readable({ text, data }: RecordedBody): object {
  if (data !== undefined) return { data };
  if (text === undefined) return {};
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}
