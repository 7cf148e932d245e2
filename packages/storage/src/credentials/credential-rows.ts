import type { Queries } from '../database/database.js';
import type { CredentialsTable } from '../database/tables.js';
import type { CredentialAddress } from './sealed-credential.js';

export function findCredential(
  queries: Queries,
  { app, user_id, key }: CredentialAddress,
): Promise<CredentialsTable | undefined> {
  const credentials = queries.selectFrom('adorn_credentials').selectAll().where('app', '=', app);
  return credentials.where('user_id', '=', user_id).where('key', '=', key).executeTakeFirst();
}

/** Replaces an existing one. */
export async function putCredential(queries: Queries, row: CredentialsTable): Promise<void> {
  const { key_id, sealed, updated_at } = row;
  await queries
    .insertInto('adorn_credentials')
    .values(row)
    .onConflict((taken) =>
      taken.columns(['app', 'user_id', 'key']).doUpdateSet({ key_id, sealed, updated_at }),
    )
    .execute();
}

export async function deleteCredential(
  queries: Queries,
  { app, user_id, key }: CredentialAddress,
): Promise<void> {
  const credentials = queries.deleteFrom('adorn_credentials').where('app', '=', app);
  await credentials.where('user_id', '=', user_id).where('key', '=', key).execute();
}

/** The credentials encrypted with another key. */
export function listUnder(queries: Queries, others: string): Promise<CredentialsTable[]> {
  return queries.selectFrom('adorn_credentials').selectAll().where('key_id', '<>', others).execute();
}

/** Replaces the encrypted bytes, unless the credential was saved again in the meantime. */
export async function replaceSealed(
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
