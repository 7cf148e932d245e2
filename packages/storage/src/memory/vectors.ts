import type { Queries } from '../database/database.js';
import type { Owner } from './memory-row.js';

/** A search by vector. */
interface VectorQuery {
  readonly owner: Owner;
  /** Only vectors of this embedder: see `embedderKey`. */
  readonly embedder: string;
  /** A unit vector. */
  readonly vector: readonly number[];
  readonly minScore: number;
  readonly limit: number;
}

/** Finds the numbers of the memories with the most similar vectors, best first. */
export type VectorSearch = (queries: Queries, query: VectorQuery) => Promise<number[]>;

/** Normalises a vector to length one. A zero vector stays as it is. */
export function toUnitLength(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}

export function dotProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** Encodes a vector as consecutive 32-bit floats, for SQLite. */
export function toBytes(vector: readonly number[]): Uint8Array {
  return Buffer.from(Float32Array.from(vector).buffer);
}

/** Decodes a vector of SQLite: libsql returns an `ArrayBuffer`, other drivers a `Uint8Array`. */
export function fromStored(stored: Uint8Array | ArrayBuffer): Float32Array {
  // A copy of bytes begins where a float may begin; what a driver gives need not.
  return new Float32Array(new Uint8Array(stored).buffer);
}
