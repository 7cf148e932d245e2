import { findDifference } from '../find-difference.js';
import type { RecordedContent, RecordedPart } from './gemini-json.js';
import { joinedParts } from './joined-parts.js';

/**
 * What is wrong with the contents of a request. Adorn never sends an empty text; recorders do, so empty texts of the
 * recording are left out. Where answers were streamed, some recorders send each chunk back on its own: there a text
 * may be cut in other places, and nothing else may differ.
 */
export function faultOfContents(
  expected: readonly RecordedContent[] | undefined,
  actual: unknown,
  streamed: boolean,
): string | undefined {
  const sent = (actual ?? []) as readonly RecordedContent[];
  const due = withoutEmptyTexts(expected ?? []);
  if (!streamed) return findDifference(due, sent, '$.contents');
  return findDifference(joinedContents(due), joinedContents(sent), '$.contents');
}

/** A text with a signature is kept: models send signatures that way. */
function withoutEmptyTexts(contents: readonly RecordedContent[]): RecordedContent[] {
  return contents
    .map((content) => ({ ...content, parts: (content.parts ?? []).filter((part) => !isEmptyText(part)) }))
    .filter(({ parts }) => parts.length > 0);
}

function isEmptyText(part: RecordedPart): boolean {
  return part.text === '' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function joinedContents(contents: readonly RecordedContent[]): RecordedContent[] {
  const joined: RecordedContent[] = [];
  for (const content of contents) {
    const last = joined.at(-1);
    if (last?.role === 'model' && content.role === 'model') joined.splice(-1, 1, merge(last, content));
    else joined.push(content);
  }
  return joined.map((content) => ({ ...content, parts: joinedParts(content.parts ?? []) }));
}

function merge(first: RecordedContent, second: RecordedContent): RecordedContent {
  return { ...first, parts: [...(first.parts ?? []), ...(second.parts ?? [])] };
}
