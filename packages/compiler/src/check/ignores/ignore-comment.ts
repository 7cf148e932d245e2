/** `adorn-ignore generic-name, long-enum: the protocol calls it so`, as it stands in a comment. */
export interface IgnoreComment {
  readonly rules: readonly string[];
  /** Why; empty where nothing is said. */
  readonly reason: string;
  /** Where it begins in the file. */
  readonly position: number;
}

const MARK = 'adorn-ignore';

/** A mark begins its line of the comment; in a doc comment it is a tag, so that it is no part of a description. */
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
