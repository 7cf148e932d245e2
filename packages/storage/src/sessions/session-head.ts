import type { SessionKey } from '@adorn/core';

import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { PREPARED } from '../database/postgres/statement-names.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { type JoinedRun, RUN_COLUMNS } from './runs/run-row.js';
import { addressesOf } from './shared-state.js';

/** Tells whether a loaded session is up to date: one row, whatever the length of the session. */
export type SessionHead = JoinedRun & {
  readonly no: number;
  readonly title: string | null;
  readonly next_seq: number;
  readonly state_version: number;
  readonly updated_at: number;
  /** Null while nothing was ever written there. */
  readonly user_version: number | null;
  readonly app_version: number | null;
};

export function readHead(queries: Queries, key: SessionKey): Promise<SessionHead | undefined> {
  const addresses = addressesOf(key);
  return queries
    .selectFrom('adorn_sessions as session')
    .leftJoin('adorn_scopes as user', (join) => join.on('user.address', '=', addresses.user))
    .leftJoin('adorn_scopes as app', (join) => join.on('app.address', '=', addresses.app))
    .leftJoin('adorn_runs as run', (join) =>
      join.onRef('run.session_no', '=', 'session.no').onRef('run.id', '=', 'session.last_run'),
    )
    .select([
      'session.no',
      'session.title',
      'session.next_seq',
      'session.state_version',
      'session.updated_at',
    ])
    .select(['user.version as user_version', 'app.version as app_version'])
    .select(RUN_COLUMNS)
    .where('session.app', '=', storedName(key.appName))
    .where('session.user_id', '=', storedName(key.userId))
    .where('session.id', '=', storedName(key.sessionId))
    .modifyEnd(sql.raw(PREPARED))
    .executeTakeFirst();
}

/** The stored title; undefined if there is none. */
export function titleFrom(stored: string | null): string | undefined {
  return stored === null ? undefined : nameFrom(stored);
}
