import type { Queries } from '../database/database.js';
import type { Owner } from './memory-row.js';

/** Which memories to look for by a vector. */
interface VectorQuery {
  readonly owner: Owner;
  /** Only vectors of this embedder: see `embedderKey`. */
  readonly embedder: string;
  /** Of length one. */
  readonly vector: readonly number[];
  readonly minScore: number;
  readonly limit: number;
}

/** The numbers of the memories whose vectors point the same way, the nearest first. */
export type VectorSearch = (queries: Queries, query: VectorQuery) => Promise<number[]>;

/** Of length one; a vector without a direction stays as it is. */
export function toUnitLength(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}

export function dotProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** 32-bit floats in a row, as SQLite keeps them. */
export function toBytes(vector: readonly number[]): Uint8Array {
  return Buffer.from(Float32Array.from(vector).buffer);
}

/** Decodes a vector of SQLite: libsql returns an `ArrayBuffer`, other drivers a `Uint8Array`. */
export function fromStored(stored: Uint8Array | ArrayBuffer): Float32Array {
  // A copy of bytes begins where a float may begin; what a driver gives need not.
  return new Float32Array(new Uint8Array(stored).buffer);
}
