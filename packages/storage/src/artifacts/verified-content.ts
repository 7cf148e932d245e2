import { createHash } from 'node:crypto';

import { ContentDamagedError } from '../errors/errors.js';

/** The properties of a content according to its row. */
export interface ExpectedContent {
  readonly place: string;
  readonly address: string;
  readonly size: number;
}

/**
 * The pieces of some content as they come. That they are not what was saved is only known when the last one is
 * there: then it throws in the place of ending.
 *
 * @throws {ContentDamagedError}
 */
export async function* verifiedContent(
  content: AsyncIterable<Uint8Array>,
  { place, address, size }: ExpectedContent,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  for await (const piece of content) {
    hash.update(piece);
    seen += piece.length;
    yield piece;
  }
  if (seen !== size) {
    throw new ContentDamagedError(place, address, `has ${String(seen)} bytes instead of ${String(size)}`);
  }
  if (hash.digest('hex') !== address)
    throw new ContentDamagedError(place, address, 'differs from what was saved');
}
