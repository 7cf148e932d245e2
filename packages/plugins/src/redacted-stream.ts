import type { ModelResponse, Part } from '@adorn/core';

/** How a streamed answer is redacted. */
export interface StreamRedaction {
  /** With the flag `g`. */
  readonly patterns: readonly RegExp[];
  readonly replacement: string;
  readonly maxMatchLength: number;
}

/** Redacts a streamed answer. Holds text back so that no match is split between pieces. */
export class RedactedStream {
  private readonly text: HeldText;
  private readonly thought: HeldText;

  constructor(redaction: StreamRedaction) {
    this.text = new HeldText(redaction);
    this.thought = new HeldText(redaction);
  }

  /** The piece with the text that can be shown now; false if there is none. */
  release(piece: ModelResponse): ModelResponse | false {
    const parts: Part[] = [];
    for (const part of piece.content?.parts ?? []) {
      const { text, ...others } = part;
      if (text === undefined) {
        parts.push(part);
        continue;
      }
      const released = (part.thought === true ? this.thought : this.text).add(text);
      if (released !== '') parts.push({ ...others, text: released });
    }
    return parts.length > 0 && { ...piece, content: { ...piece.content, parts } };
  }
}

/** A growing text of which a first part was shown. */
class HeldText {
  private whole = '';
  private shown = 0;

  constructor(private readonly redaction: StreamRedaction) {}

  /** Adds a text, and returns what can be shown now. Holds one more character back, for `\b` after a match. */
  add(text: string): string {
    this.whole += text;
    const { shown, whole } = this;
    const ranges = this.matches();
    let end = whole.length - this.redaction.maxMatchLength - 1;
    for (const { start, stop } of ranges) if (start < end && stop > end) end = start;
    if (end <= shown) return '';
    this.shown = end;
    return redactedSlice(whole, { start: shown, stop: end }, ranges, this.redaction.replacement);
  }

  /** The matches in the text that was not shown yet, in order. Patterns can look behind into the shown text. */
  private matches(): Range[] {
    const ranges: Range[] = [];
    for (const pattern of this.redaction.patterns) {
      pattern.lastIndex = this.shown;
      for (let match = pattern.exec(this.whole); match !== null; match = pattern.exec(this.whole)) {
        if (match[0] === '') pattern.lastIndex++;
        else ranges.push({ start: match.index, stop: match.index + match[0].length });
      }
    }
    return joined(ranges.sort((a, b) => a.start - b.start));
  }
}

interface Range {
  readonly start: number;
  readonly stop: number;
}

/** Joins overlapping ranges. */
function joined(ranges: readonly Range[]): Range[] {
  const whole: Range[] = [];
  for (const range of ranges) {
    const last = whole.at(-1);
    if (!last || range.start >= last.stop) whole.push(range);
    else whole[whole.length - 1] = { start: last.start, stop: Math.max(last.stop, range.stop) };
  }
  return whole;
}

function redactedSlice(
  text: string,
  { start, stop }: Range,
  ranges: readonly Range[],
  replacement: string,
): string {
  let slice = '';
  let from = start;
  for (const range of ranges) {
    if (range.stop > stop) break;
    slice += text.slice(from, range.start) + replacement;
    from = range.stop;
  }
  return slice + text.slice(from, stop);
}
