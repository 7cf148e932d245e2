import { AdornError } from '@adorn/core';

/** An option of `workspace` or of one of its stores does not exist or has an invalid value, or its folder cannot be used. */
export class WorkspaceOptionError extends AdornError {
  readonly code = 'WORKSPACE_OPTION_INVALID';

  constructor(fault: string, cure: string) {
    super(`workspace: ${fault}. ${cure}`);
  }
}

/** What a store refuses about one file. The message names the file by its path in the workspace, and may be shown to a model. */
export abstract class FileError extends AdornError {}

/** A path leads out of the workspace, or cannot be the path of a file. */
export class FilePathError extends FileError {
  readonly code = 'FILE_PATH_INVALID';

  /** @param fault why, as the end of "The path … " */
  constructor(path: string, fault: string, cure: string) {
    super(`The path ${shownPath(path)} ${fault}. ${cure}`);
  }
}

/** Somebody else has created, changed or deleted a file since it was read. Nothing was written. */
export class FileConflictError extends FileError {
  readonly code = 'FILE_CONFLICT';

  /** @param fault what has happened, as the end of "The file … " */
  constructor(
    readonly path: string,
    fault: string,
  ) {
    super(`The file ${shownPath(path)} ${fault}. Nothing was written. Read it again first.`);
  }
}

/** A file cannot be read or written: it is too large, no regular file, or the store fails. */
export class FileUnavailableError extends FileError {
  readonly code = 'FILE_UNAVAILABLE';

  /** @param fault why, as the end of "The file … " */
  constructor(path: string, fault: string, options?: ErrorOptions) {
    super(`The file ${shownPath(path)} ${fault}.`, options);
  }
}

/** A path in quotes, without control characters, at most 200 characters of it. */
export function shownPath(path: string): string {
  return JSON.stringify(path.length <= 200 ? path : `${path.slice(0, 200)}…`);
}
