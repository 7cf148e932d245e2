import { createHash } from 'node:crypto';

/** A file of a listing. */
export interface ListedFile {
  /** From the root of the workspace, joined by `/`. */
  readonly path: string;
  readonly bytes: number;
}

/** The content of a file as it was at one moment. */
export interface StoredFile {
  /** As the store has it: it may differ from the path that was asked for in the form of its accents. */
  readonly path: string;
  readonly data: Uint8Array;
  /** Names this content: it changes with it. See `versionOf`. */
  readonly version: string;
}

/** What a write counts on. */
export interface WriteCondition {
  /** The version that is replaced; undefined if no file may exist. */
  readonly replaces: string | undefined;
}

/**
 * Where the files of a workspace are. Each write names the version that it replaces, and the store compares and writes in one step: of
 * two writers that read the same version, in one process or two, one gets a `FileConflictError`. Paths are checked by `checkedPath`.
 * Every implementation passes `describeWorkspaceStore` of `@adorn/workspace/contract`.
 */
export abstract class WorkspaceStore {
  /**
   * The files in a folder and below it, each time in the same order. What is ignored, and what is no regular file, is not there.
   *
   * @param folder default: the root. A folder that does not exist has no files
   * @throws {FilePathError}
   */
  abstract list(folder?: string): AsyncIterable<ListedFile>;

  /**
   * Reads a file.
   *
   * @returns undefined if there is none
   * @throws {FilePathError} if the path is none, or is ignored
   * @throws {FileUnavailableError} if it is too large, or no regular file
   */
  abstract read(path: string): Promise<StoredFile | undefined>;

  /**
   * Writes a file as a whole, with its folders. A reader sees the old content or the new one.
   *
   * @returns its new version
   * @throws {FileConflictError} if the file is not as the condition says; nothing was written
   * @throws {FilePathError | FileUnavailableError}
   */
  abstract write(path: string, data: Uint8Array, condition: WriteCondition): Promise<string>;

  /**
   * Deletes a file.
   *
   * @throws {FileConflictError} if it has another version, or does not exist; nothing was deleted
   * @throws {FilePathError | FileUnavailableError}
   */
  abstract delete(path: string, version: string): Promise<void>;
}

/** The version of a content: 96 bits of its SHA-256, as base64url. */
export function versionOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, 16);
}

/** The largest file that stores read and write unless their options say another size, in bytes. */
export const DEFAULT_MOST_BYTES = 4 * 1024 * 1024;
