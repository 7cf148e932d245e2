import type { Part } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { assertName, checkName } from '../names/check-name.js';

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

/** True if decoding and encoding again gives the same string, so that loading returns what was saved. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && Buffer.from(data, 'base64').toString('base64') === data;
}

function isStated(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** An artifact is not valid. Nothing was saved. */
export class ArtifactInvalidError extends AdornError {
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
