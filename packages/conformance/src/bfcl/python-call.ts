/** A call as it is written in Python, of literals only. */
export interface PythonCall {
  readonly name: string;
  readonly positional: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

const TOKENS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\S/gs;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/**
 * Reads `name(1, key='value')`.
 *
 * @throws SyntaxError for anything else
 */
export function parsePythonCall(text: string): PythonCall {
  const reader = new PythonReader(text);
  return reader.call();
}

class PythonReader {
  private readonly tokens: string[];

  constructor(private readonly text: string) {
    this.tokens = text.match(TOKENS) ?? [];
  }

  call(): PythonCall {
    const name = this.next();
    const positional: unknown[] = [];
    const named: Record<string, unknown> = {};
    this.expect('(');
    this.until(')', () => {
      if (this.tokens[1] !== '=') return void positional.push(this.value());
      const key = this.next();
      this.expect('=');
      named[key] = this.value();
    });
    if (this.tokens.length > 0) throw this.unread(this.next());
    return { name, positional, named };
  }

  private value(): unknown {
    const token = this.next();
    if (token === '[') return this.list(']');
    if (token === '(') return this.list(')');
    if (token === '{') return this.dictionary();
    if (/^['"]/.test(token)) return unquoted(token);
    if (WORDS.has(token)) return WORDS.get(token);
    if (!/^-?\d/.test(token)) throw this.unread(token);
    return Number(token);
  }

  private list(close: string): unknown[] {
    const values: unknown[] = [];
    this.until(close, () => values.push(this.value()));
    return values;
  }

  private dictionary(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    this.until('}', () => {
      const key = String(this.value());
      this.expect(':');
      fields[key] = this.value();
    });
    return fields;
  }

  /** Reads entries, parted by commas, to the closing bracket. */
  private until(close: string, entry: () => void): void {
    while (this.tokens[0] !== close) {
      entry();
      if (this.tokens[0] !== close) this.expect(',');
    }
    this.expect(close);
  }

  private expect(token: string): void {
    const found = this.next();
    if (found !== token) throw this.unread(found);
  }

  private next(): string {
    const token = this.tokens.shift();
    if (token === undefined) throw this.unread('the end');
    return token;
  }

  private unread(token: string): SyntaxError {
    return new SyntaxError(`${token} cannot be read in ${this.text}`);
  }
}

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/gs, (_all, escaped: string) => ESCAPES[escaped] ?? escaped);
}
