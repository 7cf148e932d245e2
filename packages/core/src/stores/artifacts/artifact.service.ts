import type { Part } from '../../events/genai-types.js';
import { AdornError, assertName, checkName } from '@adorn/schema';
import type { SessionExists, SessionKey } from '../../events/session.js';
import { shareClass } from '../../metadata/shared-class.js';
import { NotSupportedError, SessionNotFoundError } from '../sessions/errors.js';

/**
 * Stores files with their versions. Versions count from 0.
 *
 * A name with the prefix `user:` belongs to the user and is visible in all of the user's sessions; any other name
 * belongs to the session. Its own container identifier: `bind(ArtifactService).to(InMemoryArtifactService)`. Every
 * implementation passes `describeArtifactService` from `@adorn/testing/contracts`.
 */
export abstract class ArtifactService {
  static {
    shareClass(this, 'ArtifactService');
  }

  #exists: SessionExists | undefined;

  /**
   * Tells the service how to find out whether a session exists. A runner does so: from then on, a file of a session is
   * saved only while the session exists, by services that save within `inSession`.
   */
  useSessions(exists: SessionExists): void {
    this.#exists = exists;
  }

  /**
   * Saves a file if its session exists. If the session was deleted meanwhile, the file is deleted again. Files of the user
   * need no session.
   *
   * @throws {SessionNotFoundError}
   */
  protected async inSession<Saved>(
    scope: SessionKey,
    name: string,
    save: () => Promise<Saved>,
  ): Promise<Saved> {
    const exists = name.startsWith('user:') ? undefined : this.#exists;
    if (exists === undefined) return save();
    if (!(await exists(scope))) throw new SessionNotFoundError(scope.sessionId);
    const saved = await save();
    if (await exists(scope)) return saved;
    await this.delete(scope, name);
    throw new SessionNotFoundError(scope.sessionId);
  }

  /** Deletes the files of a session; those of its user stay. This implementation deletes them one by one. */
  async deleteSession(scope: SessionKey): Promise<void> {
    for (const name of await this.list(scope)) if (!name.startsWith('user:')) await this.delete(scope, name);
  }

  /**
   * Deletes all files of a user: those of the user, and those of sessions that are left. Deleting them again does nothing. This
   * implementation deletes the user's own files one by one, and no files of sessions.
   *
   * @returns how many files there were
   */
  async deleteUser({ appName, userId }: Omit<SessionKey, 'sessionId'>): Promise<number> {
    const scope = { appName, userId, sessionId: 'none' };
    const names = (await this.list(scope)).filter((name) => name.startsWith('user:'));
    for (const name of names) await this.delete(scope, name);
    return names.length;
  }

  /**
   * Deletes the files of all users of an application (`user:`) whose last version is older than a time; files of sessions stay.
   *
   * @param before in seconds since 1970
   * @returns how many files there were
   * @throws {NotSupportedError} if the backend cannot
   */
  deleteOlder(appName: string, _before: number): Promise<number> {
    return Promise.reject(new NotSupportedError(this, `delete files of users of ${appName} by age`));
  }

  /**
   * Adds a version and returns its number.
   *
   * @throws {AdornError} `SESSION_NOT_FOUND` if the service belongs to a runner, and the session of the file does not exist
   * @throws {AdornError} `ARTIFACT_INVALID` if the name, the content or the MIME type is missing: see `checkArtifact`;
   *   `NAME_TOO_LONG` if a name has more than `MAX_NAME_BYTES`: see `checkScope`
   */
  abstract save(scope: SessionKey, name: string, part: Part): Promise<number>;

  /**
   * Adds a version if it gets this number: nobody has saved another one since the versions were read.
   *
   * @param _version the number that the version must get; 0 for a new file
   * @returns false if the next number is another one. Nothing was saved then
   * @throws {NotSupportedError} if the backend cannot
   * @throws {AdornError} as `save`
   */
  saveVersion(_scope: SessionKey, name: string, _part: Part, _version: number): Promise<boolean> {
    return Promise.reject(
      new NotSupportedError(this, `save a version of "${shortened(name)}" by its number`),
    );
  }

  /** Loads a version, by default the newest; undefined if it does not exist. */
  abstract load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined>;

  /** The names visible in the session, including those of the user, sorted. */
  abstract list(scope: SessionKey): Promise<string[]>;

  /** The versions of a file, ascending; empty if the file does not exist. */
  abstract versions(scope: SessionKey, name: string): Promise<number[]>;

  /** Deletes a file with all its versions. */
  abstract delete(scope: SessionKey, name: string): Promise<void>;

  /**
   * Adds a version from a stream. An incomplete stream is not saved. This implementation buffers the stream; override it
   * in a service that can store chunks directly.
   */
  async saveStream(scope: SessionKey, name: string, file: ArtifactUpload): Promise<number> {
    checkArtifactStream(name, file.mimeType);
    return this.save(scope, name, await partOf(file));
  }

  /**
   * Opens a version, by default the newest, as a stream; text is UTF-8. Undefined if it does not exist, or only refers to
   * a file stored elsewhere. This implementation loads the version into memory.
   */
  async openStream(scope: SessionKey, name: string, version?: number): Promise<ArtifactDownload | undefined> {
    const part = await this.load(scope, name, version);
    return part && downloadOf(part);
  }
}

/** A file to be saved, in pieces of any size. */
export interface ArtifactUpload {
  /** The media type of the file, such as `image/png`. */
  readonly mimeType: string;
  /** The bytes of the file. Read once. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A saved file as a stream, which can be read once. */
export interface ArtifactDownload extends ArtifactUpload {
  /** In bytes. */
  readonly size: number;
}

/** Reads the whole file into memory. */
async function partOf({ mimeType, content }: ArtifactUpload): Promise<Part> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return { inlineData: { mimeType, data: Buffer.concat(pieces).toString('base64') } };
}

/** The bytes of a part; text as UTF-8. Undefined for a part that only refers to a file stored elsewhere. */
function downloadOf({ text, inlineData }: Part): ArtifactDownload | undefined {
  if (inlineData) {
    return download(inlineData.mimeType ?? '', Buffer.from(inlineData.data ?? '', 'base64'));
  }
  return text === undefined ? undefined : download('text/plain', Buffer.from(text));
}

function download(mimeType: string, bytes: Uint8Array): ArtifactDownload {
  return { mimeType, size: bytes.length, content: onePiece(bytes) };
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Checks an artifact before a service saves it. An artifact needs a name, and is text, base64 bytes with a MIME type,
 * or the URI of a file stored elsewhere.
 *
 * @throws {ArtifactInvalidError | NameTooLongError}
 */
export function checkArtifact(name: string, part: Part): void {
  checkArtifactName(name);
  const problem = problemOf(part);
  if (problem !== undefined) throw new ArtifactInvalidError(name, problem);
}

/**
 * The same for an artifact saved from a stream, before the stream is read.
 *
 * @throws {ArtifactInvalidError | NameTooLongError}
 */
export function checkArtifactStream(name: string, mimeType: string): void {
  checkArtifactName(name);
  if (!isStated(mimeType)) throw new ArtifactInvalidError(name, 'has no MIME type');
}

function checkArtifactName(name: string): void {
  if (typeof name !== 'string') assertName('name of an artifact', name);
  if (!isStated(name) || name === 'user:') throw new ArtifactInvalidError(name, 'has no name');
  checkName('name of an artifact', name);
}

/** Parts come from models and from untyped callers, so each field is checked. */
function problemOf(part: Part | undefined): string | undefined {
  const { text, inlineData, fileData } = part ?? {};
  if (inlineData) return problemOfBytes(inlineData);
  if (fileData) return isStated(fileData.fileUri) ? undefined : 'has fileData without a fileUri';
  return typeof text === 'string' ? undefined : 'has no content';
}

function problemOfBytes({ mimeType, data }: NonNullable<Part['inlineData']>): string | undefined {
  if (!isStated(mimeType)) return 'has no MIME type';
  if (typeof data !== 'string') return 'has no data';
  return isBase64(data) ? undefined : 'has data that is not base64 (RFC 4648, padded)';
}

/**
 * True if decoding and encoding again gives the same string, so that loading returns what was saved. Encoding it all takes
 * a fifth of a second for 40 megabytes: it is the same if no character was left out or replaced, and the last group is.
 */
function isBase64(data: string): boolean {
  if (data.length % 4 !== 0 || data.includes('-') || data.includes('_')) return false;
  const last = Buffer.from(data.slice(-4), 'base64');
  if (last.toString('base64') !== data.slice(-4)) return false;
  const groups = Math.max(0, data.length / 4 - 1);
  return Buffer.from(data, 'base64').length === groups * 3 + last.length;
}

function isStated(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Somebody else has saved the version of an artifact that was to be saved. Nothing was saved. */
export class ArtifactVersionTakenError extends AdornError {
  readonly code = 'ARTIFACT_VERSION_TAKEN';

  constructor(name: string, version: number) {
    super(
      `The artifact "${shortened(name)}" does not get the version ${String(version)}: its versions have changed. Nothing was ` +
        'saved. Load the newest version, and save one that follows it.',
    );
  }
}

/** An artifact is not valid. Nothing was saved. */
class ArtifactInvalidError extends AdornError {
  readonly code = 'ARTIFACT_INVALID';

  /** @param problem what is wrong with it, as the end of "The artifact …" */
  constructor(name: string, problem: string) {
    super(
      `The artifact "${shortened(name)}" ${problem}. Nothing was saved. ` +
        'Pass { inlineData: { mimeType, data } } with base64 data, { text }, or { fileData: { fileUri } }.',
    );
  }
}

function shortened(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}
