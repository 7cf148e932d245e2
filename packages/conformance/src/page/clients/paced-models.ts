import { setTimeout } from 'node:timers/promises';

import { type Content, Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { callsTool, says, streams } from '@adorn/testing';

const BETWEEN_PIECES_MS = 30;
const SENTENCES = 30;

/** Answers each message with the same story, a sentence at a time. */
export class StoryModel extends Model {
  static readonly end = 'The end.';
  override readonly name = 'scripted';

  override async *generate({ signal }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const sentences = Array.from({ length: SENTENCES }, (_, index) => `Sentence ${String(index + 1)}. `);
    for (const response of streams(...sentences, StoryModel.end)) {
      await setTimeout(BETWEEN_PIECES_MS, undefined, { signal });
      yield response;
    }
  }
}

/** Calls `find_order` again and again, each time after 20 ms, until the user says `Enough`. */
export class TickingModel extends Model {
  override readonly name = 'scripted';
  /** When each message of the user was in a request for the first time, in milliseconds since 1970. */
  readonly readAt = new Map<string, number>();

  override async *generate({
    contents,
    signal,
  }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const message = lastMessage(contents);
    if (!this.readAt.has(message)) this.readAt.set(message, Date.now());
    await setTimeout(20, undefined, { signal });
    yield message === 'Enough' ? says('Done.') : callsTool('find_order', { orderId: 'A' });
  }
}

function lastMessage(contents: readonly Content[]): string {
  const texts = contents.flatMap(({ role, parts = [] }) =>
    role === 'user' ? parts.flatMap(({ text }) => text ?? []) : [],
  );
  return texts.at(-1) ?? '';
}
