import { AdornError } from '@adorn/core';

/** The database was migrated by a newer version of Adorn. */
export class StorageNewerError extends AdornError {
  readonly code = 'STORAGE_NEWER';

  constructor(database: string, found: number, known: number) {
    super(
      `The database ${database} has version ${String(found)}, but this @adorn/storage only supports versions up to ${String(known)}. ` +
        'Nothing was changed. Update @adorn/storage, or use another database.',
    );
  }
}

/** The bytes of an artifact are missing, or differ from the bytes that were saved. */
export class ContentDamagedError extends AdornError {
  readonly code = 'ARTIFACT_DAMAGED';

  /** @param problem what is wrong, as the end of "The content … of <place>" */
  constructor(place: string, address: string, problem: string) {
    super(
      `The content ${address} of ${place} ${problem}. It was not changed. ` +
        'Restore it from a backup, or save the artifact again under another name.',
    );
  }
}

/** The folder or bucket with the bytes of artifacts is unavailable. The next call tries again. */
export class ContentUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: Error) {
    super(
      `The content of artifacts at ${place} is unavailable: ${cause.message}. ` +
        'No version was added. Check that it exists and can be accessed; the next call tries again.',
      { cause },
    );
  }
}

/** A stored credential cannot be decrypted: its key is missing, or the row was changed. */
export class CredentialUnreadableError extends AdornError {
  readonly code = 'CREDENTIAL_UNREADABLE';

  /** @param problem why, as the end of "The credential … of user …" */
  constructor(key: string, userId: string, problem: string) {
    super(
      `The credential "${key}" of user "${userId}" ${problem}. ` +
        'Add the key it was encrypted with to the old keys, or delete the credential and ask the user again.',
    );
  }
}

/** An event or a state update is larger than the store accepts. */
export class EventTooLargeError extends AdornError {
  readonly code = 'EVENT_TOO_LARGE';

  /** @param what the event with its id, or the state update */
  constructor(what: string, found: number, limit: number) {
    super(
      `${what} has ${String(found)} bytes; the limit is ${String(limit)}. Nothing was written. ` +
        'Save large data as an artifact, or raise maxEventBytes.',
    );
  }
}

/** The file is not a SQLite database, or is damaged. */
export class NotADatabaseError extends AdornError {
  readonly code = 'STORAGE_NOT_A_DATABASE';

  constructor(database: string, cause: Error) {
    super(
      `${database} is not a readable SQLite database: ${cause.message}. ` +
        'It was not changed. Use another file, or restore a backup.',
      { cause },
    );
  }
}

/** The S3 client is not installed. */
export class S3ClientMissingError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: unknown) {
    super(
      `Storing artifacts at ${place} needs the package @aws-sdk/client-s3, which is not installed. ` +
        'Run `npm install @aws-sdk/client-s3`, or store the content in files.',
      { cause },
    );
  }
}

/** Too many runs wait to begin. */
export class ServerBusyError extends AdornError {
  readonly code = 'SERVER_BUSY';

  /** @param waiting how many runs wait */
  constructor(waiting: number) {
    super(
      `${waiting.toLocaleString('en')} runs wait for the database before they begin. Nothing was stored. ` +
        'Try again later, or raise maxWaitingRuns or poolSize; active runs are not affected.',
    );
  }
}

/** The database was closed by its runner or by `database.close()`. It cannot be reopened. */
export class StorageClosedError extends AdornError {
  readonly code = 'STORAGE_CLOSED';

  /** @param database the file or host, without a password */
  constructor(database: string) {
    super(
      `The database ${database} is closed; nothing was read or written. ` +
        'Close a runner after its last call, or create a new one.',
    );
  }
}

/** The disk is full. */
export class StorageFullError extends AdornError {
  readonly code = 'STORAGE_FULL';

  constructor(place: string, cause: Error) {
    super(
      `No space left at ${place}: ${cause.message}. ` +
        'Nothing was written; stored data is intact. Free some space; the next call tries again.',
      { cause },
    );
  }
}

/** The URL of a database is not valid. */
export class StorageUrlInvalidError extends AdornError {
  readonly code = 'STORAGE_URL_INVALID';

  /** @param found what was found; never the whole URL, which may contain a password */
  constructor(found: string) {
    super(
      `The database URL is not valid: found ${found}. ` +
        'Use a path or "file:app.db" for SQLite, or "postgres://user@host/database" for PostgreSQL.',
    );
  }
}

/** The key to encrypt credentials with is missing or not valid. */
export class EncryptionKeyInvalidError extends AdornError {
  readonly code = 'ENCRYPTION_KEY_INVALID';

  /** @param problem a sentence without its period; never the key */
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `${problem}. Nothing was written. Generate a key with \`openssl rand -base64 32\` and set ` +
        'ADORN_ENCRYPTION_KEY, or write it to a key file.',
      options,
    );
  }
}

/** An option of a database has an invalid value. */
export class StorageOptionInvalidError extends AdornError {
  readonly code = 'STORAGE_OPTION_INVALID';

  /** @param range the smallest and largest valid value */
  constructor(option: string, found: unknown, range: { readonly least: number; readonly most: number }) {
    const shown = typeof found === 'number' ? String(found) : `of type ${typeof found}`;
    super(
      `The database option ${option} is ${shown}. ` +
        `Pass an integer from ${String(range.least)} to ${range.most.toLocaleString('en')}, or omit it.`,
    );
  }
}

/** The database has pending migrations, and `migrate` is false. */
export class StorageOutdatedError extends AdornError {
  readonly code = 'STORAGE_OUTDATED';

  /** @param due the names of the pending migrations */
  constructor(
    database: string,
    readonly due: readonly string[],
  ) {
    super(
      `The database ${database} has pending migrations: ${due.join(', ')}. \`migrate: false\` prevents them. ` +
        'Run "adorn migrate", or remove the option.',
    );
  }
}

/**
 * The database is unreachable, or the connection was lost. The next call tries again. Each write in progress was
 * applied completely or not at all.
 */
export class StorageUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  /**
   * @param database the file or host, without a password
   * @param cure what is wrong and what to do, where it is known
   */
  constructor(database: string, cause: Error, cure = 'Check that it exists and can be opened.') {
    super(`The database ${database} is unavailable: ${cause.message}. ${cure} The next call tries again.`, {
      cause,
    });
  }
}

/** A row does not contain the JSON that Adorn wrote: the file is damaged, or the row was edited. */
export class StorageRowDamagedError extends AdornError {
  readonly code = 'STORAGE_ROW_DAMAGED';

  /** @param row its key, such as `session_no 3, seq 7` */
  constructor(
    readonly table: string,
    readonly row: string,
    cause?: Error,
  ) {
    super(
      `The row ${row} of the table ${table} does not contain valid JSON. ` +
        'Restore it from a backup, or delete it or its session; other sessions are not affected.',
      { cause },
    );
  }
}
