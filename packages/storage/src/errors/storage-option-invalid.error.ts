import { AdornError } from '@adorn/core';

/** An option of a database has a value that it cannot take. */
export class StorageOptionInvalidError extends AdornError {
  readonly code = 'STORAGE_OPTION_INVALID';

  /** @param range the least and the most that it may be */
  constructor(option: string, found: unknown, range: { readonly least: number; readonly most: number }) {
    const shown = typeof found === 'number' ? String(found) : `of type ${typeof found}`;
    super(
      `The database's option ${option} is ${shown}. ` +
        `Give a whole number from ${String(range.least)} to ${range.most.toLocaleString('en')}, or leave it out.`,
    );
  }
}
