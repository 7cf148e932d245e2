import { type RawBuilder, sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { isEmpty, type SharedWrite, type StateRows } from '../state-write.js';
import type { AppendWrite, PlacedWrite, Resumed } from './append-write.js';

type Part = RawBuilder<unknown>;

interface PlacedRow {
  readonly next_seq: number;
  readonly state_version: number;
  readonly run_epoch: number;
  readonly user_version: number | null;
  readonly app_version: number | null;
  readonly continues: string | null;
  readonly attempts: number | null;
}

/**
 * Appends by one statement, and so by one round trip: for PostgreSQL. The session's row is locked first; a second
 * writer waits there, and then looks at the row anew.
 *
 * @returns undefined if the session is gone, or not as the writer expects it
 */
export async function appendToPostgres(
  queries: Queries,
  write: AppendWrite,
): Promise<PlacedWrite | undefined> {
  const { events, own, user, app, opening } = write;
  const parts = [
    placeOf(write),
    ...eventsOf(write),
    ...answeredOf(write),
    ...requestsOf(write),
    ...runOf(write),
    ...ownStateOf(own),
    ...sharedStateOf('user', user),
    ...sharedStateOf('app', app),
  ];
  const resumed = opening === undefined ? NOTHING_RESUMED : RESUMED;
  const { rows } = await sql<PlacedRow>`
    with ${sql.join(parts)}
    select place.next_seq, place.state_version, place.run_epoch,
      ${versionOf('user', user)}, ${versionOf('app', app)}, ${resumed}
    from place`.execute(queries);
  const [placed] = rows;
  if (placed === undefined) return undefined;
  const { next_seq, state_version: ownVersion, run_epoch: epoch, user_version, app_version } = placed;
  const { continues, attempts } = placed;
  return {
    seq: next_seq - events.length,
    ownVersion,
    userVersion: user_version ?? undefined,
    appVersion: app_version ?? undefined,
    epoch,
    resumed: attempts === null ? undefined : ({ continues, attempts } satisfies Resumed),
  };
}

function placeOf({ sessionNo, events, own, expectedSeq, expectedEpoch, opening }: AppendWrite): Part {
  const changes = isEmpty(own) ? 0 : 1;
  const time = events.at(-1)?.timestamp;
  const moved = time === undefined ? sql`` : sql`, updated_at = ${time}`;
  const taken = opening === undefined ? sql`` : sql`, run_epoch = ${opening.epoch}, last_run = ${opening.id}`;
  const isExpected = expectedSeq === undefined ? sql`` : sql`and next_seq = ${expectedSeq}`;
  const isCurrent = expectedEpoch === undefined ? sql`` : sql`and run_epoch = ${expectedEpoch}`;
  return sql`place as (
    update adorn_sessions
    set next_seq = next_seq + ${events.length}, state_version = state_version + ${changes} ${moved} ${taken}
    where no = ${sessionNo} ${isExpected} ${isCurrent}
    returning no, next_seq, next_seq - ${events.length}::integer as seq, state_version, run_epoch, last_run)`;
}

function* eventsOf({ events }: AppendWrite): Generator<Part> {
  if (events.length === 0) return;
  const rows = events.map(
    ({ id, invocationId, timestamp, body }, index) =>
      sql`(${index}::integer, ${id}, ${invocationId}, ${timestamp}::double precision, ${body})`,
  );
  yield sql`event as (
    insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
    select place.no, place.seq + row.index, row.id, row.invocation_id, row.timestamp, row.body
    from place, (values ${sql.join(rows)}) as row (index, id, invocation_id, timestamp, body))`;
}

/** A second answer is written as the position -1, which the table refuses, and the whole statement with it. */
function* answeredOf({ answers }: AppendWrite): Generator<Part> {
  if (answers.length === 0) return;
  yield sql`answered as (
    insert into adorn_requests (session_no, id, answered_seq)
    select place.no, request.id, place.seq from place, unnest(${answers}::text[]) as request (id)
    on conflict (session_no, id) do update set answered_seq =
      case when adorn_requests.answered_seq is null then excluded.answered_seq else -1 end)`;
}

function* requestsOf({ events, answers }: AppendWrite): Generator<Part> {
  // An id that is answered has its row from that part of the statement.
  const asked = events.flatMap(({ requests }, index) =>
    requests.filter((id) => !answers.includes(id)).map((id) => ({ id, index })),
  );
  if (asked.length === 0) return;
  const ids = asked.map(({ id }) => id);
  const indices = asked.map(({ index }) => index);
  yield sql`asked as (
    insert into adorn_requests (session_no, id, opened_seq)
    select place.no, request.id, place.seq + request.index
    from place, unnest(${ids}::text[], ${indices}::integer[]) as request (id, index)
    on conflict (session_no, id) do nothing)`;
}

/** The session as it was before the statement tells its last run, which ends if it is open. */
function* runOf({ opening, becomes }: AppendWrite): Generator<Part> {
  if (opening !== undefined) {
    const { id, continues, status, epoch, opened_at, isRecovery, isLastOpen } = opening;
    if (isLastOpen) {
      yield sql`ended as (
        update adorn_runs as run set status = 'ended' from place, adorn_sessions as before
        where before.no = place.no and run.session_no = place.no
          and run.id = before.last_run and run.id <> ${id} and run.status = 'open')`;
    }
    yield sql`opened as (
      insert into adorn_runs (session_no, id, continues, status, epoch, opened_at, attempts)
      select no, ${id}, ${continues}, ${status}, ${epoch}::integer, ${opened_at}::double precision,
        ${isRecovery ? 1 : 0}::integer
      from place
      on conflict (session_no, id) do update set
        continues = coalesce(excluded.continues, adorn_runs.continues), status = excluded.status,
        epoch = excluded.epoch, opened_at = excluded.opened_at,
        attempts = case excluded.attempts when 0 then 0 else adorn_runs.attempts + 1 end
      returning continues, attempts)`;
  }
  if (becomes !== undefined) {
    yield sql`became as (
      update adorn_runs as run set status = ${becomes} from place
      where run.session_no = place.no and run.id = place.last_run)`;
  }
}

const RESUMED = sql`(select continues from opened), (select attempts from opened)`;
const NOTHING_RESUMED = sql`null as continues, null as attempts`;

function* ownStateOf({ set, gone }: StateRows): Generator<Part> {
  if (set.length > 0) {
    yield sql`own_set as (
      insert into adorn_session_state (session_no, key, value)
      select place.no, written.key, written.value from place, ${rowsOf(set)}
      on conflict (session_no, key) do update set value = excluded.value)`;
  }
  if (gone.length > 0) {
    yield sql`own_gone as (
      delete from adorn_session_state using place where session_no = place.no and key = any(${gone}::text[]))`;
  }
}

function* sharedStateOf(scope: 'user' | 'app', write: SharedWrite): Generator<Part> {
  if (isEmpty(write)) return;
  const { address, set, gone } = write;
  const name = sql.ref(`${scope}_scope`);
  yield sql`${name} as (
    insert into adorn_scopes (address, version) select ${address}, 1 from place
    on conflict (address) do update set version = adorn_scopes.version + 1
    returning no, version)`;
  if (set.length > 0) {
    yield sql`${sql.ref(`${scope}_set`)} as (
      insert into adorn_scope_state (scope_no, key, value)
      select ${name}.no, written.key, written.value from ${name}, ${rowsOf(set)}
      on conflict (scope_no, key) do update set value = excluded.value)`;
  }
  if (gone.length > 0) {
    yield sql`${sql.ref(`${scope}_gone`)} as (
      delete from adorn_scope_state using ${name}
      where scope_no = ${name}.no and key = any(${gone}::text[]))`;
  }
}

function rowsOf(set: StateRows['set']): Part {
  const keys = set.map(({ key }) => key);
  const values = set.map(({ value }) => value);
  return sql`unnest(${keys}::text[], ${values}::text[]) as written (key, value)`;
}

function versionOf(scope: 'user' | 'app', write: SharedWrite): Part {
  const name = sql.ref(`${scope}_version`);
  return isEmpty(write)
    ? sql`null::integer as ${name}`
    : sql`(select version from ${sql.ref(`${scope}_scope`)}) as ${name}`;
}
