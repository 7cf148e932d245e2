import type { Database } from '../database/database.js';
import { EncryptionKey } from './encryption-key.js';
import { Keyring } from './keyring.js';

/**
 * Where nothing is said: `ADORN_ENCRYPTION_KEY`, or else a key file beside SQLite's file. What is only in memory has a
 * key that is, too; a server has no place for one, so there the variable has to be set.
 */
export function keyringBeside({ flavour, place }: Database): Keyring {
  const isStated = (process.env['ADORN_ENCRYPTION_KEY'] ?? '') !== '';
  if (isStated || flavour === 'postgres') return Keyring.fromEnvironment();
  return place === ':memory:' ? Keyring.of(EncryptionKey.make()) : Keyring.fromFile(`${place}-key`);
}
