/** A piece of a doc comment, as TypeDoc has it: words, code or a link. */
export interface CommentPart {
  readonly kind: string;
  readonly text: string;
}

const WORD = 'Default: ';

/**
 * Takes the default out of a description of an option.
 *
 * @returns the description without the sentence "Default: …", and the default without its full stop; undefined if none is stated
 * @example
 * // "How many of them. Default: 3." is "How many of them." and "3".
 */
export function takeDefault(
  parts: readonly CommentPart[],
): { readonly rest: readonly CommentPart[]; readonly stated: readonly CommentPart[] } | undefined {
  const at = parts.findIndex(({ kind, text }) => kind === 'text' && text.includes(WORD));
  const first = parts[at];
  if (first === undefined) return undefined;
  const [before = '', ...behind] = first.text.split(WORD);
  const following = [{ ...first, text: behind.join(WORD) }, ...parts.slice(at + 1)];
  const end = following.findIndex(({ kind, text }) => kind === 'text' && /\.(\s|$)/.test(text));
  if (end === -1) return undefined;
  const last = following[end] ?? first;
  const stop = last.text.search(/\.(\s|$)/);
  const cut = (text: string): CommentPart[] => (text.trim() === '' ? [] : [{ ...last, text }]);
  return {
    rest: [
      ...parts.slice(0, at),
      ...cut(before.trimEnd() + (last.text.slice(stop + 1).trim() === '' ? '' : ' ')),
      ...cut(last.text.slice(stop + 1).trimStart()),
      ...following.slice(end + 1),
    ],
    stated: [...following.slice(0, end), ...cut(last.text.slice(0, stop))],
  };
}
