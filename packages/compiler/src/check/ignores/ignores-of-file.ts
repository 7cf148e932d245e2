import { ts } from '../../typescript.js';

/** An ignore and its declaration: findings in that declaration are silenced. */
export interface Ignore extends IgnoreComment {
  /** The file itself if the comment precedes no declaration. */
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

/** The location of a declaration's name, or its start if it has no name. */
function headEnd(node: ts.NamedDeclaration): number {
  return (node.name ?? node).getStart();
}

/** An ignore in a comment: `adorn-ignore generic-name, long-enum: the protocol calls it so`. */
export interface IgnoreComment {
  readonly rules: readonly string[];
  /** Why; empty where nothing is said. */
  readonly reason: string;
  /** Where it begins in the file. */
  readonly position: number;
}

const MARK = 'adorn-ignore';

/**
 * The ignore starts its line of the comment; in a doc comment it is a tag, and not part of the description.
 */
const IGNORE = /(?:^|\n|\/\*\*?|\/\/|[ \t]@)[ \t*]*@?adorn-ignore\b[ \t]*([^:\n]*)(?::([^\n]*))?/g;

export function mentionsIgnore(text: string): boolean {
  return text.includes(MARK);
}

/** The marks in one comment. In a doc comment only a tag, `@adorn-ignore`, is one. */
export function ignoresIn(comment: string, start: number): IgnoreComment[] {
  const isDoc = comment.startsWith('/**');
  return [...comment.matchAll(IGNORE)]
    .filter(([whole]) => !isDoc || whole.includes(`@${MARK}`))
    .map((found) => ({
      rules: (found[1] ?? '').split(/[\s,]+/).filter((name) => /\w/.test(name)),
      reason: (found[2] ?? '').replace(/\*\/\s*$/, '').trim(),
      position: start + found.index + found[0].indexOf(MARK),
    }));
}
