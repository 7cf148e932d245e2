/** Control characters but tab and line feed, and characters that reorder text or take no room. */
const UNSAFE =
  /(?![\t\n])[\p{Cc}\u2028\u2029\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Everything that a reader cannot tell from nothing or from a space, besides the space itself. */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text for a terminal: without characters that command it, reverse its writing direction or hide in it. */
export function printable(text: string): string {
  return text.replace(UNSAFE, '');
}

/** Text that is shown exactly: what would not be seen is written as an escape, such as `\u200b`. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
