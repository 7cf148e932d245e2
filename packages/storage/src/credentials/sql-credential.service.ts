import { type AuthCredential, CredentialService } from '@adorn/core';
import {
  assertName,
  assertScope,
  checkName,
  checkScope,
  guardedCredential,
  type CredentialScope,
} from '@adorn/core/backend';

import type { Database, Queries } from '../database/database.js';
import { storedName } from '../database/stored-name.js';
import type { CredentialsTable } from '../database/tables.js';
import { EncryptionKey } from './encryption-key.js';
import { type EncryptionKeys, Keyring } from './keyring.js';
import {
  type CredentialAddress,
  openCredential,
  resealCredential,
  sealCredential,
} from './sealed-credential.js';

/** Credentials in a table of their own, each encrypted by AES-256-GCM for its row. */
export class SqlCredentialService extends CredentialService {
  /**
   * @param keyring default: `ADORN_ENCRYPTION_KEY`, or else the file `<database>-key` beside SQLite's file; it is read
   *   with the first credential
   */
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring = keyringBeside(database),
  ) {
    super();
  }

  /** @throws {AdornError} `CREDENTIAL_UNREADABLE` if its key is not available, or it was changed */
  async load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    const address = addressOf(scope, key);
    const row = await this.database.run((queries) => findCredential(queries, address));
    return row && guardedCredential(openCredential(row, await this.keyring.keys()));
  }

  /** @throws {AdornError} `ENCRYPTION_KEY_INVALID` if there is no key to encrypt with */
  async save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void> {
    checkScope(scope);
    checkName('key of a credential', key);
    const { first } = await this.keyring.keys();
    const address = addressOf(scope, key);
    const row = { ...address, ...sealCredential(address, credential, first), updated_at: Date.now() / 1000 };
    await this.database.run((queries) => putCredential(queries, row));
  }

  async delete(scope: CredentialScope, key: string): Promise<void> {
    const address = addressOf(scope, key);
    await this.database.run((queries) => deleteCredential(queries, address));
  }

  override async deleteUser({ appName, userId }: CredentialScope): Promise<number> {
    assertScope({ appName, userId });
    const { numDeletedRows } = await this.database.run((queries) =>
      queries
        .deleteFrom('adorn_credentials')
        .where('app', '=', storedName(appName))
        .where('user_id', '=', storedName(userId))
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }

  /**
   * Encrypts everything anew that the first key did not encrypt; after it, older keys are not needed. What cannot be
   * decrypted stays as it is, and holds up nothing else.
   *
   * @returns how many there were
   * @throws {AdornError} `CREDENTIAL_UNREADABLE`, when the others are done
   */
  async rotate(): Promise<number> {
    const keys = await this.keyring.keys();
    const rows = await this.database.run((queries) => listUnder(queries, keys.first.id));
    const faults: unknown[] = [];
    for (const row of rows) await this.reseal(row, keys).catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw faults[0];
    return rows.length;
  }

  private async reseal(row: CredentialsTable, keys: EncryptionKeys): Promise<void> {
    const sealed = resealCredential(row, keys);
    await this.database.run((queries) => replaceSealed(queries, row, sealed));
  }
}

function addressOf(scope: CredentialScope, key: string): CredentialAddress {
  assertScope(scope);
  assertName('key of a credential', key);
  const { appName, userId } = scope;
  return { app: storedName(appName), user_id: storedName(userId), key: storedName(key) };
}

/**
 * Where nothing is said: `ADORN_ENCRYPTION_KEY`, or else a key file beside SQLite's file. What is only in memory has a
 * key that is, too; a server has no place for one, so there the variable has to be set.
 */
export function keyringBeside({ dialect, place }: Database): Keyring {
  const isStated = (process.env['ADORN_ENCRYPTION_KEY'] ?? '') !== '';
  if (isStated || dialect === 'postgres') return Keyring.fromEnvironment();
  return place === ':memory:' ? Keyring.of(EncryptionKey.make()) : Keyring.fromFile(`${place}-key`);
}

function findCredential(
  queries: Queries,
  { app, user_id, key }: CredentialAddress,
): Promise<CredentialsTable | undefined> {
  const credentials = queries.selectFrom('adorn_credentials').selectAll().where('app', '=', app);
  return credentials.where('user_id', '=', user_id).where('key', '=', key).executeTakeFirst();
}

/** Replaces an existing one. */
async function putCredential(queries: Queries, row: CredentialsTable): Promise<void> {
  const { key_id, sealed, updated_at } = row;
  await queries
    .insertInto('adorn_credentials')
    .values(row)
    .onConflict((taken) =>
      taken.columns(['app', 'user_id', 'key']).doUpdateSet({ key_id, sealed, updated_at }),
    )
    .execute();
}

async function deleteCredential(queries: Queries, { app, user_id, key }: CredentialAddress): Promise<void> {
  const credentials = queries.deleteFrom('adorn_credentials').where('app', '=', app);
  await credentials.where('user_id', '=', user_id).where('key', '=', key).execute();
}

/** The credentials encrypted with another key. */
function listUnder(queries: Queries, others: string): Promise<CredentialsTable[]> {
  return queries.selectFrom('adorn_credentials').selectAll().where('key_id', '<>', others).execute();
}

/** Replaces the encrypted bytes, unless the credential was saved again in the meantime. */
async function replaceSealed(
  queries: Queries,
  { app, user_id, key, sealed }: CredentialsTable,
  next: Pick<CredentialsTable, 'key_id' | 'sealed'>,
): Promise<void> {
  const credentials = queries.updateTable('adorn_credentials').set(next).where('app', '=', app);
  await credentials
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('sealed', '=', sealed)
    .execute();
}
