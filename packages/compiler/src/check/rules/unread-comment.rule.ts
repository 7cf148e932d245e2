import { commentText } from '../../docs/comment-text.js';
import { ts } from '../../typescript.js';
import type { Finding, Rule } from './rule.js';

export const unreadComment: Rule = {
  name: 'unread-comment',
  severity: 'warning',
  about: 'a comment before a tool that is not told to the model: a block comment, or a second doc comment',
  ofTool({ origin, callable }) {
    const node = callable?.node;
    return node === undefined ? [] : findingsOf(node, origin);
  },
};

function findingsOf(node: ts.SignatureDeclaration, origin: string): Finding[] {
  const { text } = node.getSourceFile();
  const comments = commentsBefore(node, text);
  const docs = comments.filter(({ pos }) => isDoc(text, pos));
  if (docs.length > 1) {
    const message = `${origin} has ${String(docs.length)} doc comments, and only one of them is read.`;
    return [{ node, message, cure: 'Make them one.' }];
  }
  if (commentText(node) !== undefined || !comments.some(({ pos }) => text.startsWith('/*', pos))) return [];
  const message = `The comment before ${origin} begins with "/*", so it is no doc comment and the model is not told it.`;
  return [{ node, message, cure: 'Begin it with "/**".' }];
}

/** The comments directly before a declaration, without an empty line, before or after its decorators. */
function commentsBefore(node: ts.SignatureDeclaration, text: string): readonly ts.CommentRange[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return [node.pos, ...decorators.map(({ end }) => end)].flatMap((position) => {
    const found = ts.getLeadingCommentRanges(text, position) ?? [];
    const last = found.findLastIndex(({ end }) => /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end)));
    return found.slice(last + 1);
  });
}

function isDoc(text: string, position: number): boolean {
  return text.startsWith('/**', position) && !text.startsWith('/**/', position);
}
