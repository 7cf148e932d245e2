import { AdornError, type Part, type ReadonlyContext, type ToolContext } from '@adorn/core';
import { optionFault, type OptionRules, TEXT, wholeFrom } from '@adorn/core/backend';
import { mediaTypeOf } from '@adorn/sandbox/tools';

import { FileConflictError, FilePathError, FileUnavailableError, WorkspaceOptionError } from '../errors.js';
import { checkedFolder, checkedPath, confusableForm, sameForm } from '../paths/file-path.js';
import {
  DEFAULT_MOST_BYTES,
  type ListedFile,
  type StoredFile,
  versionOf,
  WorkspaceStore,
  type WriteCondition,
} from './workspace-store.js';

/** Artifacts that hold what a file was before a change. */
export const BEFORE = 'workspace-before/';

/** Artifacts of the framework, which are no files of anybody. */
const HIDDEN = [BEFORE, 'tool-results/'];

/** What a deleted file is: a last version without content. So its versions stay, and nobody writes over a deletion unseen. */
const DELETED = 'application/vnd.adorn.deleted';

/** The options of `artifactFiles`. */
export interface ArtifactFilesOptions {
  /**
   * How the names of the artifacts begin that are files: `drafts/` for the artifact `drafts/a.md` as the file `a.md`, `user:` for
   * files that all conversations of the user share. Default: none, all artifacts of the conversation.
   */
  readonly prefix?: string;
  /** The largest file that is read and written, in bytes. Default: 4 MiB. */
  readonly maxFileBytes?: number;
}

const RULES: OptionRules<ArtifactFilesOptions> = { prefix: TEXT, maxFileBytes: wholeFrom(1) };

/**
 * The artifacts of the conversation as the store of a workspace: each change is a new version of an artifact. The artifact service
 * has `saveVersion`, as those of Adorn have.
 *
 * @returns a function of the context of a call
 * @throws {WorkspaceOptionError} if an option is invalid
 */
export function artifactFiles(options: ArtifactFilesOptions = {}): (context: ToolContext) => WorkspaceStore {
  const found = optionFault(options, RULES);
  if (found) throw new WorkspaceOptionError(found.fault, found.cure);
  return (context) => new ArtifactStore(context, options);
}

/** What a store needs of a context. */
export type ArtifactAccess = Pick<
  ReadonlyContext,
  'listArtifacts' | 'listArtifactVersions' | 'loadArtifact'
> &
  Pick<ToolContext, 'saveArtifact'>;

/** Artifacts as files. The version of a file is that of its content; the number of the artifact decides between two writers. */
export class ArtifactStore extends WorkspaceStore {
  private readonly prefix: string;
  private readonly mostBytes: number;

  constructor(
    private readonly artifacts: ArtifactAccess,
    { prefix = '', maxFileBytes = DEFAULT_MOST_BYTES }: ArtifactFilesOptions = {},
  ) {
    super();
    this.prefix = prefix;
    this.mostBytes = maxFileBytes;
  }

  async *list(folder = ''): AsyncGenerator<ListedFile> {
    const path = checkedFolder(folder);
    for (const file of await this.paths()) {
      if (path !== '' && !sameForm(file).startsWith(`${sameForm(path)}/`)) continue;
      const part = await this.artifacts.loadArtifact(this.prefix + file);
      const data = part && bytesIn(part);
      if (data) yield { path: file, bytes: data.byteLength };
    }
  }

  async read(given: string): Promise<StoredFile | undefined> {
    const path = this.allowed(checkedPath(given));
    return (await this.newest(path)).file;
  }

  async write(given: string, data: Uint8Array, { replaces }: WriteCondition): Promise<string> {
    const path = this.allowed(checkedPath(given));
    if (data.byteLength > this.mostBytes) throw this.tooLarge(path, data.byteLength);
    const newest = await this.newest(path);
    if (replaces === undefined) await this.refuseConfusable(newest.path);
    await this.saveAfter(newest, replaces, partOf(newest.path, data));
    return versionOf(data);
  }

  async delete(given: string, version: string): Promise<void> {
    const path = this.allowed(checkedPath(given));
    const newest = await this.newest(path);
    await this.saveAfter(newest, version, { inlineData: { mimeType: DELETED, data: '' } });
  }

  private async saveAfter(
    { path, number, file }: Newest,
    replaces: string | undefined,
    part: Part,
  ): Promise<void> {
    if (file?.version !== replaces) {
      const changed = file ? 'has changed since it was read' : 'does not exist any more';
      throw new FileConflictError(path, replaces === undefined ? 'exists already' : changed);
    }
    try {
      await this.artifacts.saveArtifact(this.prefix + path, part, { version: number + 1 });
    } catch (error) {
      if (!(error instanceof AdornError && error.code === 'ARTIFACT_VERSION_TAKEN')) throw error;
      throw new FileConflictError(
        path,
        replaces === undefined ? 'exists already' : 'has changed since it was read',
      );
    }
  }

  /** @throws {FilePathError} for an artifact that is no file of this workspace */
  private allowed(path: string): string {
    if (this.isFile(path)) return path;
    throw new FilePathError(path, 'is not part of the workspace', 'Leave it alone.');
  }

  private isFile(path: string): boolean {
    const name = this.prefix + path;
    if (HIDDEN.some((hidden) => name.startsWith(hidden))) return false;
    return name.startsWith('user:') === this.prefix.startsWith('user:');
  }

  private async newest(asked: string): Promise<Newest> {
    let path = asked;
    let versions = await this.artifacts.listArtifactVersions(this.prefix + path);
    if (versions.length === 0) {
      path = (await this.paths()).find((one) => sameForm(one) === sameForm(asked)) ?? asked;
      versions = path === asked ? [] : await this.artifacts.listArtifactVersions(this.prefix + path);
    }
    const number = versions.at(-1);
    const part =
      number === undefined ? undefined : await this.artifacts.loadArtifact(this.prefix + path, number);
    if (number === undefined || !part) return { path, number: -1 };
    if (part.fileData)
      throw new FileUnavailableError(path, 'is stored elsewhere, and is not read or written here');
    const data = bytesIn(part);
    if (!data) return { path, number };
    if (data.byteLength > this.mostBytes) throw this.tooLarge(path, data.byteLength);
    return { path, number, file: { path, data, version: versionOf(data) } };
  }

  /** The paths of all files, also of deleted ones, in the order of their names. */
  private async paths(): Promise<string[]> {
    const names = await this.artifacts.listArtifacts();
    return names
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => name.slice(this.prefix.length))
      .filter((path) => this.isFile(path) && isPath(path));
  }

  private async refuseConfusable(path: string): Promise<void> {
    const others = (await this.paths()).filter(
      (one) => one !== path && confusableForm(one) === confusableForm(path),
    );
    for (const other of others) {
      const part = await this.artifacts.loadArtifact(this.prefix + other);
      if (part && bytesIn(part))
        throw new FileConflictError(path, `would differ from ${JSON.stringify(other)} only by its case`);
    }
  }

  private tooLarge(path: string, bytes: number): FileUnavailableError {
    return new FileUnavailableError(
      path,
      `has ${String(bytes)} bytes, and at most ${String(this.mostBytes)} are read and written`,
    );
  }
}

/** The newest version of an artifact. */
interface Newest {
  readonly path: string;
  /** -1 if there is none. */
  readonly number: number;
  /** Undefined if there is none, or it was deleted. */
  readonly file?: StoredFile;
}

/** Text as text, so that instructions and `load_artifacts` read it; anything else as bytes. */
export function partOf(path: string, data: Uint8Array): Part {
  const text = Buffer.from(data).toString('utf8');
  if (Buffer.from(text).equals(data)) return { text };
  return { inlineData: { mimeType: mediaTypeOf(path), data: Buffer.from(data).toString('base64') } };
}

/** The bytes of an artifact; undefined if it is a deleted file, or stored elsewhere. */
export function bytesIn({ text, inlineData }: Part): Uint8Array | undefined {
  if (inlineData?.mimeType === DELETED) return undefined;
  if (inlineData) return Buffer.from(inlineData.data ?? '', 'base64');
  return text === undefined ? undefined : Buffer.from(text);
}

function isPath(path: string): boolean {
  try {
    return checkedPath(path) === path;
  } catch (error) {
    if (error instanceof FilePathError) return false;
    throw error;
  }
}
