import { AdornError } from '@adorn/core';

/** The database was migrated by a later version of Adorn. */
export class StorageNewerError extends AdornError {
  readonly code = 'STORAGE_NEWER';

  constructor(database: string, found: number, known: number) {
    super(
      `The database ${database} is of version ${String(found)}, and this Adorn knows versions up to ${String(known)}. ` +
        'Nothing was changed. Update @adorn/storage, or name another database.',
    );
  }
}
