import type { RecordedPart } from './gemini-json.js';

/**
 * Parts in the form in which two answers are compared: neighbouring texts as one, neighbouring thoughts as one, and
 * nothing that says nothing. A part that carries anything else, such as a signature, stays as it is.
 */
export function joinedParts(parts: readonly RecordedPart[]): RecordedPart[] {
  const joined: RecordedPart[] = [];
  for (const part of parts.filter(saysSomething)) {
    const last = joined.at(-1);
    if (last && isPlain(last) && isPlain(part) && last.thought === part.thought) {
      joined.splice(-1, 1, { ...last, text: `${last.text ?? ''}${part.text ?? ''}` });
    } else {
      joined.push(part);
    }
  }
  return joined;
}

function saysSomething(part: RecordedPart): boolean {
  return Object.keys(part).length > 0 && !(isPlain(part) && part.text === '');
}

function isPlain(part: RecordedPart): boolean {
  return part.text !== undefined && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}
