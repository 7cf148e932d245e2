/**
 * A user's text, from which each value can be taken only once. What is taken leaves a gap, over which no pattern matches;
 * the rest only ever becomes shorter, so taking comes to an end whatever is said and asked for.
 */
export class SaidText {
  private pieces: readonly string[];

  constructor(text: string) {
    this.pieces = [text];
  }

  /** The pieces that nobody has taken yet, in order. */
  get left(): readonly string[] {
    return this.pieces;
  }

  /** Takes the first match that is not empty; of a pattern with a group `taken`, only the group. */
  take(pattern: RegExp): string | undefined {
    const indexed = new RegExp(pattern.source, `${pattern.flags.replace(/[dgy]/g, '')}d`);
    for (const [place, piece] of this.pieces.entries()) {
      const match = indexed.exec(piece);
      const [start, end] = match?.indices?.groups?.['taken'] ?? match?.indices?.[0] ?? [0, 0];
      if (start === end) continue;
      const rest = [piece.slice(0, start), piece.slice(end)].filter((text) => text !== '');
      this.pieces = [...this.pieces.slice(0, place), ...rest, ...this.pieces.slice(place + 1)];
      return piece.slice(start, end);
    }
    return undefined;
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
