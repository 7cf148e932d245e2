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

/** Colours for a terminal; plain text for anything else, and where `NO_COLOR` is set. */
export function paletteFor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Palette {
  const isPlain = stream.isTTY !== true || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return isPlain ? (_, text) => text : paint;
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
