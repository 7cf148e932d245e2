/**
 * The text of comment lines: the lines of a paragraph become one, paragraphs stay apart, and lists and fenced
 * code keep their lines.
 */
export function flow(lines: readonly string[]): string {
  let text = '';
  let fenced = false;
  let glue = '';
  for (const line of lines) {
    const fence = line.trimStart().startsWith('```');
    const words = fenced && !fence ? line : isListItem(line.trim()) ? line.trimEnd() : line.trim();
    if (words === '' && !fenced) {
      glue = text === '' ? '' : '\n\n';
      continue;
    }
    const apart = fenced || fence || isListItem(words.trimStart());
    text += (apart && glue === ' ' ? '\n' : glue) + words;
    fenced = fence ? !fenced : fenced;
    glue = fenced || fence ? '\n' : ' ';
  }
  return withoutLinks(text);
}

/** An item of a list, a heading or a row of a table. */
function isListItem(line: string): boolean {
  return /^(([-*+]|\d+[.)]|#{1,6})\s|\|)/.test(line);
}

/** `{@link Order | the order}` is "the order", `{@link Order}` is "Order". */
function withoutLinks(text: string): string {
  return text.replace(/\{@\w+\s+([^}|\s]+)\s*\|?\s*([^}]*)\}/g, (_, target: string, label: string) =>
    label.trim() === '' ? target : label.trim(),
  );
}
