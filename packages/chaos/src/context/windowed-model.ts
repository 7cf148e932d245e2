import { setImmediate } from 'node:timers/promises';

import { type Content, Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { contextRefusal, ContextTooLongError } from '@adorn/core/backend';

/** What a model is like, and what it answers. */
export interface WindowedModelFields {
  readonly name: string;
  /** The largest request that it answers, in its tokens. */
  readonly window: number;
  /** How many bytes of JSON are one of its tokens. */
  readonly bytesPerToken: number;
  /** True if its refusals name the window. */
  readonly namesWindow: boolean;
  readonly answer: (request: ModelRequest) => ModelResponse;
}

/** A model that refuses requests above its window, and finds what providers refuse in others. */
export class WindowedModel extends Model {
  /** The requests that were refused as too long, in the order of all requests. */
  readonly refused: number[] = [];
  /** Those of them that were made when another one had been refused. */
  readonly repeated: number[] = [];
  /** What a provider would refuse, other than the length. */
  readonly faults: string[] = [];
  /** The number of the first request that was answered; undefined as long as there is none. */
  answeredAt: number | undefined;
  /** The largest request that was refused, in tokens. */
  largestRefused = 0;
  requests = 0;

  constructor(private readonly fields: WindowedModelFields) {
    super();
  }

  get name(): string {
    return this.fields.name;
  }

  override get contextWindow(): undefined {
    return undefined;
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    // Parallel agents ask side by side: neither knows what the other is told.
    const hasRefused = this.refused.length > 0;
    await setImmediate();
    const { window, bytesPerToken, namesWindow, answer } = this.fields;
    const { contents, config } = request;
    this.requests += 1;
    const fault = faultOf(contents);
    if (fault !== undefined) this.faults.push(fault);
    const bytes = Buffer.byteLength(JSON.stringify([contents, config.systemInstruction, config.tools]));
    const tokens = Math.ceil(bytes / bytesPerToken);
    if (tokens > window) {
      this.refused.push(this.requests);
      if (hasRefused) this.repeated.push(this.requests);
      this.largestRefused = Math.max(this.largestRefused, tokens);
      const sizes = `: ${String(tokens)} tokens > ${String(window)} maximum`;
      const message = namesWindow ? `prompt is too long${sizes}` : 'Input is too long for requested model.';
      throw new ContextTooLongError(this.name, message, contextRefusal({ status: 400, message }));
    }
    this.answeredAt ??= this.requests;
    yield { ...answer(request), usageMetadata: { promptTokenCount: tokens } };
  }
}

/** What providers refuse of a conversation: each call is answered in the next content, and nothing else is. */
function faultOf(contents: readonly Content[]): string | undefined {
  if (contents[0]?.role !== 'user') return 'it does not begin with the user';
  if (contents.at(-1)?.role === 'model') return 'it ends with the model';
  for (const [index, { role, parts = [] }] of contents.entries()) {
    if (parts.length === 0) return `content ${String(index)} has no parts`;
    const calls = role === 'model' ? parts.flatMap(({ functionCall }) => functionCall?.id ?? []) : [];
    const next = contents[index + 1]?.parts ?? [];
    const answered = next.flatMap(({ functionResponse }) => functionResponse?.id ?? []);
    if (calls.length > 0 && !isSame(calls, answered))
      return `calls ${calls.join()} of content ${String(index)} are followed by responses ${answered.join()}`;
    const isAnswer = parts.some(({ functionResponse }) => functionResponse !== undefined);
    const before = contents[index - 1]?.parts?.some(({ functionCall }) => functionCall !== undefined);
    if (isAnswer && before !== true) return `content ${String(index)} answers no call`;
  }
  return undefined;
}

function isSame(calls: readonly string[], answered: readonly string[]): boolean {
  return calls.length === answered.length && calls.every((id) => answered.includes(id));
}
