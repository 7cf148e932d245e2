import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { rowsPerStatement } from '../database/tables.js';
import { scopeStart } from './scope-start.js';
import { isEmpty, type SharedWrite, type StateRows, type StateWrite } from './state-write.js';

const EXCLUDED = sql<string>`excluded.value`;

/** Versions of the shared states of a session; undefined for a state that was never written. */
export interface SharedVersions {
  readonly userVersion: number | undefined;
  readonly appVersion: number | undefined;
}

/** Writes the keys of a session's three states; to be done in a transaction. */
export async function writeState(
  queries: Queries,
  no: number,
  { own, user, app }: StateWrite,
): Promise<SharedVersions> {
  await writeOwnState(queries, no, own);
  const userVersion = await writeSharedState(queries, user);
  const appVersion = await writeSharedState(queries, app);
  return { userVersion, appVersion };
}

async function writeOwnState(queries: Queries, no: number, { set, gone }: StateRows): Promise<void> {
  for (const rows of rowsPerStatement(set)) {
    await queries
      .insertInto('adorn_session_state')
      .values(rows.map((row) => ({ session_no: no, ...row })))
      .onConflict((conflict) => conflict.columns(['session_no', 'key']).doUpdateSet({ value: EXCLUDED }))
      .execute();
  }
  for (const keys of rowsPerStatement(gone)) {
    await queries
      .deleteFrom('adorn_session_state')
      .where('session_no', '=', no)
      .where('key', 'in', keys)
      .execute();
  }
}

/**
 * Writes the keys of a state that sessions share; to be done in a transaction. The scope's row is locked until the end of the transaction, so that
 * versions are seen in the order in which they are counted.
 *
 * @returns the version it is of now; undefined where there is nothing to write
 */
export async function writeSharedState(queries: Queries, write: SharedWrite): Promise<number | undefined> {
  if (isEmpty(write)) return undefined;
  const { no, version } = await queries
    .insertInto('adorn_scopes')
    .values({ address: write.address, version: scopeStart() })
    .onConflict((conflict) =>
      conflict.column('address').doUpdateSet((row) => ({ version: row('adorn_scopes.version', '+', 1) })),
    )
    .returning(['no', 'version'])
    .executeTakeFirstOrThrow();
  const { set, gone } = write;
  for (const rows of rowsPerStatement(set)) {
    await queries
      .insertInto('adorn_scope_state')
      .values(rows.map((row) => ({ scope_no: no, ...row })))
      .onConflict((conflict) => conflict.columns(['scope_no', 'key']).doUpdateSet({ value: EXCLUDED }))
      .execute();
  }
  for (const keys of rowsPerStatement(gone)) {
    await queries
      .deleteFrom('adorn_scope_state')
      .where('scope_no', '=', no)
      .where('key', 'in', keys)
      .execute();
  }
  return version;
}
