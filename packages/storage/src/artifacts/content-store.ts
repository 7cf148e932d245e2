import { AdornError } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { storageFault } from '../database/storage-fault.js';
import { ContentUnavailableError } from '../errors/errors.js';

/** Bytes that a store has received but not stored yet. */
export interface StagedContent {
  /** The SHA-256 of the bytes, in hex. */
  readonly address: string;
  /** In bytes. */
  readonly size: number;
  /**
   * Stores the bytes durably. May be called again. The caller ensures that content of this address is not deleted
   * meanwhile.
   *
   * @param queries the transaction that adds the version that refers to them
   */
  keep(queries: Queries): Promise<void>;
  /** Releases temporary data. Stored content stays. */
  release(): Promise<void>;
}

/**
 * Stores the bytes of artifacts under their SHA-256, so that equal bytes are stored once and never overwritten. A
 * store belongs to one database: content to which no version there refers is deleted.
 *
 * @throws {AdornError} `STORAGE_UNAVAILABLE` or `STORAGE_FULL` from any method, which then has no effect
 */
export abstract class ContentStore {
  /** The location, for messages. Contains no secret. */
  abstract readonly place: string;

  /** Receives bytes as a stream, without holding all of them in memory. */
  abstract stage(content: AsyncIterable<Uint8Array>): Promise<StagedContent>;

  /** The content stored under an address; undefined if there is none. */
  abstract open(address: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** Deletes a content; a missing one counts as deleted. */
  abstract delete(address: string, queries: Queries): Promise<void>;

  /** The addresses of all content, in any order. */
  abstract addresses(): AsyncIterable<string>;

  /** Removes temporary data of processes that were killed while they received bytes. */
  removeLeftOvers(): Promise<void> {
    return Promise.resolve();
  }
}

const ADDRESS = /^[\da-f]{64}$/;

/** True if a string is an address. Only addresses become part of a path. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** An address as a path with two levels of folders, so that no folder becomes too large. */
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

/** Like `inContents`, for content that is read in pieces. */
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
