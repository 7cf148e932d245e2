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

/** The bytes of an artifact are not there any more, or are not the ones that were saved. */
export class ContentDamagedError extends AdornError {
  readonly code = 'ARTIFACT_DAMAGED';

  /** @param problem what is wrong, as the end of "The content … of <place>" */
  constructor(place: string, address: string, problem: string) {
    super(
      `The content ${address} of ${place} ${problem}. It was left as it is. ` +
        'Restore it from a backup, or save the artifact anew under another name.',
    );
  }
}

/** The folder or the bucket that holds the bytes of artifacts cannot be used now. It is tried anew with the next call. */
export class ContentUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: Error) {
    super(
      `The content of artifacts at ${place} cannot be reached: ${cause.message}. ` +
        'No version was added. Check that it is there and may be used; the next call tries again by itself.',
      { cause },
    );
  }
}

/** A stored credential cannot be decrypted: its key is not at hand, or it is not what was stored there. */
export class CredentialUnreadableError extends AdornError {
  readonly code = 'CREDENTIAL_UNREADABLE';

  /** @param problem why, as the end of "The credential … of user …" */
  constructor(key: string, userId: string, problem: string) {
    super(
      `The credential "${key}" of user "${userId}" ${problem}. ` +
        'Give the key it was encrypted with among the old ones, or delete the credential and ask the user anew.',
    );
  }
}

/** An event, or a write to the state, is larger than the store takes. */
export class EventTooLargeError extends AdornError {
  readonly code = 'EVENT_TOO_LARGE';

  /** @param what the event with its id, or the write to the state */
  constructor(what: string, found: number, limit: number) {
    super(
      `${what} takes ${String(found)} bytes, and the store takes ${String(limit)} at the most. Nothing was written. ` +
        'Keep large data as an artifact, or raise maxEventBytes.',
    );
  }
}

/** The file at the path is not a SQLite database, or is a damaged one. */
export class NotADatabaseError extends AdornError {
  readonly code = 'STORAGE_NOT_A_DATABASE';

  constructor(database: string, cause: Error) {
    super(
      `${database} is not a database that can be read: ${cause.message}. ` +
        'It was left as it is. Name another file, or put a backup in its place.',
      { cause },
    );
  }
}

/** Content is to be kept in S3, and its client is not installed. */
export class S3ClientMissingError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: unknown) {
    super(
      `The content of artifacts at ${place} needs the package @aws-sdk/client-s3, which is not installed. ` +
        'Run `npm install @aws-sdk/client-s3`, or keep the content in files.',
      { cause },
    );
  }
}

/** The database was closed, by its runner or by `database.close()`. It is not opened again. */
export class StorageClosedError extends AdornError {
  readonly code = 'STORAGE_CLOSED';

  /** @param database its file, or its host; without a password */
  constructor(database: string) {
    super(
      `The database ${database} is closed, and nothing was read or written. ` +
        'Close a runner after its last call, or create a new one.',
    );
  }
}

/** There is no room left to write to. */
export class StorageFullError extends AdornError {
  readonly code = 'STORAGE_FULL';

  constructor(place: string, cause: Error) {
    super(
      `There is no room left at ${place}: ${cause.message}. ` +
        'Nothing was written, and what was stored before is whole. Make room; the next call tries again by itself.',
      { cause },
    );
  }
}

/** The text that should say where the database is says something else. */
export class StorageUrlInvalidError extends AdornError {
  readonly code = 'STORAGE_URL_INVALID';

  /** @param found what was there; never the whole URL, which may hold a password */
  constructor(found: string) {
    super(
      `The URL of a database was ${found}. ` +
        'Give a path or "file:app.db" for SQLite, or "postgres://user@host/database" for PostgreSQL.',
    );
  }
}

/** There is no key to encrypt credentials with, or what stands in its place is none. */
export class EncryptionKeyInvalidError extends AdornError {
  readonly code = 'ENCRYPTION_KEY_INVALID';

  /** @param problem a whole sentence without its full stop; never the key */
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `${problem}. Nothing was written. Make a key by \`openssl rand -base64 32\` and put it into ` +
        'ADORN_ENCRYPTION_KEY, or into a key file.',
      options,
    );
  }
}

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

/**
 * The database could not be reached, or went away before it answered. It is tried anew with the next call. What was
 * under way when it went is either written whole or not at all.
 */
export class StorageUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  /** @param database its file, or its host; without a password */
  constructor(database: string, cause: Error) {
    super(
      `The database ${database} did not answer: ${cause.message}. ` +
        'Check that it is there and may be opened; the next call tries again by itself.',
      { cause },
    );
  }
}

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
