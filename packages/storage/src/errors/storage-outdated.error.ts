import { AdornError } from '@adorn/core';

/** The tables are those of an earlier Adorn, and this process may not change them. */
export class StorageOutdatedError extends AdornError {
  readonly code = 'STORAGE_OUTDATED';

  /** @param due the names of the steps that are missing */
  constructor(
    database: string,
    readonly due: readonly string[],
  ) {
    super(
      `The database ${database} lacks ${due.join(', ')}, and \`migrate: false\` leaves it as it is. ` +
        'Run "adorn migrate", or leave the option out.',
    );
  }
}
