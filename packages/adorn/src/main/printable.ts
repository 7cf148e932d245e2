/** Control characters but tab and line feed, and characters that reorder text or take no room. */
const UNSAFE =
  /(?![\t\n])[\p{Cc}\u2028\u2029\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text for a terminal: without characters that command it, reverse its writing direction or hide in it. */
export function printable(text: string): string {
  return text.replace(UNSAFE, '');
}
