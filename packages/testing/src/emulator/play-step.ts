import type { ServerResponse } from 'node:http';

import type { GeminiAnswer, GeminiStep } from './gemini-step.js';
import { joinChunks } from './join-chunks.js';
import { splitAnswer } from './split-answer.js';

/** Applies a step to one response. */
export async function playStep(step: GeminiStep, stream: boolean, response: ServerResponse): Promise<void> {
  switch (step.kind) {
    case 'answer':
      if (stream) sendEvents(splitAnswer(step.answer), response);
      else sendJson(step.answer, response);
      break;
    case 'chunks':
      if (stream) sendEvents(step.chunks, response);
      else sendJson(joinChunks(step.chunks), response);
      break;
    case 'bytes':
      response.writeHead(step.status, step.headers).end(step.body);
      break;
    case 'malformed':
      sendText(stream ? `data: ${step.text}\r\n\r\n` : step.text, stream, response);
      break;
    case 'reset':
      response.socket?.resetAndDestroy();
      break;
    case 'cut':
      cut(step.chunks, stream, response);
      break;
    case 'silence':
      break;
    case 'slow':
      if (await stillThereAfter(step.ms, response)) await playStep(step.step, stream, response);
  }
}

function typeOf(stream: boolean): string {
  return stream ? 'text/event-stream' : 'application/json; charset=UTF-8';
}

function sendJson(answer: GeminiAnswer, response: ServerResponse): void {
  sendText(JSON.stringify(answer), false, response);
}

function sendText(text: string, stream: boolean, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': typeOf(stream) }).end(text);
}

function sendEvents(chunks: readonly GeminiAnswer[], response: ServerResponse): void {
  response.writeHead(200, { 'content-type': typeOf(true) });
  for (const chunk of chunks) response.write(toEvent(chunk));
  response.end();
}

function toEvent(chunk: GeminiAnswer): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

/** The bytes sent so far must have left before the socket dies, or the asker never sees them. */
function cut(chunks: readonly GeminiAnswer[], stream: boolean, response: ServerResponse): void {
  const half = '{"candidates": [{"content": {"parts": [{"te';
  response.writeHead(200, { 'content-type': typeOf(stream) });
  const sent = stream ? `${chunks.map(toEvent).join('')}data: ${half}` : half;
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
