import { CompiledQuery } from 'kysely';

import type { Queries } from '../../database/database.js';
import { PREPARED } from '../../database/postgres/statement-names.js';
import type { RunsTable } from '../../database/tables.js';
import { isEmpty, type SharedWrite } from '../state-write.js';
import { DATABASE_NOW } from '../runs/run-holds.js';
import { scopeStart } from '../scope-start.js';
import type { AppendWrite, PlacedWrite } from './append-write.js';

/** Adds a parameter to the statement. Returns its place in the text. */
type Bind = (value: unknown) => string;

/** The end of a run. */
export type ClosingRow = Pick<RunsTable, 'session_no' | 'id' | 'epoch' | 'status'>;

/** Writes of several sessions. Of each session there is one, and a write to a shared state is alone. */
export interface PostgresBatch {
  readonly appends: readonly AppendWrite[];
  readonly closings: readonly ClosingRow[];
}

interface PlacedRow {
  readonly no: number;
  readonly next_seq: number;
  readonly state_version: number;
  readonly run_epoch: number;
  readonly user_version: number | null;
  readonly app_version: number | null;
  readonly continues: string | null;
  readonly attempts: number | null;
}

/**
 * Writes a batch by one statement, and so by one round trip: for PostgreSQL. The rows of the sessions are locked first. A
 * lone append waits for its row, and then looks at it anew; a batch leaves out a session whose row is locked.
 *
 * @returns for each append its place; undefined if the session is gone, or not as the writer expects it, or left out
 */
export async function writeToPostgres(
  queries: Queries,
  { appends, closings }: PostgresBatch,
): Promise<readonly (PlacedWrite | undefined)[]> {
  const [only] = appends;
  const shared = appends.length === 1 && only ? only : undefined;
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${String(parameters.push(value))}`;
  const parts = [
    ...placesOf(appends, bind),
    ...eventsOf(appends, bind),
    ...answersOf(appends, bind),
    ...requestsOf(appends, bind),
    ...marksOf(appends, bind),
    ...openingsOf(appends, bind),
    ...statusesOf(appends, bind),
    ...closingsOf(closings, bind),
    ...ownStatesOf(appends, bind),
    ...(shared ? sharedStateOf('user', shared.user, bind) : []),
    ...(shared ? sharedStateOf('app', shared.app, bind) : []),
  ];
  const [resumed, opened] = appends.some(({ opening }) => opening !== undefined)
    ? ['opened.continues, opened.attempts', 'left join opened on opened.session_no = place.no']
    : ['null::text as continues, null::integer as attempts', ''];
  const text = `${PREPARED} with ${parts.join(', ')}
    select place.no, place.next_seq, place.state_version, place.run_epoch,
      ${versionOf('user', shared?.user)}, ${versionOf('app', shared?.app)}, ${resumed}
    from place ${opened}`;
  const { rows } = await queries.executeQuery<PlacedRow>(CompiledQuery.raw(text, parameters));
  const placed = new Map(rows.map((row) => [row.no, row]));
  return appends.map((append) => {
    const row = placed.get(append.sessionNo);
    return row && placedWrite(append, row);
  });
}

function placedWrite({ events }: AppendWrite, row: PlacedRow): PlacedWrite {
  const { next_seq, state_version, run_epoch, user_version, app_version, continues, attempts } = row;
  return {
    seq: next_seq - events.length,
    ownVersion: state_version,
    userVersion: user_version ?? undefined,
    appVersion: app_version ?? undefined,
    epoch: run_epoch,
    resumed: attempts === null ? undefined : { continues, attempts },
  };
}

/** Rows of parameters: one array for each column, so that the text does not depend on the number of rows. */
function rowsOf<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, readonly [type: string, value: (row: Row) => unknown]>>,
  name: string,
  bind: Bind,
): string {
  const arrays = Object.values(columns).map(([type, value]) => `${bind(rows.map(value))}::${type}[]`);
  return `unnest(${arrays.join(', ')}) as ${name} (${Object.keys(columns).join(', ')})`;
}

function* placesOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const rows = rowsOf(
    appends,
    {
      session_no: ['bigint', ({ sessionNo }) => sessionNo],
      events: ['integer', ({ events }) => events.length],
      changes: ['integer', ({ own }) => (isEmpty(own) ? 0 : 1)],
      time: ['double precision', ({ events }) => events.at(-1)?.timestamp ?? null],
      expected_seq: ['integer', ({ expectedSeq }) => expectedSeq ?? null],
      expected_epoch: ['integer', ({ expectedEpoch }) => expectedEpoch ?? null],
      epoch: ['integer', ({ opening }) => opening?.epoch ?? null],
      run: ['text', ({ opening }) => opening?.id ?? null],
    },
    'write',
    bind,
  );
  const isBatch = appends.length > 1;
  if (isBatch) {
    yield `free as (
      select no from adorn_sessions where no = any(${bind(appends.map(({ sessionNo }) => sessionNo))}::bigint[])
      for no key update skip locked)`;
  }
  yield `place as (
    update adorn_sessions as session set
      next_seq = session.next_seq + write.events, state_version = session.state_version + write.changes,
      updated_at = coalesce(write.time, session.updated_at), run_epoch = coalesce(write.epoch, session.run_epoch),
      last_run = coalesce(write.run, session.last_run)
    from ${rows}
    where session.no = write.session_no ${isBatch ? `and session.no in (select no from free)` : ``}
      and (write.expected_seq is null or write.expected_seq = session.next_seq)
      and (write.expected_epoch is null or write.expected_epoch = session.run_epoch)
    returning session.no, session.next_seq, session.next_seq - write.events as seq, session.state_version,
      session.run_epoch, session.last_run)`;
}

function* eventsOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const events = appends.flatMap(({ sessionNo, events: own }) =>
    own.map((event, index) => ({ sessionNo, index, ...event })),
  );
  if (events.length === 0) return;
  const rows = rowsOf(
    events,
    {
      session_no: ['bigint', ({ sessionNo }) => sessionNo],
      index: ['integer', ({ index }) => index],
      id: ['text', ({ id }) => id],
      invocation_id: ['text', ({ invocationId }) => invocationId],
      timestamp: ['double precision', ({ timestamp }) => timestamp],
      body: ['text', ({ body }) => body],
    },
    'event',
    bind,
  );
  yield `event as (
    insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
    select place.no, place.seq + event.index, event.id, event.invocation_id, event.timestamp, event.body
    from place join ${rows} on event.session_no = place.no)`;
}

/** A second answer is written as the position -1, which the table refuses, and the whole statement with it. */
function* answersOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const answers = appends.flatMap(({ sessionNo, answers: ids }) => ids.map((id) => ({ sessionNo, id })));
  if (answers.length === 0) return;
  yield `answered as (
    insert into adorn_requests (session_no, id, answered_seq)
    select place.no, request.id, place.seq from place join ${rowsOf(answers, KEYED, 'request', bind)}
      on request.session_no = place.no
    on conflict (session_no, id) do update set answered_seq =
      case when adorn_requests.answered_seq is null then excluded.answered_seq else -1 end)`;
}

/** A row of a session, with a name. */
const KEYED: Parameters<typeof rowsOf<{ readonly sessionNo: number; readonly id: string }>>[1] = {
  session_no: ['bigint', ({ sessionNo }) => sessionNo],
  id: ['text', ({ id }) => id],
};

const CONTINUES: readonly ['text', (run: { readonly continues: string | null }) => string | null] = [
  'text',
  ({ continues }) => continues,
];

function* requestsOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  // An id that is answered has its row from that part of the statement.
  const asked = appends.flatMap(({ sessionNo, events, answers }) =>
    events.flatMap(({ requests }, index) =>
      requests.filter((id) => !answers.includes(id)).map((id) => ({ sessionNo, id, index })),
    ),
  );
  if (asked.length === 0) return;
  const rows = rowsOf(asked, { ...KEYED, index: ['integer', ({ index }) => index] }, 'request', bind);
  yield `asked as (
    insert into adorn_requests (session_no, id, opened_seq)
    select place.no, request.id, place.seq + request.index
    from place join ${rows} on request.session_no = place.no
    on conflict (session_no, id) do nothing)`;
}

function* marksOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const marked = appends.filter(({ touches }) => touches).map(({ sessionNo }) => sessionNo);
  if (marked.length === 0) return;
  yield `marked as (
    insert into adorn_asking (session_no, touched_seq)
    select place.no, place.next_seq from place where place.no = any(${bind(marked)}::bigint[])
    on conflict (session_no) do update set touched_seq = excluded.touched_seq)`;
}

/** The run that is continued ends, and so does the last one, if it is open: `before` is the session before the statement. */
function* openingsOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const opened = appends.flatMap(({ sessionNo, opening }) => (opening ? [{ sessionNo, ...opening }] : []));
  if (opened.length === 0) return;
  const ending = opened.filter(({ isLastOpen, continues }) => isLastOpen || continues !== null);
  if (ending.length > 0) {
    const next = rowsOf(ending, { ...KEYED, continues: CONTINUES }, 'next', bind);
    yield `ended as (
      update adorn_runs as run set status = 'ended'
      from place join ${next} on next.session_no = place.no
        join adorn_sessions as before on before.no = place.no
      where run.session_no = place.no and run.id = any(array[next.continues, before.last_run])
        and run.id <> next.id and (run.id = next.continues or run.status = 'open'))`;
  }
  const rows = rowsOf(
    opened,
    {
      ...KEYED,
      continues: CONTINUES,
      status: ['text', ({ status }) => status],
      epoch: ['integer', ({ epoch }) => epoch],
      opened_at: ['double precision', ({ opened_at }) => opened_at],
      attempts: ['integer', ({ isRecovery }) => (isRecovery ? 1 : 0)],
      is_held: ['boolean', ({ isHeld }) => isHeld],
    },
    'run',
    bind,
  );
  yield `opened as (
    insert into adorn_runs (session_no, id, continues, status, epoch, opened_at, attempts, held_at)
    select run.session_no, run.id, run.continues, run.status, run.epoch, run.opened_at, run.attempts,
      case when run.is_held then ${DATABASE_NOW.postgres} end
    from place join ${rows} on run.session_no = place.no
    on conflict (session_no, id) do update set
      continues = coalesce(excluded.continues, adorn_runs.continues), status = excluded.status,
      epoch = excluded.epoch, opened_at = excluded.opened_at,
      attempts = case excluded.attempts when 0 then 0 else adorn_runs.attempts + 1 end,
      held_at = excluded.held_at, read_at = null, is_released = 0, is_cancel_requested = 0
    returning session_no, continues, attempts)`;
}

function* statusesOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const changed = appends.filter(({ becomes }) => becomes !== undefined);
  if (changed.length === 0) return;
  const rows = rowsOf(
    changed,
    {
      session_no: ['bigint', ({ sessionNo }) => sessionNo],
      status: ['text', ({ becomes }) => becomes],
    },
    'next',
    bind,
  );
  yield `became as (
    update adorn_runs as run set status = next.status from place join ${rows} on next.session_no = place.no
    where run.session_no = place.no and run.id = place.last_run)`;
}

function* closingsOf(closings: readonly ClosingRow[], bind: Bind): Generator<string> {
  if (closings.length === 0) return;
  const rows = rowsOf(
    closings,
    {
      session_no: ['bigint', ({ session_no }) => session_no],
      id: ['text', ({ id }) => id],
      epoch: ['integer', ({ epoch }) => epoch],
      status: ['text', ({ status }) => status],
    },
    'closed',
    bind,
  );
  yield `closed as (
    update adorn_runs as run set status = closed.status from ${rows}
    where run.session_no = closed.session_no and run.id = closed.id and run.epoch = closed.epoch)`;
}

function* ownStatesOf(appends: readonly AppendWrite[], bind: Bind): Generator<string> {
  const set = appends.flatMap(({ sessionNo, own }) => own.set.map((row) => ({ sessionNo, ...row })));
  const gone = appends.flatMap(({ sessionNo, own }) => own.gone.map((id) => ({ sessionNo, id })));
  if (set.length > 0) {
    const rows = rowsOf(
      set,
      {
        session_no: ['bigint', ({ sessionNo }) => sessionNo],
        key: ['text', ({ key }) => key],
        value: ['text', ({ value }) => value],
      },
      'written',
      bind,
    );
    yield `own_set as (
      insert into adorn_session_state (session_no, key, value)
      select place.no, written.key, written.value from place join ${rows} on written.session_no = place.no
      on conflict (session_no, key) do update set value = excluded.value)`;
  }
  if (gone.length > 0) {
    yield `own_gone as (
      delete from adorn_session_state as state
      using place join ${rowsOf(gone, KEYED, 'removed', bind)} on removed.session_no = place.no
      where state.session_no = place.no and state.key = removed.id)`;
  }
}

function* sharedStateOf(scope: 'user' | 'app', write: SharedWrite, bind: Bind): Generator<string> {
  if (isEmpty(write)) return;
  const { address, set, gone } = write;
  const name = `${scope}_scope`;
  yield `${name} as (
    insert into adorn_scopes (address, version) select ${bind(address)}, ${bind(scopeStart())}::integer from place
    on conflict (address) do update set version = adorn_scopes.version + 1
    returning no, version)`;
  if (set.length > 0) {
    const rows = rowsOf(
      set,
      { key: ['text', ({ key }) => key], value: ['text', ({ value }) => value] },
      'written',
      bind,
    );
    yield `${scope}_set as (
      insert into adorn_scope_state (scope_no, key, value)
      select ${name}.no, written.key, written.value from ${name}, ${rows}
      on conflict (scope_no, key) do update set value = excluded.value)`;
  }
  if (gone.length > 0) {
    yield `${scope}_gone as (
      delete from adorn_scope_state using ${name}
      where scope_no = ${name}.no and key = any(${bind(gone)}::text[]))`;
  }
}

function versionOf(scope: 'user' | 'app', write: SharedWrite | undefined): string {
  return !write || isEmpty(write)
    ? `null::integer as ${scope}_version`
    : `(select version from ${scope}_scope) as ${scope}_version`;
}
