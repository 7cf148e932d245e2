import { AdornError } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { storageFault } from '../database/storage-fault.js';
import { ContentUnavailableError } from '../errors/errors.js';

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
  /** Releases temporary data. Stored content stays. */
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

  /** The content stored under an address; undefined if there is none. */
  abstract open(address: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** Deletes a content; a missing one counts as deleted. */
  abstract delete(address: string, queries: Queries): Promise<void>;

  /** Everything that is kept, in any order. */
  abstract addresses(): AsyncIterable<string>;

  /** Removes temporary data of programs that were killed while they received bytes. */
  removeLeftOvers(): Promise<void> {
    return Promise.resolve();
  }
}

const ADDRESS = /^[\da-f]{64}$/;

/** True if a string is an address. Only addresses become part of a path. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** An address as a path: no folder becomes too large. */
export function pathPartsOf(address: string): readonly [string, string, string] {
  return [address.slice(0, 2), address.slice(2, 4), address];
}

/** Runs an operation of a content store, and converts its errors to `AdornError`s. */
export async function inContents<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw contentFault(error, place);
  }
}

/** The same for content that is read in pieces. */
export async function* eachInContents<Piece>(
  place: string,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    throw contentFault(error, place);
  }
}

function contentFault(error: unknown, place: string): Error {
  if (AdornError.is(error)) return error;
  const fault = storageFault(error, place);
  return AdornError.is(fault) && fault.code === 'STORAGE_FULL'
    ? fault
    : new ContentUnavailableError(place, fault);
}
