import {
  type EffectAddress,
  type EffectClaim,
  type EffectDone,
  type EffectEntry,
  type EffectErasure,
  EffectLedger,
  type EffectSettlement,
  ERASED_RESULT,
  ERASED_USER,
  type ErasedEffects,
  isSettledSo,
  type OpenEffect,
} from '@adorn/core/backend';
import { type ExpressionBuilder, sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import { storedJson } from '../database/stored-json.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import type { EffectsTable, Tables } from '../database/tables.js';

type Key = Pick<EffectsTable, 'app' | 'scope' | 'tool' | 'key'>;

/** The effects of an application in a table, for all its processes. */
export class SqlEffectLedger extends EffectLedger {
  constructor(private readonly database: Database) {
    super();
  }

  claim(address: EffectAddress, claim: EffectClaim, lapsed?: string): Promise<EffectEntry> {
    const key = keyOf(address);
    return this.database.transaction(async (queries) => {
      await deleteExpired(queries, key, claim);
      const isNew =
        (await insertClaim(queries, key, claim)) ||
        (lapsed !== undefined && (await replaceClaim(queries, key, { claim, lapsed })));
      return isNew ? { claim, isNew } : entryOf(await selectEffect(queries, key).executeTakeFirstOrThrow());
    });
  }

  async renew(address: EffectAddress, id: string, until: number): Promise<void> {
    await this.update(address, id, { held_until: until });
  }

  async complete(address: EffectAddress, id: string, { result, at }: EffectDone): Promise<void> {
    await this.update(address, id, { result: JSON.stringify(result ?? null), done_at: at });
  }

  async release(address: EffectAddress, id: string): Promise<void> {
    const key = keyOf(address);
    await this.database.run((queries) =>
      queries
        .deleteFrom('adorn_effects')
        .where((eb) => eb.and(key))
        .where('claim_id', '=', id)
        .where('done_at', 'is', null)
        .execute(),
    );
  }

  async revoke(address: EffectAddress, id: string): Promise<void> {
    const key = keyOf(address);
    await this.database.run((queries) =>
      queries
        .deleteFrom('adorn_effects')
        .where((eb) => eb.and(key))
        .where('claim_id', '=', id)
        .where('done_at', 'is not', null)
        .execute(),
    );
  }

  override async listOpen(appName: string): Promise<readonly OpenEffect[]> {
    const rows = await this.database.run((queries) =>
      queries
        .selectFrom('adorn_effects')
        .selectAll()
        .where('app', '=', storedName(appName))
        .where('done_at', 'is', null)
        .orderBy('claimed_at')
        .execute(),
    );
    return rows.map((row) => ({ address: addressOf(row), claim: claimOf(row) }));
  }

  override settle(address: EffectAddress, settlement: EffectSettlement): Promise<boolean> {
    const key = keyOf(address);
    return this.database.transaction(async (queries) => {
      if (await settleOpen(queries, key, settlement)) return true;
      const row = await selectEffect(queries, key).executeTakeFirst();
      return isSettledSo(row && entryOf(row), settlement);
    });
  }

  override eraseUser(erasure: EffectErasure): Promise<ErasedEffects> {
    const { appName, userId, scopes, scopePrefix } = erasure;
    const app = storedName(appName);
    const prefix = storedName(scopePrefix);
    return this.database.transaction(async (queries) => {
      const { numDeletedRows } = await queries
        .deleteFrom('adorn_effects')
        .where('app', '=', app)
        .where((eb) =>
          eb.or([
            eb('scope', 'in', scopes.map(storedName)),
            eb(sql<string>`substr(scope, 1, length(cast(${prefix} as text)))`, '=', prefix),
          ]),
        )
        .executeTakeFirstOrThrow();
      const { numUpdatedRows } = await queries
        .updateTable('adorn_effects')
        .set((eb) => ({
          claim_id: ERASED_USER,
          claimed_by: ERASED_USER,
          result: eb
            .case()
            .when('result', 'is', null)
            .then(sql<string | null>`null`)
            .else(JSON.stringify(ERASED_RESULT))
            .end(),
        }))
        .where('app', '=', app)
        .where('claimed_by', '=', storedName(userId))
        .executeTakeFirst();
      return { deleted: Number(numDeletedRows), anonymized: Number(numUpdatedRows) };
    });
  }

  private async update(address: EffectAddress, id: string, set: Partial<EffectsTable>): Promise<void> {
    await this.database.run((queries) => updateOpen(queries, keyOf(address), id, set));
  }
}

function keyOf({ appName, scope, tool, key }: EffectAddress): Key {
  return { app: storedName(appName), scope: storedName(scope), tool: storedName(tool), key: storedName(key) };
}

async function insertClaim(queries: Queries, key: Key, claim: EffectClaim): Promise<boolean> {
  const inserted = await queries
    .insertInto('adorn_effects')
    .values({ ...key, ...columnsOf(claim), result: null, done_at: null })
    .onConflict((taken) => taken.columns(['app', 'scope', 'tool', 'key']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

async function replaceClaim(
  queries: Queries,
  key: Key,
  { claim, lapsed }: { readonly claim: EffectClaim; readonly lapsed: string },
): Promise<boolean> {
  const heldUntil = claim.id === lapsed ? undefined : claim.at;
  return (await updateOpen(queries, key, lapsed, columnsOf(claim), heldUntil)) === 1n;
}

/**
 * Changes a claim that stands, and is not done. Returns how many there were.
 *
 * @param heldUntil the latest time until which the claim may be known to run. Default: any
 */
async function updateOpen(
  queries: Queries,
  key: Key,
  id: string,
  set: Partial<EffectsTable>,
  heldUntil?: number,
): Promise<bigint> {
  let open = queries
    .updateTable('adorn_effects')
    .set(set)
    .where((eb) => eb.and(key))
    .where('claim_id', '=', id)
    .where('done_at', 'is', null);
  if (heldUntil !== undefined) open = open.where('held_until', '<=', heldUntil);
  const { numUpdatedRows } = await open.executeTakeFirst();
  return numUpdatedRows;
}

/** Deletes what has expired, but for the effect of the call itself, and one whose call is known to run. */
async function deleteExpired(queries: Queries, key: Key, { id, at }: EffectClaim): Promise<void> {
  await queries
    .deleteFrom('adorn_effects')
    .where((eb) => eb.and(key))
    .where('expires_at', '<=', at)
    .where('claim_id', '!=', id)
    .where((eb) => eb.or([eb('done_at', 'is not', null), eb('held_until', '<=', at)]))
    .execute();
}

/** Ends a claim that stands, is not done, and is not known to run. */
async function settleOpen(
  queries: Queries,
  key: Key,
  { claim, at, done }: EffectSettlement,
): Promise<boolean> {
  const unknown = (eb: ExpressionBuilder<Tables, 'adorn_effects'>) =>
    eb.and([
      eb.and({ ...key, claim_id: claim.id, claimed_at: claim.at }),
      eb('done_at', 'is', null),
      eb('held_until', '<=', at),
    ]);
  if (!done) {
    const { numDeletedRows } = await queries.deleteFrom('adorn_effects').where(unknown).executeTakeFirst();
    return numDeletedRows === 1n;
  }
  const { numUpdatedRows } = await queries
    .updateTable('adorn_effects')
    .set({ result: JSON.stringify(done.result ?? null), done_at: done.at })
    .where(unknown)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function selectEffect(queries: Queries, key: Key) {
  return queries
    .selectFrom('adorn_effects')
    .selectAll()
    .where((eb) => eb.and(key));
}

function columnsOf({ id, by, at, until, expiresAt }: EffectClaim) {
  return {
    claim_id: id,
    claimed_by: storedName(by),
    claimed_at: at,
    held_until: until,
    expires_at: expiresAt ?? null,
  };
}

function addressOf({ app, scope, tool, key }: EffectsTable): EffectAddress {
  return { appName: nameFrom(app), scope: nameFrom(scope), tool: nameFrom(tool), key: nameFrom(key) };
}

function claimOf(row: EffectsTable): EffectClaim {
  return {
    id: row.claim_id,
    by: nameFrom(row.claimed_by),
    at: row.claimed_at,
    until: row.held_until,
    expiresAt: row.expires_at ?? undefined,
  };
}

function entryOf(row: EffectsTable): EffectEntry {
  const claim = claimOf(row);
  const { done_at: at, result } = row;
  if (at === null || result === null) return { claim, isNew: false };
  const shown = (): string => `${row.tool} ${row.key}`;
  return { claim, isNew: false, done: { result: storedJson(result, 'adorn_effects', shown), at } };
}
