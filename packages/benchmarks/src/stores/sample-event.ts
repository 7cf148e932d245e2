import { Event } from '@adorn/core';

/** An event such as a turn leaves behind: a text of some 300 characters, and what the model says of its cost. */
export function sampleEvent(number: number): Event {
  return new Event({
    invocationId: `e-${String(number >> 1)}`,
    author: number % 2 === 0 ? 'user' : 'clerk',
    timestamp: 1_700_000_000 + number,
    content: { role: number % 2 === 0 ? 'user' : 'model', parts: [{ text: `${String(number)} ${WORDS}` }] },
    usageMetadata: {
      promptTokenCount: 120 + number,
      candidatesTokenCount: 80,
      totalTokenCount: 200 + number,
    },
  });
}

const WORDS = 'The harbour opens at seven, and the boat to the island leaves at half past eight. '
  .repeat(4)
  .trim();
