import {
  agent,
  createRunner,
  defineTool,
  Event,
  importSession,
  LlmAgent,
  type SessionKey,
  type SessionService,
} from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { sql } from 'kysely';

import { describeEachDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import { sqlStorage } from '../sql-storage.js';
import { SqlSessionService } from './sql-session.service.js';

const ADA: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const MALLORY: SessionKey = { ...ADA, userId: 'mallory' };
const HELLO = new Event({ invocationId: 'e-1', author: 'user' });

/** Texts that are statements, patterns or paths to something that reads them so. */
const HOSTILE = [
  "x') or 1=1--",
  "'; drop table adorn_sessions; --",
  '%',
  '_',
  '*',
  'ada" or ""="',
  '\\',
  '$1',
];

describeEachDatabase((_name, open) => {
  let database: Database;
  let sessions: SqlSessionService;

  beforeEach(async () => {
    database = await open();
    sessions = new SqlSessionService(database);
  });

  describe('S4 an answer counts once', () => {
    it('of twenty that are given at the same time by as many holders', async () => {
      await sessions.createSession(ADA);
      const holders = Array.from({ length: 20 }, () => new SqlSessionService(database));

      const outcomes = await Promise.allSettled(
        holders.map(async (holder) => answer(holder, ADA, { consumes: ['adk-1', 'adk-2'] })),
      );

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
        expect(outcome).toMatchObject({ reason: { code: 'REQUEST_NOT_PENDING' } });
      }
      expect((await sessions.getSession(ADA))?.nextSeq).toBe(1);
    });

    it('also after a restart, together with one that is new, which then stays open', async () => {
      await sessions.createSession(ADA);
      await answer(sessions, ADA, { consumes: ['adk-1'] });
      const restarted = new SqlSessionService(database);

      const replay = answer(restarted, ADA, { consumes: ['adk-2', 'adk-1'] });

      await expect(replay).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING', requestId: 'adk-1' });
      await answer(restarted, ADA, { consumes: ['adk-2'] });
      expect((await restarted.getSession(ADA))?.nextSeq).toBe(2);
    });

    it('and not in another session', async () => {
      const refund = defineTool({
        name: 'refund',
        description: 'Refunds.',
        parameters: { type: 'object', properties: {} },
        confirm: true,
        run: () => ({ status: 'ok' }),
      });
      class Clerk extends LlmAgent {}
      agent({ name: 'clerk', description: 'Refunds.', tools: [refund] })(Clerk);
      const model = new ScriptedModel(callsTool('refund', {}), says('Hello.'), says('Done.'));
      await using runner = await createRunner(Clerk, { model, modules: [sqlStorage(':memory:')] });
      await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Refund me' }));
      await eventsOf(runner.run({ userId: 'ada', sessionId: 's2', message: 'Hello' }));
      const [request] = await runner.pending({ userId: 'ada', sessionId: 's1' });
      if (request === undefined) throw new Error('Nothing is pending.');

      for (const elsewhere of [{ sessionId: 's2' }, { userId: 'mallory' }]) {
        const forged = eventsOf(runner.approve({ ...request, ...elsewhere }));
        await expect(forged).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
      }

      const [, second] = await eventsOf(runner.approve(request));
      expect(second?.text).toBe('Done.');
    });
  });

  describe("S6 one user's session is not another's", () => {
    it('whatever is done to it', async () => {
      await sessions.createSession(ADA, { secret: 'canary', 'user:secret': 'canary' });
      const refusal = { code: 'SESSION_NOT_FOUND' };

      expect(await sessions.getSession(MALLORY)).toBeUndefined();
      expect(await sessions.getSession(MALLORY, { numRecentEvents: 9 })).toBeUndefined();
      expect(await sessions.listSessions(MALLORY)).toEqual([]);
      await expect(sessions.updateSession(MALLORY, { secret: 'mine' })).rejects.toMatchObject(refusal);
      await expect(sessions.renameSession(MALLORY, 'Mine')).rejects.toMatchObject(refusal);
      const opening = { id: 'e-1', after: 0, at: 1 };
      await expect(sessions.openRun(MALLORY, opening)).rejects.toMatchObject(refusal);
      await sessions.openRun(ADA, opening);
      await sessions.closeRun(MALLORY, { id: 'e-1', epoch: 1 }, 'ended');
      const forged = { ...MALLORY, id: 's1', state: {}, events: [], nextSeq: 0, lastUpdateTime: 0 };
      await expect(sessions.appendEvent(forged, HELLO)).rejects.toMatchObject(refusal);
      await sessions.deleteSession(MALLORY);

      const found = await sessions.getSession(ADA);
      expect({ ...found?.state }).toEqual({ secret: 'canary', 'user:secret': 'canary' });
      expect(found?.lastRun?.status).toBe('open');
      expect({ ...(await sessions.createSession(MALLORY)).state }).toEqual({});
    });
  });

  describe('S16 what is written to the state stays where it may', () => {
    it('a session file writes nothing for the application or the user', async () => {
      const heading = {
        adorn: 'session',
        version: 1,
        ...ADA,
        state: { 'app:motto': 'x', city: 'Oslo' },
        events: 1,
      };
      const delta = { 'app:motto': 'x', 'user:theme': 'x', 'temp:draft': 'x', size: 1 };
      const event = new Event({ invocationId: 'e-1', author: 'user', actions: { stateDelta: delta } });

      const imported = await importSession(sessions, [JSON.stringify(heading), JSON.stringify(event)]);

      expect({ ...imported.state }).toEqual({ city: 'Oslo' });
      const other = await sessions.createSession({ ...ADA, sessionId: 's2' });
      expect({ ...other.state }).toEqual({});
    });

    it('a key named like what all objects have is a key', async () => {
      const delta = JSON.parse('{"__proto__":{"polluted":1},"user:__proto__":1,"constructor":2}') as object;

      await sessions.createSession(ADA, { ...delta });
      const found = await new SqlSessionService(database).getSession(ADA);

      expect(Object.keys(found?.state ?? {}).sort()).toEqual(['__proto__', 'constructor', 'user:__proto__']);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('fifty megabytes are refused, and so are ten thousand levels, and nothing of them is written', async () => {
      const session = await sessions.createSession(ADA);
      const large = 'x'.repeat(50 * 1024 * 1024);
      let deep: unknown = 1;
      for (let level = 0; level < 10_000; level++) deep = { deep };

      for (const [value, code] of [
        [large, 'EVENT_TOO_LARGE'],
        [deep, 'RESULT_NOT_JSON'],
      ] as const) {
        // An event copies its values, so that it refuses those that are nested too deeply itself.
        const append = async () => {
          const actions = { stateDelta: { value } };
          await sessions.appendEvent(session, new Event({ invocationId: 'e-1', author: 'user', actions }));
        };
        await expect(append()).rejects.toMatchObject({ code });
        await expect(sessions.updateSession(ADA, { value })).rejects.toMatchObject({ code });
        await expect(sessions.createSession({ ...ADA, sessionId: 'new' }, { value })).rejects.toMatchObject({
          code,
        });
      }

      const found = await new SqlSessionService(database).getSession(ADA);
      expect([found?.nextSeq, { ...found?.state }]).toEqual([0, {}]);
      expect(await sessions.listSessions(ADA)).toHaveLength(1);
    });
  });

  describe('S19 what is stored comes back as data', () => {
    it.each([
      { lc: 1, type: 'constructor', id: ['x'], kwargs: {} },
      { __type: 'Event', id: 'forged', author: 'user' },
      { adorn: 'session', version: 1 },
      { toJSON: 'function () { throw 1 }', then: 'x' },
      { $date: 0, $ref: '#/x', '@type': 'Secret', _bsontype: 'ObjectId' },
      '!!js/function "x"',
    ])('%j', async (value) => {
      const text = JSON.stringify(value);
      const content = { role: 'user', parts: [{ text }] };
      const actions = { stateDelta: { value, 'user:value': value } };
      await sessions.createSession(ADA);
      await sessions.appendEvent(
        (await sessions.getSession(ADA))!,
        new Event({ invocationId: 'e-1', author: 'user', content, actions, customMetadata: { value } }),
      );

      const found = await new SqlSessionService(database).getSession(ADA);

      expect(found?.events[0]?.text).toBe(text);
      expect(found?.events[0]?.customMetadata).toEqual({ value });
      expect({ ...found?.state }).toEqual({ value, 'user:value': value });
      for (const stored of [found?.state['value'], found?.events[0]?.customMetadata?.['value']]) {
        if (typeof value === 'object') expect(Object.getPrototypeOf(stored)).toBe(Object.prototype);
      }
    });
  });

  describe('S20 a name is never a statement', () => {
    it.each(HOSTILE)('%s', async (text) => {
      await sessions.createSession(ADA, { city: 'Oslo' });
      const before = await countRows(database);

      for (const field of ['appName', 'userId', 'sessionId'] as const) {
        const key = { ...ADA, [field]: text };
        expect(await sessions.getSession(key)).toBeUndefined();
        expect(await sessions.getSession(key, { afterSeq: 0 })).toBeUndefined();
        if (field !== 'sessionId') expect(await sessions.listSessions(key)).toEqual([]);
        await sessions.deleteSession(key);
      }
      const smuggled = { limit: text, offset: text } as unknown as { limit: number };
      await sessions.listSessions(MALLORY, smuggled).then(
        (listed) => {
          expect(listed).toEqual([]);
        },
        () => undefined,
      );

      expect(await countRows(database)).toBe(before);
      await answer(sessions, ADA, { consumes: [text] });
      await sessions.openRun(ADA, { id: text, continues: text, after: 0, at: 1 });
      await sessions.closeRun(ADA, { id: text, epoch: 1 }, 'paused');
      expect(await sessions.listRuns({ appName: text, status: 'paused' })).toEqual([]);
      expect((await sessions.listRuns({ status: 'paused' }))[0]?.run.continues).toBe(text);
      await sessions.updateSession(ADA, { [text]: text });
      expect((await new SqlSessionService(database).getSession(ADA))?.state[text]).toBe(text);
    });
  });
});

async function answer(
  sessions: SessionService,
  key: SessionKey,
  options: { consumes: readonly string[] },
): Promise<void> {
  const session = await sessions.getSession(key);
  if (session === undefined) throw new Error('The session is not there.');
  await sessions.appendEvent(session, new Event({ invocationId: 'e-1', author: 'user' }), options);
}

async function countRows(database: Database): Promise<number> {
  const { rows } = await database.run((queries) =>
    sql<{ count: number }>`select count(*) as count from adorn_sessions`.execute(queries),
  );
  return Number(rows[0]?.count);
}
