/** What a JSON text holds. */
export interface JsonSize {
  /** Keys, texts, numbers, words, objects and lists. */
  readonly values: number;
  /** Objects and lists within each other. */
  readonly levels: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const BRACKET = 91;
const BRACKET_END = 93;
const BRACE = 123;
const BRACE_END = 125;

/** Counts the values of a JSON text without making them: hundreds of thousands of keys take seconds to parse. */
export function jsonSize(text: string): JsonSize {
  let separators = 0;
  let level = 0;
  let levels = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === COMMA || code === COLON) separators++;
    else if (code === BRACE || code === BRACKET) {
      separators++;
      levels = Math.max(levels, ++level);
    } else if (code === BRACE_END || code === BRACKET_END) level--;
    at++;
  }
  return { values: separators + 1, levels };
}

/** The index of the quote that ends the text which begins at an index; the length if nothing ends it. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
