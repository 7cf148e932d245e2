import type { Part } from '@adorn/core';

/** A part as it stands in a row: as JSON, and its bytes, if it has any, apart from it. */
export interface StoredPart {
  readonly part: string;
  readonly bytes?: Buffer;
}

export function storedPart(part: Part): StoredPart {
  if (!part.inlineData) return { part: JSON.stringify(part) };
  const { data = '', ...file } = part.inlineData;
  return { part: JSON.stringify({ ...part, inlineData: file }), bytes: Buffer.from(data, 'base64') };
}

/** @param bytes of a part that has any */
export function partFrom(stored: string, bytes?: Buffer): Part {
  const part = JSON.parse(stored) as Part;
  if (bytes === undefined) return part;
  return { ...part, inlineData: { ...part.inlineData, data: bytes.toString('base64') } };
}
