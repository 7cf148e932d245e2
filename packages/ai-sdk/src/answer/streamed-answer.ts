import type { ModelResponse, Part } from '@adorn/core';
import { cutResponse, interruptedResponse, malformedResponse, type ModelAttempt } from '@adorn/core/backend';

import { failureOf } from '../attempts/attempt-failure.js';
import { refusedResponse } from '../attempts/to-error.js';
import { withRetries } from '../attempts/with-retries.js';
import { isJsonObject } from '../is-json-object.js';
import type { ProviderCall } from '../provider-call.js';
import { AnswerCollector } from './answer-collector.js';
import { isAnswerPart } from './content-part.js';

/** Yields the pieces as they come, and then the whole. Before the first piece, a failure is another attempt. */
export async function* streamedAnswer(call: ProviderCall): AsyncGenerator<ModelResponse, void, undefined> {
  const { stream, first } = await withRetries(call, async (attempt) => {
    const opened = new AnswerStream(call, attempt);
    return { stream: opened, first: await opened.open() };
  });
  try {
    for (let next: ModelResponse | undefined = first; next; next = await stream.next()) yield next;
  } finally {
    stream.close();
  }
}

class AnswerStream {
  private readonly collector: AnswerCollector;
  private reader: ReadableStreamDefaultReader<unknown> | undefined;
  private isOver = false;
  /** True once the stream was read to its end. */
  private isRead = false;

  constructor(
    private readonly call: ProviderCall,
    private readonly attempt: ModelAttempt,
  ) {
    this.collector = new AnswerCollector(call.model, call.names);
  }

  /** The first piece, or the response if there is no piece. A failure before it may be retried. */
  async open(): Promise<ModelResponse> {
    try {
      const { model, options } = this.call;
      const abortSignal = this.attempt.signal;
      const result = await this.attempt.until(model.doStream({ ...options, abortSignal }));
      this.attempt.heard();
      const stream = isJsonObject(result) ? result['stream'] : undefined;
      if (!(stream instanceof ReadableStream)) return this.end(malformedResponse());
      this.reader = stream.getReader();
      return await this.advance();
    } catch (error) {
      this.cancel();
      return this.end(this.spoiledBy(error, false));
    }
  }

  /** The next piece, then the whole, then undefined. */
  async next(): Promise<ModelResponse | undefined> {
    if (this.isOver) return undefined;
    try {
      return await this.advance();
    } catch (error) {
      return this.end(this.spoiledBy(error, true));
    }
  }

  close(): void {
    this.attempt.end(this.isRead ? 'complete' : 'given up');
    this.cancel();
  }

  private async advance(): Promise<ModelResponse> {
    for (;;) {
      const read = await this.attempt.until(this.read());
      this.attempt.heard();
      if (read.done) {
        this.isRead = true;
        return this.end(this.whole());
      }
      const { value } = read;
      if (!isAnswerPart(value)) continue;
      if (value.type === 'error') throw value['error'];
      if (value.type === 'stream-start') this.call.warn(value['warnings']);
      const piece = this.collector.add(value);
      if (piece) return toPartial(piece);
    }
  }

  private async read(): Promise<{ readonly done: boolean; readonly value?: unknown }> {
    return this.reader?.read() ?? { done: true };
  }

  private whole(): ModelResponse {
    const response = this.collector.whole(this.call.form.read);
    return this.collector.isCut && response.errorCode === undefined ? cutResponse(response) : response;
  }

  private end(response: ModelResponse): ModelResponse {
    this.isOver = true;
    return response;
  }

  /** The result for an error. Rethrows it if it is a cancellation, or if another attempt may help. */
  private spoiledBy(error: unknown, hasBegun: boolean): ModelResponse {
    this.call.signal.throwIfAborted();
    const failure = failureOf(error, this.attempt);
    if (failure.kind === 'refused') return { ...this.whole(), ...refusedResponse(failure, this.call) };
    if (failure.kind === 'malformed') return malformedResponse();
    if (failure.kind === 'cut') return this.whole();
    if (hasBegun) return interruptedResponse();
    throw error;
  }

  private cancel(): void {
    this.reader?.cancel().catch(() => undefined);
  }
}

function toPartial(part: Part): ModelResponse {
  return { partial: true, content: { role: 'model', parts: [part] } };
}
