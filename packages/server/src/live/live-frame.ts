import type { Part } from '@adorn/core';
import { decodeBase64 } from '@adorn/core/backend';

import { RequestInvalidError } from '../errors.js';
import { requireFewValues } from '../http/request-body.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a client of `/run_live` sends. */
export type LiveFrame =
  | { readonly kind: 'audio'; readonly data: Uint8Array; readonly rate?: number }
  | { readonly kind: 'image'; readonly data: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'content'; readonly parts: readonly Part[]; readonly answers: readonly LiveAnswer[] }
  | { readonly kind: 'activity'; readonly activity: 'start' | 'end' }
  | { readonly kind: 'close' };

/** An answer to a request that waits: a function response for the id of its call. */
export interface LiveAnswer {
  readonly id: string;
  readonly response: Fields;
}

/**
 * Reads a frame of a client: `{ blob }`, `{ content }`, `{ activityStart }`, `{ activityEnd }` or `{ close: true }`, with names in
 * camelCase or snake_case.
 *
 * @param mostValues the most values in the JSON of a frame
 * @throws {RequestInvalidError}
 */
export function readLiveFrame(text: string, mostValues: number): LiveFrame {
  requireFewValues(text, mostValues);
  const { blob, content, close, ...frame } = fieldsOf(parsed(text)) ?? refuse('it is no object');
  if (close === true) return { kind: 'close' };
  if ((frame['activityStart'] ?? frame['activity_start']) !== undefined)
    return { kind: 'activity', activity: 'start' };
  if ((frame['activityEnd'] ?? frame['activity_end']) !== undefined)
    return { kind: 'activity', activity: 'end' };
  if (blob !== undefined && blob !== null) return blobFrame(fieldsOf(blob) ?? refuse('"blob" is no object'));
  const { parts } = fieldsOf(content) ?? refuse('it has neither a blob nor a content');
  return contentFrame(Array.isArray(parts) ? parts : refuse('the content has no "parts"'));
}

/** Speech is PCM16, mono, at the rate that its type states (`audio/pcm;rate=48000`), by default that of the model. */
function blobFrame({ data, ...blob }: Fields): LiveFrame {
  const mimeType = blob['mimeType'] ?? blob['mime_type'];
  if (typeof data !== 'string' || typeof mimeType !== 'string') refuse('"blob" has no data or no MIME type');
  const bytes = decodeBase64(data) ?? refuse('the data of the blob is not base64');
  if (mimeType.startsWith('audio/pcm')) return { kind: 'audio', data: bytes, rate: rateOf(mimeType) };
  if (mimeType.startsWith('image/')) return { kind: 'image', data: bytes, mimeType };
  return refuse(
    `the blob is ${JSON.stringify(mimeType.slice(0, 80))}, and only audio/pcm and images are taken`,
  );
}

function rateOf(mimeType: string): number | undefined {
  const rate = /;\s*rate=([^;]*)/.exec(mimeType)?.[1];
  return rate === undefined ? undefined : Number(rate);
}

function contentFrame(given: readonly unknown[]): LiveFrame {
  const parts: Part[] = [];
  const answers: LiveAnswer[] = [];
  for (const part of given) {
    const fields = fieldsOf(part) ?? refuse('a part is no object');
    const response = fieldsOf(fields['functionResponse'] ?? fields['function_response']);
    if (response === undefined) parts.push(fields);
    else answers.push({ id: String(response['id']), response: fieldsOf(response['response']) ?? {} });
  }
  return { kind: 'content', parts, answers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuse('it is no JSON');
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function refuse(fault: string): never {
  throw new RequestInvalidError(`a frame cannot be read: ${fault}`, 'Send a blob, a content or close.');
}
