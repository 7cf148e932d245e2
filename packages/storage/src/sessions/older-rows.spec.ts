import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  type SessionKey,
  SessionService,
} from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { sql } from 'kysely';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { migrate } from '../migrations/migrate.js';
import { toVersion6 } from '../migrations/earlier-versions.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY: SessionKey = { appName: 'clerk', userId: 'ada', sessionId: 's1' };
const HEAD = { invocationId: 'e-1', author: 'clerk', id: 'a1', timestamp: 12 };

/** Rows as versions wrote them that stored a content as it came. */
const BODIES: readonly [string, unknown][] = [
  [
    'a null response',
    { ...HEAD, content: { role: 'model', parts: [{ text: 'Hi', functionResponse: null }] } },
  ],
  ['a null call', { ...HEAD, content: { role: 'model', parts: [{ text: 'Hi', functionCall: null }] } }],
  ['a null part', { ...HEAD, content: { role: 'model', parts: [null] } }],
  ['null parts', { ...HEAD, content: { role: 'model', parts: null } }],
  ['a null content', { ...HEAD, content: null }],
  ['null lists', { ...HEAD, actions: null, longRunningToolIds: null }],
];

/** The migrations after version 6. */
const LATER = [
  '007-runs',
  '008-words-of-owners',
  '009-embedders',
  '010-listings',
  '011-run-holds',
  '012-effects',
  '013-open-requests',
  '014-mail',
];

const ASKED = new Event({ invocationId: 'e-2', author: 'user', timestamp: 19 });
const PAUSED = new Event({
  invocationId: 'e-2',
  author: 'clerk',
  timestamp: 20,
  content: {
    role: 'user',
    parts: [{ functionResponse: { id: 'c1', name: 'export', response: {}, willContinue: true } }],
  },
  longRunningToolIds: ['c1'],
});
const ENDED = new Event({ ...HEAD, id: undefined, content: { role: 'model', parts: [{ text: 'Bye.' }] } });
const SUMMARY = new Event({
  invocationId: 'e-1',
  author: 'clerk',
  timestamp: 21,
  actions: {
    compaction: { startTimestamp: 1, endTimestamp: 2, compactedContent: { role: 'model', parts: [] } },
  },
});

/** Logs as versions wrote them that did not record runs. */
const LOGS: Readonly<Record<string, readonly Event[]>> = {
  interrupted: [ENDED, ASKED],
  paused: [ASKED, PAUSED],
  ended: [ASKED, ENDED],
  summarised: [ASKED, ENDED, SUMMARY],
  damaged: [new Event({ ...HEAD, id: 'damaged' })],
  empty: [],
};

describeEachDatabase((_name, open) => {
  it.each(BODIES)('a row with %s is read, and its session goes on', async (_what, body) => {
    const database = await open();
    const writer = new SqlSessionService(database);
    await writer.appendEvent(await writer.createSession(KEY), new Event(HEAD));
    await database.run((queries) =>
      queries
        .updateTable('adorn_events')
        .set({ body: JSON.stringify(body) })
        .execute(),
    );
    const model = new ScriptedModel(says('Fine.'));
    const modules = [bound(new SqlSessionService(database))];
    const runner = await createRunner(defineAgent({ name: 'clerk' }), { model, modules });

    expect(await runner.ask('How are you?', KEY)).toBe('Fine.');
    expect(await runner.pending(KEY)).toEqual([]);
    await runner.close();
  });

  it('the last runs of a database without records are found by the ends of the logs', async () => {
    const database = await open();
    const writer = new SqlSessionService(database);
    for (const [sessionId, events] of Object.entries(LOGS)) {
      let session = await writer.createSession({ ...KEY, sessionId });
      for (const event of events) session = await writer.appendEvent(session, event);
    }
    const many = Array.from({ length: 230 }, (_, index) => `many-${String(index)}`);
    for (const sessionId of many)
      await writer.appendEvent(await writer.createSession({ ...KEY, sessionId }), ENDED);
    await database.run(async (queries) => {
      await toVersion6(queries, database.dialect);
      await sql`update adorn_events set body = '{' where id = 'damaged'`.execute(queries);
      expect(await migrate(queries, database)).toEqual(LATER);
    });
    const sessions = new SqlSessionService(database);

    const found = await sessions.listSessions(KEY);

    const runs = new Map(found.map(({ id, lastRun }) => [id, lastRun]));
    expect(Object.fromEntries(Object.keys(LOGS).map((id) => [id, runs.get(id)?.status]))).toEqual({
      interrupted: 'open',
      paused: 'paused',
      ended: 'ended',
      summarised: 'ended',
      damaged: undefined,
      empty: undefined,
    });
    expect(runs.get('paused')).toEqual({ id: 'e-2', status: 'paused', epoch: 1, openedAt: 20, attempts: 0 });
    expect(many.map((id) => runs.get(id)?.status)).toEqual(many.map(() => 'ended'));
    expect(
      (await sessions.listRuns({ appName: 'clerk', status: 'open' })).map((one) => one.sessionId),
    ).toEqual(['interrupted']);
    const paused = await sessions.getSession({ ...KEY, sessionId: 'paused' });
    await sessions.appendEvent(paused!, ENDED, { opens: { id: 'e-9', after: 1, at: 30 } });
    expect(paused?.lastRun).toMatchObject({ id: 'e-9', epoch: 2 });
  });
});

function bound(sessions: SessionService): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
  });
}
