import type { Queries } from '../database/database.js';

/** Bytes that a store has taken in, and does not keep yet. */
export interface StagedContent {
  /** The SHA-256 of the bytes, in hex. */
  readonly address: string;
  /** In bytes. */
  readonly size: number;
  /**
   * Keeps the bytes, on the disk when it resolves. Done again it finds them kept. Nobody deletes content of the
   * address meanwhile.
   *
   * @param queries the transaction in which a version comes to refer to them
   */
  keep(queries: Queries): Promise<void>;
  /** Lets go of what was taken in for it. What is kept stays. */
  release(): Promise<void>;
}

/**
 * Keeps the bytes of artifacts, each under its own SHA-256, so that equal bytes are kept once and are never written
 * over. A store belongs to one database: what no version there refers to is deleted.
 *
 * @throws {AdornError} `STORAGE_UNAVAILABLE` and `STORAGE_FULL` by any of its methods, and then as if nothing was done
 */
export abstract class ContentStore {
  /** Where it is, for people to read: without a secret. */
  abstract readonly place: string;

  /** Takes bytes in as they come, without holding all of them in memory. */
  abstract stage(content: AsyncIterable<Uint8Array>): Promise<StagedContent>;

  /** What is kept under an address, as it is now; undefined where nothing is. */
  abstract open(address: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** What is not there already is deleted. */
  abstract delete(address: string, queries: Queries): Promise<void>;

  /** Everything that is kept, in any order. */
  abstract addresses(): AsyncIterable<string>;

  /** Removes what programs that were killed while they took bytes in have left behind. */
  removeLeftOvers(): Promise<void> {
    return Promise.resolve();
  }
}

const ADDRESS = /^[\da-f]{64}$/;

/** Whether a text may be an address: nothing else becomes part of a path. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** An address as a path: no folder becomes too large. */
export function pathPartsOf(address: string): readonly [string, string, string] {
  return [address.slice(0, 2), address.slice(2, 4), address];
}
