import type { RecordedResponse } from '@adorn/testing';

import type { Json } from './gemini-json.js';

/** What the bytes of a recorded answer hold. */
export type RecordedAnswer =
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Not JSON, or JSON that is no answer. */
  | { readonly kind: 'malformed' }
  /** A stream that began well and did not go on so. */
  | { readonly kind: 'broken' }
  /** One object, or the chunks of a stream. */
  | { readonly kind: 'answered'; readonly chunks: readonly Json[] };

/** Reads the bytes on its own: not by @google/genai, nor by anything of Adorn's. */
export function readAnswer({ status, body, stream }: RecordedResponse): RecordedAnswer {
  const text = body.toString('utf8');
  const chunks = (stream ? eventsIn(text) : [text]).map(parseObject);
  const refusal = refusalIn(chunks[0], status);
  if (refusal) return refusal;
  const good = chunks.filter((chunk) => chunk !== undefined).filter((chunk) => !('error' in chunk));
  if (!good.some(isOfAnAnswer)) return { kind: 'malformed' };
  return good.length === chunks.length ? { kind: 'answered', chunks: good } : { kind: 'broken' };
}

function eventsIn(text: string): string[] {
  return text
    .split(/(?:\r?\n){2,}/)
    .map((event) => event.replace(/^data:/, '').trim())
    .filter((event) => event !== '');
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** A status, or an error object that comes in place of an answer. */
function refusalIn(chunk: Json | undefined, status: number): RecordedAnswer | undefined {
  const error = chunk?.['error'] as { readonly code?: number; readonly message?: string } | undefined;
  if (!error && status === 200) return undefined;
  const { code = 500, message = '' } = error ?? {};
  return { kind: 'refused', status: status === 200 ? code : status, message };
}

function isOfAnAnswer(chunk: Json): boolean {
  return 'candidates' in chunk || 'promptFeedback' in chunk || 'usageMetadata' in chunk;
}
