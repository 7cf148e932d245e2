/** A user's text, from which each value can be taken only once. */
export class SaidText {
  constructor(private rest: string) {}

  /** What nobody has taken yet; what was taken is a gap. */
  get left(): string {
    return this.rest;
  }

  /** Takes the first match; of a pattern with a group, only the group. */
  take(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.rest);
    if (match === null) return undefined;
    const taken = match[1] ?? match[0];
    const start = match.index + match[0].lastIndexOf(taken);
    this.rest = `${this.rest.slice(0, start)} ¦ ${this.rest.slice(start + taken.length)}`;
    return taken;
  }

  takeAll(pattern: RegExp): string[] {
    const all: string[] = [];
    for (let one = this.take(pattern); one !== undefined; one = this.take(pattern)) all.push(one);
    return all;
  }
}

/** The source of a regular expression that matches the text literally. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
