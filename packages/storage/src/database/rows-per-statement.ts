/** SQLite takes 32,766 parameters in one statement: enough for the columns of so many rows of any table. */
const ROWS = 1000;

/** Many rows, or keys of rows, in portions that fit into one statement each. */
export function* rowsPerStatement<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS);
}
