import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A row of a matrix of features, as `npm run conformance -- live-matrix` prints it. */
export interface MatrixRow {
  readonly table: string;
  readonly feature: string;
  /** The title of the specs that play the row: one for each way to hold a conversation. */
  readonly title: string;
  readonly kind: 'same' | 'refused' | 'different';
  /** The code with which a live session refuses the feature. */
  readonly code?: string;
  /** Where the difference is documented, below `packages`. */
  readonly page?: string;
}

/** Writes the rows of a spec into the folder that `ADORN_LIVE_MATRIX` names. Without the variable, nothing is written. */
export function recordMatrix(rows: readonly MatrixRow[]): void {
  const folder = process.env['ADORN_LIVE_MATRIX'];
  const { testPath = '' } = expect.getState();
  if (folder !== undefined) writeFileSync(join(folder, `${basename(testPath)}.json`), JSON.stringify(rows));
}
