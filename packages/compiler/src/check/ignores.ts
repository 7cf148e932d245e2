import { ts } from '../typescript.js';
import type { Finding, Rule } from './rules/rule.js';

/** An ignore and its declaration: findings in that declaration are silenced. */
interface Ignore extends IgnoreComment {
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

/** The innermost declaration whose name follows the comment. */
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
interface IgnoreComment {
  readonly rules: readonly string[];
  /** The reason; empty if none is given. */
  readonly reason: string;
  /** The offset in the file. */
  readonly position: number;
}

const MARK = 'adorn-ignore';

/**
 * The ignore starts its line of the comment; in a doc comment it is a tag, and not part of the description.
 */
const IGNORE = /(?:^|\n|\/\*\*?|\/\/|[ \t]@)[ \t*]*@?adorn-ignore\b[ \t]*([^:\n]*)(?::([^\n]*))?/g;

function mentionsIgnore(text: string): boolean {
  return text.includes(MARK);
}

/** The marks in one comment. In a doc comment only a tag, `@adorn-ignore`, is one. */
function ignoresIn(comment: string, start: number): IgnoreComment[] {
  const isDoc = comment.startsWith('/**');
  return [...comment.matchAll(IGNORE)]
    .filter(([whole]) => !isDoc || whole.includes(`@${MARK}`))
    .map((found) => ({
      rules: (found[1] ?? '').split(/[\s,]+/).filter((name) => /\w/.test(name)),
      reason: (found[2] ?? '').replace(/\*\/\s*$/, '').trim(),
      position: start + found.index + found[0].indexOf(MARK),
    }));
}

/** A finding with the name of its rule. */
export interface RuledFinding extends Finding {
  readonly rule: string;
}

interface Silenced {
  /** The findings that no ignore silences. */
  readonly open: readonly RuledFinding[];
  readonly silenced: number;
  /** The findings about the ignores themselves. */
  readonly misused: readonly Misused[];
}

export interface Misused {
  readonly ignore: Ignore;
  readonly message: string;
  readonly cure: string;
}

/** Removes the findings that an ignore with a reason names, and reports ignores without effect. */
export function silence(
  findings: readonly RuledFinding[],
  ignores: readonly Ignore[],
  rules: ReadonlySet<string>,
): Silenced {
  const used = new Set<string>();
  const open = findings.filter((finding) => {
    const speaking = ignores.filter((ignore) => ignore.reason !== '' && speaksOf(ignore, finding));
    for (const ignore of speaking) used.add(useOf(ignore, finding.rule));
    return speaking.length === 0;
  });
  const misused = ignores.flatMap((ignore) => misuses(ignore, used, rules));
  return { open, silenced: findings.length - open.length, misused };
}

function speaksOf({ rules, target }: Ignore, { rule, node }: Finding & { readonly rule: string }): boolean {
  return (
    rules.includes(rule) &&
    ts.findAncestor(node, (one) => one === target) !== undefined &&
    !ts.isSourceFile(target)
  );
}

function useOf({ target, position }: Ignore, rule: string): string {
  return `${target.getSourceFile().fileName} ${String(position)} ${rule}`;
}

function misuses(ignore: Ignore, used: ReadonlySet<string>, rules: ReadonlySet<string>): Misused[] {
  if (ignore.rules.length === 0)
    return [{ ignore, message: 'adorn-ignore names no rule.', cure: `Write "adorn-ignore <rule>: <why>".` }];
  if (ignore.reason === '')
    return [
      {
        ignore,
        message: 'adorn-ignore gives no reason, so it silences nothing.',
        cure: 'Write why after a colon.',
      },
    ];
  return ignore.rules.flatMap((rule) => {
    if (!rules.has(rule))
      return [{ ignore, message: `There is no rule ${rule}.`, cure: '"adorn check --rules" lists them.' }];
    if (used.has(useOf(ignore, rule))) return [];
    return [{ ignore, message: `adorn-ignore ${rule} silences nothing.`, cure: 'Take it away.' }];
  });
}

/** Computed from the ignores of a file and the findings of all other rules. */
export const unusedIgnore: Rule = {
  name: 'unused-ignore',
  severity: 'warning',
  about: 'an adorn-ignore that gives no reason, names no rule there is, or silences nothing',
};
