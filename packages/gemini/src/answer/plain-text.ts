import type { Part } from '@google/genai';

/** A text or a thought and nothing more: no signature, no media, no call. */
export function isPlainText(part: Part): part is Part & { readonly text: string } {
  if (typeof part.text !== 'string') return false;
  return Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

/** Some streams end with a text of no letters. */
export function saysSomething(part: Part): boolean {
  return !isPlainText(part) || part.text !== '';
}
