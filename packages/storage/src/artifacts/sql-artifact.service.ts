import { ArtifactService, type Part, type SessionKey } from '@adorn/core';
import {
  assertName,
  assertScope,
  assertSessionKey,
  checkArtifact,
  checkArtifactStream,
  checkSessionKey,
  frozenJson,
  type ArtifactDownload,
  type ArtifactUpload,
  type ExactSessionKey,
} from '@adorn/core/backend';

import type { Database, Queries } from '../database/database.js';
import { storedObject } from '../database/stored-json.js';
import type { ArtifactsTable } from '../database/tables.js';
import { ContentDamagedError } from '../errors/errors.js';
import {
  deleteArtifactsOf,
  deleteFilesOfUser,
  deleteOlderFiles,
  deleteVersions,
  type FileAddress,
  fileAddress,
  findVersion,
  folderOfSession,
  folderOfUser,
  insertVersion,
  listNames,
  listVersions,
  OtherVersionError,
  requireSession,
} from './artifact-rows.js';
import type { ContentStore } from './content-store.js';
import { DatabaseContentStore } from './database/database-content-store.js';
import { FileContentStore } from './files/file-content-store.js';
import { type FoundVersion, KeptContents } from './kept-contents.js';

/**
 * Stores names and versions of artifacts in rows, and their bytes in a content store. A crash may leave unused bytes,
 * which `sweep` removes, but never a version without its bytes.
 */
export class SqlArtifactService extends ArtifactService {
  private readonly contents: KeptContents;
  /** True if the sessions are in the same database. */
  private hasSessions = false;

  /** @param contents default: the folder `<database>-artifacts` beside SQLite's file; on PostgreSQL, the database */
  constructor(
    private readonly database: Database,
    contents: ContentStore = contentsBeside(database),
  ) {
    super();
    this.contents = new KeptContents(database, contents);
  }

  async save(scope: SessionKey, name: string, part: Part): Promise<number> {
    return this.savePart(scope, name, part);
  }

  override async saveVersion(scope: SessionKey, name: string, part: Part, version: number): Promise<boolean> {
    try {
      await this.savePart(scope, name, part, version);
      return true;
    } catch (error) {
      if (error instanceof OtherVersionError) return false;
      throw error;
    }
  }

  /** @param version the number that it must get. Default: any */
  private async savePart(scope: SessionKey, name: string, part: Part, version?: number): Promise<number> {
    checkSessionKey(scope);
    checkArtifact(name, part);
    const stored = storedPart(part);
    if (stored.bytes) return this.saveContent(scope, name, stored.part, inOnePiece(stored.bytes), version);
    const row = { part: stored.part, content: null, size: Buffer.byteLength(part.text ?? '') };
    return this.guarded(scope, name, () =>
      this.contents.add(async (queries) => {
        await this.allow(queries, scope, name);
        return insertVersion(queries, fileAddress(scope, name), row, version);
      }),
    );
  }

  override async saveStream(scope: SessionKey, name: string, upload: ArtifactUpload): Promise<number> {
    checkSessionKey(scope);
    checkArtifactStream(name, upload.mimeType);
    const { part } = storedPart({ inlineData: { mimeType: upload.mimeType } });
    return this.saveContent(scope, name, part, upload.content);
  }

  async load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined> {
    const found = await this.find(addressOf(scope, name), version);
    if (!found?.content) return found && partFrom(found.row);
    const pieces: Uint8Array[] = [];
    for await (const piece of found.content) pieces.push(piece);
    return partFrom(found.row, Buffer.concat(pieces));
  }

  /** Reading throws at the end of the stream if the bytes differ from the saved ones. */
  override async openStream(
    scope: SessionKey,
    name: string,
    version?: number,
  ): Promise<ArtifactDownload | undefined> {
    const found = await this.find(addressOf(scope, name), version);
    if (!found) return undefined;
    const { text, inlineData } = partFrom(found.row);
    const { size } = found.row;
    if (found.content) return { mimeType: inlineData?.mimeType ?? '', size, content: found.content };
    if (text === undefined) return undefined;
    return { mimeType: 'text/plain', size, content: inOnePiece(Buffer.from(text)) };
  }

  async list(scope: SessionKey): Promise<string[]> {
    assertSessionKey(scope);
    return this.database.run((queries) => listNames(queries, [folderOfUser(scope), folderOfSession(scope)]));
  }

  async versions(scope: SessionKey, name: string): Promise<number[]> {
    const file = addressOf(scope, name);
    return this.database.run((queries) => listVersions(queries, file));
  }

  async delete(scope: SessionKey, name: string): Promise<void> {
    const file = addressOf(scope, name);
    await this.release(await this.database.transaction((queries) => deleteVersions(queries, file)));
  }

  /** The sessions are in the same database: the row of a file is written in a transaction that holds its session's row. */
  holdSessions(): void {
    this.hasSessions = true;
  }

  /** Deletes the artifacts of a session. The user's own files stay. */
  override async deleteSession(scope: SessionKey): Promise<void> {
    assertSessionKey(scope);
    await this.release(await this.database.transaction((queries) => deleteArtifactsOf(queries, scope)));
  }

  /** Also files of sessions that a crash has left, and bytes to which no version refers. */
  override async deleteUser(owner: Omit<SessionKey, 'sessionId'>): Promise<number> {
    assertScope({ appName: owner.appName, userId: owner.userId });
    const gone = await this.database.transaction((queries) => deleteFilesOfUser(queries, owner));
    await this.release(gone.contents);
    await this.sweep();
    return gone.files;
  }

  override async deleteOlder(appName: string, before: number): Promise<number> {
    assertName('application name', appName);
    const gone = await this.database.transaction((queries) => deleteOlderFiles(queries, appName, before));
    await this.release(gone.contents);
    return gone.files;
  }

  /** Deletes content to which no version refers. */
  release(contents: readonly string[]): Promise<void> {
    return this.contents.release(contents);
  }

  /** Removes leftovers of crashes. Optional; it may run at any time. */
  sweep(): Promise<void> {
    return this.contents.sweep();
  }

  private saveContent(
    scope: SessionKey,
    name: string,
    part: string,
    bytes: AsyncIterable<Uint8Array>,
    version?: number,
  ): Promise<number> {
    const file = fileAddress(scope, name);
    return this.guarded(scope, name, () =>
      this.contents.save(bytes, {
        allow: (queries) => this.allow(queries, scope, name),
        insert: (queries, { address, size }) =>
          insertVersion(queries, file, { part, content: address, size }, version),
      }),
    );
  }

  /** Where the sessions are elsewhere, the session is looked for before and after. */
  private guarded(scope: SessionKey, name: string, save: () => Promise<number>): Promise<number> {
    return this.hasSessions ? save() : this.inSession(scope, name, save);
  }

  /**
   * Locks the session of a file, if the sessions are in the same database.
   *
   * @throws {SessionNotFoundError}
   */
  private async allow(queries: Queries, scope: ExactSessionKey, name: string): Promise<void> {
    if (this.hasSessions && !name.startsWith('user:'))
      await requireSession(queries, this.database.dialect, scope);
  }

  private async find(file: FileAddress, version?: number): Promise<FoundVersion | undefined> {
    const row = await this.database.run((queries) => findVersion(queries, file, version));
    if (!row) return undefined;
    return (await this.contents.open(row)) ?? this.explainLoss(file, row.version, row.content ?? '');
  }

  /** Missing content was either deleted after its row was found, or is lost. */
  private async explainLoss(file: FileAddress, version: number, content: string): Promise<undefined> {
    const row = await this.database.run((queries) => findVersion(queries, file, version));
    if (row?.content === content) {
      throw new ContentDamagedError(this.contents.store.place, content, 'is missing');
    }
  }
}

function addressOf(scope: SessionKey, name: string): FileAddress {
  assertSessionKey(scope);
  assertName('name of an artifact', name);
  return fileAddress(scope, name);
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The default store: a folder beside the SQLite file, or the database itself if there is no file. */
function contentsBeside(database: Database): ContentStore {
  const { dialect, place } = database;
  if (dialect === 'postgres' || place === ':memory:') return new DatabaseContentStore(database);
  return new FileContentStore(`${place}-artifacts`);
}

/** A part as stored in a row: its JSON, and its bytes, if any, separately. */
interface StoredPart {
  readonly part: string;
  readonly bytes?: Buffer;
}

type StoredRow = Pick<ArtifactsTable, 'folder' | 'name' | 'version' | 'part'>;

function storedPart(part: Part): StoredPart {
  if (!part.inlineData) return { part: JSON.stringify(part) };
  const { data = '', ...file } = part.inlineData;
  return { part: JSON.stringify({ ...part, inlineData: file }), bytes: Buffer.from(data, 'base64') };
}

/**
 * @param bytes the bytes of the part, if it has any
 * @throws {StorageRowDamagedError}
 */
function partFrom({ folder, name, version, part: stored }: StoredRow, bytes?: Buffer): Part {
  const row = (): string => `folder ${folder}, name "${name}", version ${String(version)}`;
  const part = storedObject(stored, 'adorn_artifacts', row) as Part;
  if (!bytes) return frozenJson(part);
  return frozenJson({ ...part, inlineData: { ...part.inlineData, data: bytes.toString('base64') } });
}
