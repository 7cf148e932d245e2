import { AdornError } from '@adorn/core';

import { storageFault } from '../database/storage-fault.js';
import { ContentUnavailableError } from '../errors/errors.js';

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
