const COLUMNS = 100;
const LINE = 19;
const MARGIN = 20;
/** The width of a character of the 13 px font, at most. */
const CHARACTER = 7.9;

/** Classes of the picture by the codes that switch them on. */
const CLASSES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'faint',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};
/** Codes that switch a colour, or bold and faint, off. */
const OFF: ReadonlySet<string> = new Set(['22', '39']);
// eslint-disable-next-line no-control-regex -- A terminal is commanded by this character.
const SWITCH = /\u001b\[(\d+)m/;

const STYLE = `<style>
  svg { --back: #fff; --edge: #d0d7de; --ink: #1f2328; --faint: #656d76; --red: #b3202c; --green: #116329; --yellow: #7d4e00; --cyan: #0a6b8c }
  @media (prefers-color-scheme: dark) { svg { --back: #1b1b1f; --edge: #3d444d; --ink: #e6edf3; --faint: #9198a1; --red: #ff7b72; --green: #56d364; --yellow: #e3b341; --cyan: #76d3f5 } }
  text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); white-space: pre }
  rect { fill: var(--back); stroke: var(--edge) } .bold { font-weight: bold } .faint { fill: var(--faint) }
  .red { fill: var(--red) } .green { fill: var(--green) } .yellow { fill: var(--yellow) } .cyan { fill: var(--cyan) }
</style>`;

/** A piece of a line in one colour. */
interface Piece {
  readonly text: string;
  /** Undefined for the colour of plain text. */
  readonly look: string | undefined;
}

/**
 * Draws what a terminal of 100 columns shows, in its colours. The same text is the same picture.
 *
 * @param title what the picture is about
 * @param output as it is written to a terminal
 * @throws {Error} for a command to the terminal that has no look here
 */
export function drawTerminal(title: string, output: string): string {
  const rows = output.trimEnd().split('\n').flatMap(rowsOf);
  const columns = Math.max(...rows.map((row) => lengthOf(row)));
  const width = String(Math.ceil(columns * CHARACTER + 2 * MARGIN));
  const height = String(rows.length * LINE + 2 * MARGIN - 6);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const frame = `<rect x=".5" y=".5" width="${String(Number(width) - 1)}" height="${String(Number(height) - 1)}" rx="8"/>`;
  const lines = rows.flatMap((row, index) => drawRow(row, MARGIN + 10 + index * LINE));
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n<title>${escaped(title)}</title>\n${STYLE}\n${frame}\n${lines.join('\n')}\n</svg>\n`;
}

/** A line of output as the rows that it takes, broken between words. */
function rowsOf(line: string): Piece[][] {
  const pieces = piecesOf(line);
  const rows: Piece[][] = [];
  let start = 0;
  for (const length of rowLengths(pieces.map(({ text }) => text).join(''))) {
    rows.push(slice(pieces, start, start + length));
    start += length;
  }
  return rows;
}

function rowLengths(text: string): number[] {
  if (text.length <= COLUMNS) return [text.length];
  const length = text.lastIndexOf(' ', COLUMNS - 1) + 1 || COLUMNS;
  return [length, ...rowLengths(text.slice(length))];
}

function slice(pieces: readonly Piece[], start: number, end: number): Piece[] {
  let at = 0;
  return pieces.flatMap(({ text, look }) => {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += text.length;
    return part === '' ? [] : [{ text: part, look }];
  });
}

function piecesOf(line: string): Piece[] {
  let look: string | undefined;
  return line.split(SWITCH).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [{ text: part, look }];
    if (!OFF.has(part) && CLASSES[part] === undefined) throw new Error(`The code ${part} has no look.`);
    look = CLASSES[part];
    return [];
  });
}

function lengthOf(row: readonly Piece[]): number {
  return row.reduce((sum, { text }) => sum + text.length, 0);
}

function drawRow(row: readonly Piece[], y: number): string[] {
  if (row.length === 0) return [];
  const spans = row.map(({ text, look }) =>
    look === undefined ? escaped(text) : `<tspan class="${look}">${escaped(text)}</tspan>`,
  );
  return [`<text x="${String(MARGIN)}" y="${String(y)}">${spans.join('')}</text>`];
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (found) => `&#${String(found.codePointAt(0))};`);
}
