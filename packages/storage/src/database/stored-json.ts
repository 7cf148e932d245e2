import { StorageRowDamagedError } from '../errors/errors.js';
import type { Tables } from './tables.js';

/**
 * Reads the JSON of a row.
 *
 * @param row tells the row's key, if that is needed
 * @throws {StorageRowDamagedError} if it is no JSON
 */
export function storedJson(text: string, table: keyof Tables, row: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StorageRowDamagedError(table, row(), error as Error);
  }
}

/**
 * Reads the JSON of a row that holds an object.
 *
 * @throws {StorageRowDamagedError} if it is no JSON, or no object
 */
export function storedObject(text: string, table: keyof Tables, row: () => string): object {
  const value = storedJson(text, table, row);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StorageRowDamagedError(table, row());
  }
  return value;
}
