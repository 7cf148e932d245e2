import type { Part } from '../content/genai-types.js';
import type { SessionKey } from '../events/session.js';
import { checkArtifactStream } from './check-artifact.js';

/**
 * Keeps files, each with its versions, which start at 0.
 *
 * A name that begins with `user:` belongs to the user and is seen from all of the user's sessions; any other
 * belongs to the session. Its own container identifier: `bind(ArtifactService).to(InMemoryArtifactService)`.
 * Every implementation passes `describeArtifactService` from `@adorn/testing/contracts`.
 */
export abstract class ArtifactService {
  /**
   * Adds a version and returns its number.
   *
   * @throws {AdornError} `ARTIFACT_INVALID`, where it has no name, no content or no MIME type: see `checkArtifact`;
   *   `NAME_TOO_LONG`, where a name has more than `MAX_NAME_BYTES`: see `checkScope`
   */
  abstract save(scope: SessionKey, name: string, part: Part): Promise<number>;

  /** The newest version where none is named; undefined where there is none. */
  abstract load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined>;

  /** The names seen from the session, the user's included, in order. */
  abstract list(scope: SessionKey): Promise<string[]>;

  /** The versions of a file, ascending; empty where there is no such file. */
  abstract versions(scope: SessionKey, name: string): Promise<number[]>;

  /** Deletes a file with all its versions. */
  abstract delete(scope: SessionKey, name: string): Promise<void>;

  /**
   * Adds a version of a file that comes in pieces. What breaks off is not saved. A service that can keep pieces
   * as they come overrides it; this one collects them.
   */
  async saveStream(scope: SessionKey, name: string, file: ArtifactUpload): Promise<number> {
    checkArtifactStream(name, file.mimeType);
    return this.save(scope, name, await partOf(file));
  }

  /**
   * A version in pieces, the newest where none is named; a text as UTF-8. Undefined where there is none, and where
   * the version only says that a file is elsewhere. This one loads it whole.
   */
  async openStream(scope: SessionKey, name: string, version?: number): Promise<ArtifactDownload | undefined> {
    const part = await this.load(scope, name, version);
    return part && downloadOf(part);
  }
}

/** A file to be saved, in pieces of any size. */
export interface ArtifactUpload {
  readonly mimeType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file as it was saved, in pieces. It is read once. */
export interface ArtifactDownload extends ArtifactUpload {
  /** In bytes. */
  readonly size: number;
}

/** The whole file, in memory. */
export async function partOf({ mimeType, content }: ArtifactUpload): Promise<Part> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return { inlineData: { mimeType, data: Buffer.concat(pieces).toString('base64') } };
}

/** The bytes of a part; a text's are UTF-8. Undefined where the part only says that a file is elsewhere. */
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
