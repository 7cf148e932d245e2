import type { Event } from 'adorn';

import type { RecordedPart } from './gemini-json.js';
import { findDifference } from '../find-difference.js';
import { joinedParts } from './joined-parts.js';

/** What is wrong with the pieces of a streamed answer: together they say what the whole says. */
export function faultOfPieces(pieces: readonly Event[], whole: Event | undefined): string | undefined {
  if (pieces.length === 0 || whole?.errorCode !== undefined) return undefined;
  const shown = pieces.flatMap(({ content }) => (content?.parts ?? []) as RecordedPart[]);
  return findDifference(textsOf(whole?.content?.parts ?? []), textsOf(shown), '$.pieces');
}

function textsOf(parts: readonly RecordedPart[]): (string | undefined)[] {
  const texts = parts
    .filter(({ text }) => text !== undefined)
    .map(({ text, thought }) => ({ text: text ?? '', ...(thought && { thought }) }));
  return joinedParts(texts).map(({ text }) => text);
}
