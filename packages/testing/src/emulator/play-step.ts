import type { ServerResponse } from 'node:http';

import type { GeminiAnswer, GeminiStep } from './gemini-step.js';
import { GEMINI_WIRE } from './wires/gemini.wire.js';
import type { Wire } from './wires/wire.js';

/** Applies a step to one response, in the form of a wire. */
export async function playStep(
  step: GeminiStep,
  stream: boolean,
  response: ServerResponse,
  wire: Wire = GEMINI_WIRE,
): Promise<void> {
  switch (step.kind) {
    case 'answer':
      if (stream) sendEvents(splitAnswer(step.answer), response, wire);
      else sendJson(wire.whole(step.answer), response);
      break;
    case 'chunks':
      if (stream) sendEvents(step.chunks, response, wire);
      else sendJson(wire.whole(joinChunks(step.chunks)), response);
      break;
    case 'bytes':
      sendBytes(step, response, wire);
      break;
    case 'malformed':
      sendText(stream ? `data: ${step.text}\r\n\r\n` : step.text, stream, response);
      break;
    case 'reset':
      response.socket?.resetAndDestroy();
      break;
    case 'cut':
      cut(step.chunks, stream, response, wire);
      break;
    case 'silence':
      break;
    case 'slow':
      if (await stillThereAfter(step.ms, response)) await playStep(step.step, stream, response, wire);
  }
}

function typeOf(stream: boolean): string {
  return stream ? 'text/event-stream' : 'application/json; charset=UTF-8';
}

function sendJson(answer: GeminiAnswer, response: ServerResponse): void {
  sendText(JSON.stringify(answer), false, response);
}

/** A failure is said in the words of the wire; all other bytes are sent as they are. */
function sendBytes(step: GeminiStep & { kind: 'bytes' }, response: ServerResponse, wire: Wire): void {
  const body = step.status >= 400 ? wire.failure(step.status, step.body) : step.body;
  response.writeHead(step.status, step.headers).end(body);
}

function sendText(text: string, stream: boolean, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': typeOf(stream) }).end(text);
}

function sendEvents(chunks: readonly GeminiAnswer[], response: ServerResponse, wire: Wire): void {
  response.writeHead(200, { 'content-type': typeOf(true) });
  for (const event of wire.events(chunks, true)) response.write(event);
  response.end();
}

/** The bytes sent so far must have left before the socket dies, or the asker never sees them. */
function cut(chunks: readonly GeminiAnswer[], stream: boolean, response: ServerResponse, wire: Wire): void {
  response.writeHead(200, { 'content-type': typeOf(stream) });
  const sent = stream ? `${wire.events(chunks, false).join('')}data: ${wire.half}` : wire.half;
  response.write(sent, () => response.socket?.destroySoon());
}

/** True after `ms` milliseconds; false as soon as the asker, or the emulator, has hung up. */
function stillThereAfter(ms: number, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      response.off('close', onClose);
      resolve(true);
    }, ms);
    const onClose = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    response.once('close', onClose);
  });
}

type Json = Readonly<Record<string, unknown>>;

/** The chunks of a stream as the one answer they make: neighbouring texts joined, later fields over earlier ones. */
function joinChunks(chunks: readonly GeminiAnswer[]): GeminiAnswer {
  const candidates = chunks.flatMap(
    (chunk) => (chunk['candidates'] as Json[] | undefined)?.slice(0, 1) ?? [],
  );
  const answer = Object.assign({}, ...chunks) as Json;
  if (candidates.length === 0) return answer;
  const parts = candidates.flatMap((candidate) => partsOf(candidate)).reduce<Json[]>(joinPart, []);
  const content = { role: 'model', parts };
  return { ...answer, candidates: [{ ...(Object.assign({}, ...candidates) as Json), content }] };
}

function partsOf(candidate: Json): Json[] {
  return ((candidate['content'] as Json | undefined)?.['parts'] as Json[] | undefined) ?? [];
}

function joinPart(parts: Json[], part: Json): Json[] {
  const last = parts.at(-1);
  if (!last || !isPlainText(last) || !isPlainText(part) || last['thought'] !== part['thought']) {
    return [...parts, part];
  }
  return [...parts.slice(0, -1), { ...last, text: `${String(last['text'])}${String(part['text'])}` }];
}

function isPlainText(part: Json): boolean {
  return typeof part['text'] === 'string' && !('thoughtSignature' in part);
}

const PIECE = /[\s\S]{1,24}/gu;

/**
 * A whole answer as the chunks of a stream: one per part, long texts in pieces; what the answer says about itself
 * (finish reason, usage, grounding) comes with the last. An answer without parts is one chunk.
 */
function splitAnswer(answer: GeminiAnswer): GeminiAnswer[] {
  const candidate = firstCandidate(answer);
  const content = candidate?.['content'] as Json | undefined;
  const parts = content?.['parts'];
  if (!content || !Array.isArray(parts) || parts.length === 0) return [answer];
  const pieces = (parts as Json[]).flatMap(splitPart);
  return pieces.map((part, index) => {
    const piece = { ...content, parts: [part] };
    if (index === pieces.length - 1) return { ...answer, candidates: [{ ...candidate, content: piece }] };
    return { candidates: [{ content: piece, index: 0 }], modelVersion: answer['modelVersion'] };
  });
}

function firstCandidate(answer: GeminiAnswer): Json | undefined {
  return (answer['candidates'] as readonly Json[] | undefined)?.[0];
}

function splitPart(part: Json): Json[] {
  const { text } = part;
  if (typeof text !== 'string' || text === '' || 'thoughtSignature' in part) return [part];
  return (text.match(PIECE) ?? []).map((piece) => ({ ...part, text: piece }));
}
