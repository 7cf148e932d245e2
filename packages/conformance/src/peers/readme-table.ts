/** A row of the README's table: what was tried, and what came of it with Adorn and with each kit. */
export interface TableRow {
  readonly what: string;
  readonly cells: readonly string[];
  /** How far a number may be from the one that is stated, as a share of it. Default: 0. */
  readonly tolerance?: number;
}

/** The row as Markdown. */
export function markdownOf({ what, cells }: TableRow): string {
  return `| ${[what, ...cells].join(' | ')} |`;
}

/** What a page says otherwise than a row that was measured; undefined where they agree. */
export function differenceFrom(page: string, row: TableRow): string | undefined {
  const stated = page
    .split('\n')
    .map(cellsOf)
    .find(([what]) => what === row.what);
  if (stated === undefined) return `the README has no row "${row.what}"; it would be: ${markdownOf(row)}`;
  const cells = stated.slice(1, row.cells.length + 1);
  const isSame = row.cells.every((cell, index) => agrees(cell, cells[index] ?? '', row.tolerance ?? 0));
  return isSame ? undefined : `the README states ${cells.join(' | ')}; measured: ${row.cells.join(' | ')}`;
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Whether two texts are the same but for their numbers, and these are near enough. */
function agrees(measured: string, stated: string, tolerance: number): boolean {
  const words = (text: string): string => text.replace(/[\d,.]+/g, '#');
  const numbers = (text: string): number[] =>
    (text.match(/\d[\d,.]*/g) ?? []).map((number) => Number(number.replaceAll(',', '')));
  const expected = numbers(stated);
  return (
    words(measured) === words(stated) &&
    numbers(measured).every(
      (number, index) =>
        Math.abs(number - (expected[index] ?? Infinity)) <= tolerance * (expected[index] ?? 0),
    )
  );
}
