import type { GenerateContentResponse } from '@google/genai';
import type { ModelResponse } from '@adorn/core';
import { cutResponse, interruptedResponse, malformedResponse } from '@adorn/core/backend';

import { failureOf } from '../attempts/attempt-failure.js';
import type { GeminiAttempt } from '../attempts/gemini-attempt.js';
import { type GeminiCall, parametersOf } from '../gemini-call.js';
import { type GeminiPiece, readPiece } from './gemini-piece.js';
import { PieceCollector, saysSomething } from './piece-collector.js';
import { toModelResponse } from './to-model-response.js';
import { withRetries } from '../attempts/with-retries.js';

/** Yields the pieces as they come, and then the whole. Before the first piece, a failure is another attempt. */
export async function* streamedAnswer(call: GeminiCall): AsyncGenerator<ModelResponse, void, undefined> {
  const stream = await withRetries(call, true, (attempt) => openStream(call, attempt));
  try {
    for (let next = stream.first; next; next = await stream.next()) {
      yield 'parts' in next ? toPartial(next) : next;
    }
  } finally {
    stream.close();
  }
}

function toPartial({ parts }: GeminiPiece): ModelResponse {
  return { partial: true, content: { role: 'model', parts: [...parts] } };
}

/** A stream, read up to its first content. */
async function openStream(
  call: GeminiCall,
  attempt: GeminiAttempt,
): Promise<GeminiStream & { first: Saying }> {
  const stream = new GeminiStream(call, attempt);
  const first = await stream.open();
  return Object.assign(stream, { first });
}

/** A piece to pass on, or the response that ends the answer. */
type Saying = GeminiPiece | ModelResponse | undefined;

class GeminiStream {
  private readonly collector = new PieceCollector();
  private chunks: AsyncIterator<GenerateContentResponse> | undefined;
  private over = false;

  constructor(
    private readonly call: GeminiCall,
    private readonly attempt: GeminiAttempt,
  ) {}

  /** The first piece, or the response if there is no piece. A failure before it may be retried. */
  async open(): Promise<Saying> {
    try {
      const { models } = this.call.client;
      const opened = models.generateContentStream(parametersOf(this.call, this.attempt));
      this.chunks = (await this.attempt.until(opened))[Symbol.asyncIterator]();
      return await this.advance();
    } catch (error) {
      return this.end(this.spoiledBy(error, false));
    }
  }

  /** The next piece, then the whole, then nothing. */
  async next(): Promise<Saying> {
    if (this.over) return undefined;
    try {
      return await this.advance();
    } catch (error) {
      return this.end(this.spoiledBy(error, true));
    }
  }

  close(): void {
    this.attempt.end(this.over ? 'complete' : 'given up');
  }

  private async advance(): Promise<Saying> {
    for (;;) {
      const chunk = await this.chunks?.next();
      if (!chunk || chunk.done === true) return this.end(this.whole());
      const piece = readPiece(chunk.value);
      this.collector.add(piece);
      if (piece.parts.some(saysSomething)) return piece;
    }
  }

  /** An answer ends with the reason why: one without it was cut, however properly the connection was closed. */
  private whole(): ModelResponse {
    const response = toModelResponse(this.collector.whole());
    const isCut = response.finishReason === undefined && response.errorCode === undefined;
    return isCut ? cutResponse(response) : response;
  }

  private end(response: ModelResponse): ModelResponse {
    this.over = true;
    return response;
  }

  /** The result for an error. Rethrows it if it is a cancellation, or if another attempt may help. */
  private spoiledBy(error: unknown, begun: boolean): ModelResponse {
    this.call.signal.throwIfAborted();
    const { kind } = failureOf(error, this.attempt);
    if (kind === 'malformed') return malformedResponse();
    if (begun) return interruptedResponse();
    throw error;
  }
}
