import { Event, type Session, type SessionKey } from '@adorn/core';
import { sql } from 'kysely';
import pg from 'pg';

import { Database } from '../../database/database.js';
import { A_MINUTE, newPostgresDatabase } from '../../database/postgres-database.fixture.js';
import { SqlSessionService } from '../sql-session.service.js';

describe('appends to PostgreSQL that come together', () => {
  let url: string;
  let database: Database;
  let sessions: SqlSessionService;
  let app = 0;
  beforeAll(async () => {
    url = await newPostgresDatabase();
    database = new Database(url);
  }, A_MINUTE);
  beforeEach(() => {
    app++;
    sessions = new SqlSessionService(database);
  });
  afterAll(async () => {
    await database.close();
  }, A_MINUTE);

  it('are few statements for many sessions, with all that they write', async () => {
    const created = await createAll(60);
    const query = jest.spyOn(pg.Client.prototype, 'query');

    await Promise.all(
      created.map((session, index) =>
        sessions.appendEvent(session, said(String(index), { own: index, gone: null }), {
          opens: { id: 'e-1', after: 0, at: index },
        }),
      ),
    );
    const asked = said('ask', {}, ['c1']);
    await Promise.all(
      created.map((session) => sessions.appendEvents(session, [said('a'), asked], { epoch: 1 })),
    );
    await Promise.all(
      created.map((session) =>
        sessions.appendEvent(session, said('b', { own: null }), {
          epoch: 1,
          consumes: ['c1'],
          becomes: 'paused',
        }),
      ),
    );

    expect(query.mock.calls.length).toBeLessThan(20);
    query.mockRestore();
    const elsewhere = new SqlSessionService(database);
    for (const [index, session] of created.entries()) {
      const found = await elsewhere.getSession(keyOf(session.id));
      expect(textsOf(found)).toEqual([String(index), 'a', 'ask', 'b']);
      expect({ ...found?.state }).toEqual({});
      expect(found?.lastRun).toMatchObject({ id: 'e-1', status: 'paused', openedAt: index });
      expect([textsOf(session), session.lastRun]).toEqual([textsOf(found), found?.lastRun]);
    }
  });

  it('do not wait for a session whose row another process has locked', async () => {
    const created = await createAll(3);
    const ended: string[] = [];
    let appended: Promise<unknown>[] = [];
    await database.transaction(async (queries) => {
      await sql`select 1 from adorn_sessions where id = '1' and app = ${appName()} for update`.execute(
        queries,
      );
      appended = created.map((session) =>
        sessions.appendEvent(session, said('together')).then(() => ended.push(session.id)),
      );
      await Promise.all([appended[0], appended[2]]);
      expect(ended.sort()).toEqual(['0', '2']);
    });
    await Promise.all(appended);

    expect(created.map(textsOf)).toEqual(created.map(() => ['together']));
  });

  it('are refused alone: of an answer that came before, of a run that was overtaken, of a session that is gone', async () => {
    const created = await createAll(5);
    const [answered, overtaken, gone] = created as [Session, Session, Session];
    await sessions.appendEvent(answered, said('yes'), { consumes: ['c1'] });
    const elsewhere = new SqlSessionService(database);
    await elsewhere.openRun(keyOf(overtaken.id), { id: 'e-2', after: 0, at: 1 });
    await elsewhere.deleteSession(keyOf(gone.id));

    const outcomes = await Promise.allSettled(
      created.map((session) =>
        sessions.appendEvent(session, said('together'), {
          epoch: 0,
          consumes: session === answered ? ['c1'] : [],
        }),
      ),
    );

    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : 'kept',
    );
    expect(codes).toEqual(['REQUEST_NOT_PENDING', 'SESSION_TAKEN_OVER', 'SESSION_NOT_FOUND', 'kept', 'kept']);
    expect(created.slice(3).map(textsOf)).toEqual([['together'], ['together']]);
  });

  it('lose nothing where two processes append to the same sessions', async () => {
    const created = await createAll(20);
    const other = new Database(url);
    const elsewhere = new SqlSessionService(other);
    const held = await Promise.all(created.map(({ id }) => elsewhere.getSession(keyOf(id))));
    const texts = Array.from({ length: 10 }, (_, index) => String(index));

    await Promise.all(
      texts.flatMap((text) => [
        ...created.map((session) => sessions.appendEvent(session, said(`here ${text}`, { [text]: 1 }))),
        ...held.map((session) => elsewhere.appendEvent(session!, said(`there ${text}`, { [text]: 2 }))),
      ]),
    );

    for (const { id } of created) {
      const [found, read] = [await sessions.getSession(keyOf(id)), await elsewhere.getSession(keyOf(id))];
      const ofOne = (one: string) => textsOf(found)?.filter((text) => text.startsWith(one));
      expect(ofOne('here')).toEqual(texts.map((text) => `here ${text}`));
      expect(ofOne('there')).toEqual(texts.map((text) => `there ${text}`));
      expect([textsOf(read), { ...read?.state }]).toEqual([textsOf(found), { ...found?.state }]);
    }
    await other.close();
  });

  it('end a run and begin the next one of its session at the same time', async () => {
    const created = await createAll(20);
    for (let epoch = 0; epoch < 3; epoch++) {
      const opens = { id: `e-${String(epoch)}`, after: epoch, at: epoch };
      const closed = { id: `e-${String(epoch - 1)}`, epoch };
      await Promise.all(
        created.flatMap((session) => [
          sessions.closeRun(keyOf(session.id), closed, 'paused'),
          sessions.appendEvent(session, said('go'), { opens }),
        ]),
      );
    }

    const listed = async (status: 'open' | 'paused') =>
      (await sessions.listRuns({ appName: appName(), status })).map(({ run }) => run.id);
    expect(await listed('open')).toEqual(created.map(() => 'e-2'));
    expect((await listed('paused')).sort()).toEqual([
      ...created.map(() => 'e-0'),
      ...created.map(() => 'e-1'),
    ]);
    expect(created.map(({ lastRun }) => lastRun?.epoch)).toEqual(created.map(() => 3));
  });

  function appName(): string {
    return `app-${String(app)}`;
  }

  function keyOf(sessionId: string): SessionKey {
    return { appName: appName(), userId: 'ada', sessionId };
  }

  function createAll(count: number): Promise<Session[]> {
    const ids = Array.from({ length: count }, (_, index) => String(index));
    return Promise.all(ids.map((id) => sessions.createSession(keyOf(id), { gone: 1 })));
  }
});

function said(text: string, stateDelta = {}, longRunningToolIds: readonly string[] = []): Event {
  const responses = longRunningToolIds.map((id) => ({
    functionResponse: { id, name: 'export', response: {}, willContinue: true },
  }));
  const content = { role: 'user', parts: [{ text }, ...responses] };
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    content,
    actions: { stateDelta },
    longRunningToolIds,
  });
}

function textsOf(session: Session | undefined): string[] | undefined {
  return session?.events.map(({ text }) => text);
}
