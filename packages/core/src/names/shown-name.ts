/** The longest name that is shown whole: no tool, agent or parameter that exists has a longer one. */
const LONGEST = 128;

/** A name for a message or a log: cut where it is too long to be one, since a model may invent any. */
export function shownName(name: string): string {
  return shortened(name, LONGEST);
}

/** The beginning of a text that is longer than so many characters, and not half of one that takes two. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}
