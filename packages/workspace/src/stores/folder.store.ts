import { constants, type Dirent, realpathSync, statSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describeThrown, optionFault, type OptionRules, shown, TEXTS, wholeFrom } from '@adorn/core/backend';

import {
  FileConflictError,
  FileError,
  FilePathError,
  FileUnavailableError,
  WorkspaceOptionError,
} from '../errors.js';
import { checkedFolder, checkedPath, confusableForm, sameForm } from '../paths/file-path.js';
import { codeOf, LockBusyError, underLock } from './folder-lock.js';
import { DEFAULT_IGNORED, IgnoredNames } from './ignored-names.js';
import {
  DEFAULT_MOST_BYTES,
  type ListedFile,
  type StoredFile,
  versionOf,
  WorkspaceStore,
  type WriteCondition,
} from './workspace-store.js';

/** The options of `folderFiles`. */
export interface FolderFilesOptions {
  /**
   * Names of files and folders that are not there for the workspace, wherever they lie; `*` stands for any characters. Replaces
   * the default: `['.git', 'node_modules']`.
   */
  readonly ignore?: readonly string[];
  /** The largest file that is read and written, in bytes. Default: 4 MiB. */
  readonly maxFileBytes?: number;
}

const RULES: OptionRules<FolderFilesOptions> = { ignore: TEXTS, maxFileBytes: wholeFrom(1) };

/**
 * The files of a folder on the disk, as the store of a workspace.
 *
 * @param folder its path, or a URL such as `new URL('../project', import.meta.url)`. It exists
 * @throws {WorkspaceOptionError} if an option is invalid, or there is no folder
 */
export function folderFiles(folder: string | URL, options: FolderFilesOptions = {}): WorkspaceStore {
  return new FolderStore(folder, options);
}

/**
 * A folder on the disk. Nothing in a path may be a link: what is read and written lies in the folder. A write is a draft beside the
 * files that is renamed, under a lock of the folder for all processes that write by this class.
 */
export class FolderStore extends WorkspaceStore {
  private readonly root: string;
  private readonly ignored: IgnoredNames;
  private readonly mostBytes: number;

  /** @throws {WorkspaceOptionError} */
  constructor(folder: string | URL, options: FolderFilesOptions = {}) {
    super();
    const found = optionFault(options, RULES);
    if (found) throw new WorkspaceOptionError(found.fault, found.cure);
    const { ignore = DEFAULT_IGNORED, maxFileBytes = DEFAULT_MOST_BYTES } = options;
    this.root = existingFolder(folder);
    this.ignored = new IgnoredNames(ignore);
    this.mostBytes = maxFileBytes;
  }

  async *list(folder = ''): AsyncGenerator<ListedFile> {
    const path = checkedFolder(folder);
    const found = path === '' ? { full: this.root, path } : await this.find(this.allowed(path));
    if (found && (await lstat(found.full)).isDirectory()) yield* this.walk(found.full, found.path);
  }

  private async *walk(full: string, path: string): AsyncGenerator<ListedFile> {
    const entries = await readdir(full, { withFileTypes: true }).catch(emptyIfGone<Dirent>);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!this.isShown(inner)) continue;
      const at = join(full, entry.name);
      if (entry.isDirectory()) yield* this.walk(at, inner);
      else if (entry.isFile()) {
        const facts = await factsOf(at);
        if (facts?.isFile() === true) yield { path: inner, bytes: facts.size };
      }
    }
  }

  async read(given: string): Promise<StoredFile | undefined> {
    const path = this.allowed(checkedPath(given));
    return this.attempted(path, 'read', async () => {
      const found = await this.find(path);
      return found && this.readFound(found);
    });
  }

  async write(given: string, data: Uint8Array, { replaces }: WriteCondition): Promise<string> {
    const path = this.allowed(checkedPath(given));
    if (data.byteLength > this.mostBytes) throw this.tooLarge(path, data.byteLength);
    await this.attempted(path, 'written', () =>
      underLock(this.root, data, async (draft) => {
        const found = await this.find(path);
        const before = found && (await this.readFound(found));
        requireVersion(path, before, replaces);
        if (before) await draft.publish(before.full, before.mode);
        else await draft.publish(await this.newPlace(path));
      }),
    );
    return versionOf(data);
  }

  async delete(given: string, version: string): Promise<void> {
    const path = this.allowed(checkedPath(given));
    await this.attempted(path, 'deleted', () =>
      underLock(this.root, new Uint8Array(), async (draft) => {
        const found = await this.find(path);
        const before = found && (await this.readFound(found));
        requireVersion(path, before, version);
        await draft.requireHeld();
        if (before) await unlink(before.full);
      }),
    );
  }

  /** @throws {FilePathError} */
  private allowed(path: string): string {
    if (!this.ignored.has(path)) return path;
    throw new FilePathError(path, 'is not part of the workspace', 'Leave it alone.');
  }

  private isShown(path: string): boolean {
    try {
      return !this.ignored.has(path) && checkedPath(path) === path;
    } catch (error) {
      if (error instanceof FilePathError) return false;
      throw error;
    }
  }

  /**
   * Finds what lies at a path, name by name. A name is also found in the other form of its accents.
   *
   * @throws {FilePathError} if there is a link on the way
   */
  private async find(path: string): Promise<FoundPlace | undefined> {
    let full = this.root;
    const names: string[] = [];
    for (const name of path.split('/')) {
      const actual = await nameIn(full, name);
      if (actual === undefined) return undefined;
      full = join(full, actual);
      names.push(actual);
      if ((await factsOf(full))?.isSymbolicLink() === true)
        throw new FilePathError(names.join('/'), 'is a link', 'The workspace follows no links.');
    }
    return { full, path: names.join('/') };
  }

  /** Reads what was found, if it is still there and not a link by now. */
  private async readFound({ full, path }: FoundPlace): Promise<FoundFile | undefined> {
    const facts = await factsOf(full);
    if (!facts) return undefined;
    if (!facts.isFile())
      throw new FileUnavailableError(path, facts.isDirectory() ? 'is a folder' : 'is no regular file');
    const file = await open(full, constants.O_RDONLY | NO_LINK | NO_WAIT);
    try {
      const { size, mode } = await regular(file, path);
      if (size > this.mostBytes) throw this.tooLarge(path, size);
      if (confusableForm(await realpath(full)) !== confusableForm(full))
        throw new FilePathError(path, 'is a link', 'The workspace follows no links.');
      const data = await file.readFile();
      return { full, path, data, version: versionOf(data), mode: mode & 0o777 };
    } finally {
      await file.close();
    }
  }

  /**
   * Where a new file is written, with its folders.
   *
   * @throws {FileConflictError} if there is a file or folder whose name differs only in case or accents
   */
  private async newPlace(path: string): Promise<string> {
    let full = this.root;
    const names = path.split('/');
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      const actual = await nameIn(full, name);
      if (actual === undefined) await refuseConfusable(full, name, path);
      full = join(full, actual ?? name);
      if (!isLast && actual === undefined) await mkdir(full);
      if (!isLast && (await factsOf(full))?.isDirectory() !== true)
        throw new FileUnavailableError(
          path,
          `cannot be written: ${JSON.stringify(names.slice(0, index + 1).join('/'))} is no folder`,
        );
    }
    return full;
  }

  private tooLarge(path: string, bytes: number): FileUnavailableError {
    return new FileUnavailableError(
      path,
      `has ${String(bytes)} bytes, and at most ${String(this.mostBytes)} are read and written`,
    );
  }

  /** Errors of the file system name no path outside of the workspace. */
  private async attempted<Result>(path: string, what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileError) throw error;
      const why = error instanceof LockBusyError ? 'others are writing all the time' : codeOf(error);
      throw new FileUnavailableError(path, `cannot be ${what}: ${why || describeThrown(error).name}`, {
        cause: error,
      });
    }
  }
}

/** Something in the folder, with its names as they are there. */
interface FoundPlace {
  readonly full: string;
  readonly path: string;
}

interface FoundFile extends FoundPlace, StoredFile {
  readonly mode: number;
}

/** Opening a link fails, and opening a pipe does not wait for its writer. Windows has neither. */
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0;
const NO_WAIT = (constants.O_NONBLOCK as number | undefined) ?? 0;

async function regular(file: FileHandle, path: string): Promise<Stats> {
  const facts = await file.stat();
  if (facts.isFile()) return facts;
  throw new FileUnavailableError(path, 'is no regular file');
}

/** @throws {FileConflictError} */
export function requireVersion(
  path: string,
  before: StoredFile | undefined,
  replaces: string | undefined,
): void {
  if (before?.version === replaces) return;
  if (replaces === undefined) throw new FileConflictError(path, 'exists already');
  throw new FileConflictError(path, before ? 'has changed since it was read' : 'does not exist any more');
}

/** The name of an entry as the folder has it; undefined if there is none. */
async function nameIn(folder: string, name: string): Promise<string | undefined> {
  if (await factsOf(join(folder, name))) return name;
  const entries = await readdir(folder).catch(emptyIfGone<string>);
  return entries.find((entry) => sameForm(entry) === sameForm(name));
}

async function refuseConfusable(folder: string, name: string, path: string): Promise<void> {
  const other = (await readdir(folder)).find((entry) => confusableForm(entry) === confusableForm(name));
  if (other !== undefined)
    throw new FileConflictError(path, `would differ from ${JSON.stringify(other)} only by its case`);
}

/** Of the entry itself, also if it is a link; undefined if there is none. */
async function factsOf(full: string): Promise<Stats | undefined> {
  try {
    return await lstat(full);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function emptyIfGone<Entry extends string | Dirent>(error: unknown): Entry[] {
  if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
  throw error;
}

function existingFolder(given: unknown): string {
  const path = given instanceof URL && given.protocol === 'file:' ? fileURLToPath(given) : given;
  const cure = "Pass the path of a folder, such as './project', or a file: URL.";
  if (typeof path !== 'string' || path === '')
    throw new WorkspaceOptionError(`the folder is ${shown(given)}`, cure);
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // It is reported below.
  }
  throw new WorkspaceOptionError(`there is no folder ${JSON.stringify(path)}`, 'Create it first.');
}
