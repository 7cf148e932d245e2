import { ts } from '../../typescript.js';
import { type IgnoreComment, ignoresIn, mentionsIgnore } from './ignore-comment.js';

/** An ignore with what it stands before: what is found there, or inside of that, is silenced. */
export interface Ignore extends IgnoreComment {
  /** The file itself where it stands before nothing that can be silenced. */
  readonly target: ts.Node;
}

/** The ignores in the comments of a file. */
export function ignoresOfFile(file: ts.SourceFile): Ignore[] {
  if (!mentionsIgnore(file.text)) return [];
  const found = new Map<number, Ignore>();
  for (const { pos, end } of commentsOf(file)) {
    for (const ignore of ignoresIn(file.text.slice(pos, end), pos))
      found.set(ignore.position, { ...ignore, target: targetOf(pos, file) });
  }
  return [...found.values()];
}

/** Comments belong to the token that follows them, and a few to the one before. */
function commentsOf(file: ts.SourceFile): ts.CommentRange[] {
  const comments: ts.CommentRange[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    if (children.length === 0) {
      comments.push(...(ts.getLeadingCommentRanges(file.text, node.pos) ?? []));
      comments.push(...(ts.getTrailingCommentRanges(file.text, node.pos) ?? []));
    } else children.forEach(visit);
  };
  visit(file);
  return comments;
}

/** The innermost declaration before whose name the comment stands. */
function targetOf(position: number, file: ts.SourceFile): ts.Node {
  let target: ts.Node = file;
  const visit = (node: ts.Node): void => {
    if (position < node.pos || position >= node.end) return;
    if (canBeSilenced(node) && position < headEnd(node)) target = node;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return target;
}

function canBeSilenced(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isClassElement(node) ||
    ts.isClassLike(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isVariableStatement(node)
  );
}

/** Where a declaration says its name, or where it begins if it has none. */
function headEnd(node: ts.NamedDeclaration): number {
  return (node.name ?? node).getStart();
}
