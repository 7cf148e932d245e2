/** The roles of output; the palette defines how each looks. */
export type Tone = 'answer' | 'call' | 'result' | 'failure' | 'warning' | 'question' | 'title' | 'note';

/** Paints a text for its tone. */
export type Palette = (tone: Tone, text: string) => string;

const CODES: Readonly<Record<Tone, readonly [open: number, close: number] | undefined>> = {
  answer: undefined,
  call: [36, 39],
  result: [32, 39],
  failure: [31, 39],
  warning: [33, 39],
  question: [33, 39],
  title: [1, 22],
  note: [2, 22],
};

/** The stream that a report is written to, such as `process.stdout`. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Colours for a terminal; plain text for anything else. `NO_COLOR` turns them off, and `FORCE_COLOR` on, also for a file or a
 * pipe, or off if it is `0` or `false`.
 */
export function paletteFor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Palette {
  return isColoured(stream, env) ? paint : (_, text) => text;
}

function isColoured({ isTTY = false }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { NO_COLOR: off = '', FORCE_COLOR: forced, TERM: terminal } = env;
  if (off !== '' || forced === '0' || forced === 'false') return false;
  return forced !== undefined || (isTTY && terminal !== 'dumb');
}

function paint(tone: Tone, text: string): string {
  const code = CODES[tone];
  return code ? `\u001b[${String(code[0])}m${text}\u001b[${String(code[1])}m` : text;
}

/** A line of output, not yet painted. */
export interface Line {
  readonly tone: Tone;
  readonly text: string;
}
