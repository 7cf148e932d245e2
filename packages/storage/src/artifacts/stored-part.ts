import type { Part } from '@adorn/core';

import { storedObject } from '../database/stored-json.js';
import type { ArtifactsTable } from '../database/tables.js';

/** A part as stored in a row: its JSON, and its bytes, if any, separately. */
export interface StoredPart {
  readonly part: string;
  readonly bytes?: Buffer;
}

type StoredRow = Pick<ArtifactsTable, 'folder' | 'name' | 'version' | 'part'>;

export function storedPart(part: Part): StoredPart {
  if (!part.inlineData) return { part: JSON.stringify(part) };
  const { data = '', ...file } = part.inlineData;
  return { part: JSON.stringify({ ...part, inlineData: file }), bytes: Buffer.from(data, 'base64') };
}

/**
 * @param bytes of a part that has any
 * @throws {StorageRowDamagedError}
 */
export function partFrom({ folder, name, version, part: stored }: StoredRow, bytes?: Buffer): Part {
  const row = (): string => `folder ${folder}, name "${name}", version ${String(version)}`;
  const part = storedObject(stored, 'adorn_artifacts', row) as Part;
  if (bytes === undefined) return part;
  return { ...part, inlineData: { ...part.inlineData, data: bytes.toString('base64') } };
}
