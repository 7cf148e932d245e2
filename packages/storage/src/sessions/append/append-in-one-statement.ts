import { type RawBuilder, sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { isEmpty, type SharedWrite, type StateRows } from '../state-write.js';
import type { EventWrite, PlacedEvent } from './event-write.js';

type Part = RawBuilder<unknown>;

interface PlacedRow {
  readonly seq: number;
  readonly state_version: number;
  readonly user_version: number | null;
  readonly app_version: number | null;
}

/**
 * Appends by one statement, and so by one round trip: for PostgreSQL. The session's row is locked first; a second
 * writer waits there, and then looks at the row anew.
 *
 * @returns undefined where the session is not there, or not as the writer expects it
 */
export async function appendInOneStatement(
  queries: Queries,
  write: EventWrite,
): Promise<PlacedEvent | undefined> {
  const { own, user, app } = write;
  const parts = [
    placeOf(write),
    eventOf(write),
    ...answeredOf(write),
    ...openedOf(write),
    ...ownStateOf(own),
    ...sharedStateOf('user', user),
    ...sharedStateOf('app', app),
  ];
  const { rows } = await sql<PlacedRow>`
    with ${sql.join(parts)}
    select place.seq, place.state_version, ${versionOf('user', user)}, ${versionOf('app', app)} from place
  `.execute(queries);
  const [placed] = rows;
  if (placed === undefined) return undefined;
  const { seq, state_version: ownVersion, user_version, app_version } = placed;
  return { seq, ownVersion, userVersion: user_version ?? undefined, appVersion: app_version ?? undefined };
}

function placeOf({ sessionNo, timestamp, own, expectedSeq, epoch, epochOf }: EventWrite): Part {
  const changed = isEmpty(own) ? 0 : 1;
  const isExpected = expectedSeq === undefined ? sql`` : sql`and next_seq = ${expectedSeq}`;
  const isCurrent =
    epoch === undefined
      ? sql``
      : sql`and coalesce((epochs::jsonb ->> ${epochOf}::text)::integer, 0) <= ${epoch}`;
  return sql`place as (
    update adorn_sessions
    set next_seq = next_seq + 1, state_version = state_version + ${changed}, updated_at = ${timestamp}
    where no = ${sessionNo} ${isExpected} ${isCurrent}
    returning no, next_seq - 1 as seq, state_version)`;
}

function eventOf({ id, invocationId, timestamp, body }: EventWrite): Part {
  return sql`event as (
    insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
    select no, seq, ${id}, ${invocationId}, ${timestamp}::double precision, ${body} from place)`;
}

/** A second answer is written as the place -1, which the table refuses, and the whole statement with it. */
function* answeredOf({ consumes }: EventWrite): Generator<Part> {
  if (consumes.length === 0) return;
  yield sql`answered as (
    insert into adorn_requests (session_no, id, answered_seq)
    select place.no, request.id, place.seq from place, unnest(${consumes}::text[]) as request (id)
    on conflict (session_no, id) do update set answered_seq =
      case when adorn_requests.answered_seq is null then excluded.answered_seq else -1 end)`;
}

function* openedOf({ opens }: EventWrite): Generator<Part> {
  if (opens.length === 0) return;
  yield sql`opened as (
    insert into adorn_requests (session_no, id, opened_seq)
    select place.no, request.id, place.seq from place, unnest(${opens}::text[]) as request (id)
    on conflict (session_no, id) do nothing)`;
}

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
