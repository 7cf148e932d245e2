import { AdornError } from '@adorn/core';

/** A row does not hold the JSON that Adorn wrote there: the file was damaged, or the row was changed by hand. */
export class StorageRowDamagedError extends AdornError {
  readonly code = 'STORAGE_ROW_DAMAGED';

  /** @param row its key, such as `session_no 3, seq 7` */
  constructor(
    readonly table: string,
    readonly row: string,
    cause?: Error,
  ) {
    super(
      `The row with ${row} of the table ${table} does not hold the JSON that was written there. ` +
        'Restore it from a backup, or delete it or its session; other sessions are not affected.',
      { cause },
    );
  }
}
