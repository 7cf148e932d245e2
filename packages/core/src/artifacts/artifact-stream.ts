import type { Part } from '../content/genai-types.js';

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
export function downloadOf({ text, inlineData }: Part): ArtifactDownload | undefined {
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
