import { Event, type Session, type SessionKey } from '@adorn/core';
import pg from 'pg';
import { sql } from 'kysely';

import { describeEachDatabase } from '../../database/backends.fixture.js';
import type { Database } from '../../database/database.js';
import { SqlSessionService } from '../sql-session.service.js';

const KEY: SessionKey = { appName: 'shop', userId: 'ada', sessionId: 's1' };
const AT = 1_700_000_000;

describeEachDatabase((name, open) => {
  let database: Database;
  let here: SqlSessionService;
  let elsewhere: SqlSessionService;

  beforeEach(async () => {
    database = await open();
    [here, elsewhere] = [new SqlSessionService(database), new SqlSessionService(database)];
    await here.createSession(KEY);
  });

  it('every read shows the run that another process has opened or closed', async () => {
    const held = await here.getSession(KEY);
    await elsewhere.openRun(KEY, { id: 'e-1', after: 0, at: AT });
    expect(await readsOf(here)).toEqual(Array.from({ length: 3 }, () => 'e-1 open 1'));
    await elsewhere.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'paused');
    expect(await readsOf(here)).toEqual(Array.from({ length: 3 }, () => 'e-1 paused 1'));
    await elsewhere.openRun(KEY, { id: 'e-2', after: 1, at: AT });

    expect(runOf(await here.appendEvent(held!, said('Hi')))).toBe('e-2 open 2');
  });

  it('a run that was refused shows the run that has the session', async () => {
    const held = await here.getSession(KEY);
    await elsewhere.openRun(KEY, { id: 'e-2', after: 0, at: AT });

    const opens = { id: 'e-1', after: 0, at: AT };
    await expect(here.appendEvent(held!, said('Hi'), { opens })).rejects.toMatchObject({
      code: 'SESSION_TAKEN_OVER',
      epoch: 0,
      current: 1,
    });
    expect(runOf(await here.getSession(KEY))).toBe('e-2 open 1');
  });

  if (name === 'PostgreSQL') {
    it('a run is begun, gone on with and ended by one statement each', async () => {
      const session = await here.getSession(KEY);
      const query = jest.spyOn(pg.Client.prototype, 'query');

      await here.appendEvent(session!, said('One'), { opens: { id: 'e-1', after: 0, at: AT } });
      await here.appendEvents(session!, [said('Two'), said('Three')], { epoch: 1 });
      await here.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'ended');

      expect(query).toHaveBeenCalledTimes(3);
      query.mockRestore();
    });
  }

  it('a run that is opened again keeps what its record says, in this process and in others', async () => {
    await here.openRun(KEY, { id: 'e-1', continues: 'e-0', after: 0, at: AT });
    await here.openRun(KEY, { id: 'e-1', after: 1, at: AT, isRecovery: true });
    const session = await elsewhere.getSession(KEY);

    const opens = { id: 'e-1', after: 2, at: AT + 1, isRecovery: true };
    await elsewhere.appendEvent(session!, said('Again'), { opens });

    const record = { id: 'e-1', continues: 'e-0', status: 'open', epoch: 3, openedAt: AT + 1, attempts: 2 };
    expect(session?.lastRun).toEqual(record);
    expect((await here.getSession(KEY))?.lastRun).toEqual(record);
  });

  it('none of several events is shown or stored where the session was taken over meanwhile', async () => {
    const session = await here.getSession(KEY);
    await here.appendEvent(session!, said('Mine'), { opens: { id: 'e-1', after: 0, at: AT } });
    await elsewhere.openRun(KEY, { id: 'e-2', after: 1, at: AT });

    const late = [said('Late'), said('Later')];
    await expect(here.appendEvents(session!, late, { epoch: 1, becomes: 'paused' })).rejects.toMatchObject({
      code: 'SESSION_TAKEN_OVER',
    });

    expect(session?.nextSeq).toBe(1);
    expect((await elsewhere.getSession(KEY))?.nextSeq).toBe(1);
    expect((await elsewhere.listRuns({ status: 'ended' })).map(({ run }) => run.id)).toEqual(['e-1']);
  });

  it('more runs than a page holds are listed once each, the oldest first', async () => {
    await fill(database, 1203);

    const found = await here.listRuns({ appName: 'many', status: 'open' });

    expect(found).toHaveLength(1203);
    expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(1203);
    const times = found.map(({ run }) => run.openedAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const first = await here.listRuns({ appName: 'many', status: 'open', limit: 700 });
    expect(first).toEqual(found.slice(0, 700));
  });

  it('runs of another application are looked at in pages, and hide none of this one', async () => {
    await fill(database, 4_100);
    await here.openRun(KEY, { id: 'mine', after: 0, at: AT - 50.5 });
    const reads = jest.spyOn(database, 'run');

    const found = await here.listRuns({ appName: 'shop', status: 'open' });

    expect(found.map(({ run }) => run.id)).toEqual(['mine']);
    expect(reads).toHaveBeenCalledTimes(3);
    expect(await here.listRuns({ appName: 'few', status: 'open' })).toEqual([]);
  });

  it('runs that ended are read a page at a time, and once each', async () => {
    await fill(database, 1203);
    const reads = jest.spyOn(database, 'run');
    await database.run((queries) =>
      queries.updateTable('adorn_runs').set({ status: 'ended' }).where('id', 'like', '%e-1%').execute(),
    );
    reads.mockClear();
    const found = await here.listRuns({ appName: 'many', status: 'ended', touchedSince: AT - 1 });
    expect(reads).toHaveBeenCalledTimes(13);
    const wanted = (await here.listRuns({ status: 'ended' })).filter(({ run }) => run.openedAt >= AT - 1);
    expect(found).toEqual(wanted);
    expect(found.length).toBeGreaterThan(20);
  });

  it('other work is done between the pages', async () => {
    await fill(database, 1203);
    let turns = 0;
    const other = setInterval(() => turns++, 0);

    await here.listRuns({ appName: 'many', status: 'open' });

    clearInterval(other);
    expect(turns).toBeGreaterThan(2);
  });

  it('a session that is imported has the last run of its record', async () => {
    const run = {
      id: 'e-7',
      continues: 'e-6',
      status: 'paused',
      epoch: 9,
      openedAt: AT,
      attempts: 2,
    } as const;
    const moved = { ...KEY, sessionId: 'moved' };

    await here.importSession(moved, { state: {}, events: [said('Hi')], run });

    const { lastRun } = (await elsewhere.getSession(moved))!;
    expect(lastRun).toMatchObject({ id: 'e-7', continues: 'e-6', status: 'paused', openedAt: AT });
    await elsewhere.openRun(moved, { id: 'e-8', after: lastRun?.epoch ?? 0, at: AT });
    expect((await here.listRuns({ status: 'paused' })).map(({ sessionId }) => sessionId)).toEqual(['moved']);
  });
});

/** What each kind of read shows of the last run. */
async function readsOf(sessions: SqlSessionService): Promise<(string | undefined)[]> {
  const [listed] = await sessions.listSessions(KEY);
  const excerpt = await sessions.getSession(KEY, { numRecentEvents: 1 });
  return [await sessions.getSession(KEY), excerpt, listed].map(runOf);
}

function runOf(session: Pick<Session, 'lastRun'> | undefined): string | undefined {
  const run = session?.lastRun;
  return run && `${run.id} ${run.status} ${String(run.epoch)}`;
}

function said(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}

/** Sessions with an open run each, several of them opened at the same time. */
async function fill(database: Database, count: number): Promise<void> {
  await database.transaction(async (queries) => {
    for (let index = 0; index < count; index++) {
      const names = sql.join(['many', 'ada', String(index)]);
      await sql`
        insert into adorn_sessions (app, user_id, id, next_seq, state_version, created_at, updated_at, run_epoch, last_run)
        values (${names}, 0, 0, 0, 0, 1, 'e-1')`.execute(queries);
    }
    await sql`
      insert into adorn_runs (session_no, id, status, epoch, opened_at, attempts)
      select no, 'e-1', 'open', 1, ${AT} - no % 100, 0 from adorn_sessions where app = 'many'`.execute(
      queries,
    );
  });
}
