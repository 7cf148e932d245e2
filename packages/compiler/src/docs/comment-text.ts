import { ts } from '../typescript.js';

/** The text of a declaration's doc comment; undefined if it has none. */
export function commentText(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text;
  const found = commentBefore(node, text) ?? commentAfter(node, text);
  return found && text.slice(found.pos + 3, found.end - 2);
}

/** Before the declaration, before its name where decorators come first, or on its line after another token. */
function commentBefore(node: ts.Node, text: string): ts.CommentRange | undefined {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  for (const position of [node.pos, ...[...decorators, ...modifiers].map((part) => part.end)]) {
    const above = lastDoc(ts.getLeadingCommentRanges(text, position), text);
    if (above !== undefined) return above;
    const beside = lastDoc(ts.getTrailingCommentRanges(text, position), text);
    if (beside !== undefined && !/^\s*?\n/.test(text.slice(beside.end))) return beside;
  }
  return undefined;
}

/** After the declaration, on the same line, with nothing else behind it. */
function commentAfter(node: ts.Node, text: string): ts.CommentRange | undefined {
  const separator = /^[ \t]*[;,]/.exec(text.slice(node.end))?.[0].length ?? 0;
  const after = lastDoc(ts.getTrailingCommentRanges(text, node.end + separator), text);
  return after !== undefined && /^[ \t]*(\r?\n|\}|$)/.test(text.slice(after.end)) ? after : undefined;
}

function lastDoc(ranges: readonly ts.CommentRange[] | undefined, text: string): ts.CommentRange | undefined {
  return ranges?.findLast(({ pos, end }) => text.startsWith('/**', pos) && end - pos > 4);
}
