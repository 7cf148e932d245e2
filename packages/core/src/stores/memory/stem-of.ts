/** Shorter stems are not told apart from other words. */
const MIN_STEM = 3;

/**
 * A word in lower case without the most common English endings: "cities" and "city" have the same stem, as do "opens" and
 * "opening".
 */
export function stemOf(word: string): string {
  const stem = word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s)$/u, '').replace(/(?<=\p{L}{2})(?:ie?|y|e)$/u, '');
  return stem.length < MIN_STEM ? word : stem;
}
