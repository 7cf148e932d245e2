import type { AuthCredential } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';

import { nameFrom } from '../database/stored-name.js';
import type { CredentialsTable } from '../database/tables.js';
import { CredentialUnreadableError } from '../errors/errors.js';
import type { EncryptionKey } from './encryption-key.js';
import type { EncryptionKeys } from './keyring.js';

/** The columns that say whose credential a row is. */
export type CredentialAddress = Pick<CredentialsTable, 'app' | 'user_id' | 'key'>;

type Sealed = Pick<CredentialsTable, 'key_id' | 'sealed'>;

/** A credential as stored in a row. It cannot be decrypted in another row. */
export function sealCredential(
  address: CredentialAddress,
  credential: AuthCredential,
  key: EncryptionKey,
): Sealed {
  // Spread, for one that was loaded does not tell JSON its secret.
  return seal(address, JSON.stringify({ ...credential }), key);
}

/** The same credential under another key. */
export function resealCredential(row: CredentialAddress & Sealed, keys: EncryptionKeys): Sealed {
  return seal(row, open(row, keys), keys.first);
}

/** @throws {CredentialUnreadableError} */
export function openCredential(row: CredentialAddress & Sealed, keys: EncryptionKeys): AuthCredential {
  return JSON.parse(open(row, keys)) as AuthCredential;
}

function seal(address: CredentialAddress, text: string, key: EncryptionKey): Sealed {
  return { key_id: key.id, sealed: key.seal(text, placeOf(address)) };
}

function open(row: CredentialAddress & Sealed, keys: EncryptionKeys): string {
  const key = keys.byId.get(row.key_id);
  if (!key) throw unreadable(row, `was encrypted with the key ${row.key_id}, which is not available`);
  const text = key.open(row.sealed, placeOf(row));
  if (text === undefined) throw unreadable(row, 'was changed since it was stored');
  return text;
}

function placeOf({ app, user_id, key }: CredentialAddress): string {
  return composedKey('adorn credential', app, user_id, key);
}

function unreadable({ key, user_id }: CredentialAddress, problem: string): CredentialUnreadableError {
  return new CredentialUnreadableError(nameFrom(key), nameFrom(user_id), problem);
}
