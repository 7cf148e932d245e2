import { Event, type SessionKey } from '@adorn/core';
import { sql } from 'kysely';

import { SqlArtifactService } from '../artifacts/sql-artifact.service.js';
import { describeEachDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import { SqlMemoryService } from '../memory/sql-memory.service.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY: SessionKey = { appName: 'shop', userId: 'ada', sessionId: 'damaged' };
const WHOLE: SessionKey = { ...KEY, sessionId: 'whole' };

describeEachDatabase((_name, open) => {
  describe('a damaged row', () => {
    let database: Database;
    let sessions: SqlSessionService;

    beforeEach(async () => {
      database = await open();
      sessions = new SqlSessionService(database);
      for (const key of [KEY, WHOLE]) {
        const session = await sessions.createSession(key, { city: 'Oslo', 'user:theme': 'dark' });
        await sessions.appendEvent(session, new Event({ invocationId: 'e-1', author: 'user' }));
      }
    });

    it.each(['{"broken', 'null', '7', ''])(
      'of an event, %p, is named, and hurts no other session',
      async (body) => {
        await change(sql`update adorn_events set body = ${body} where session_no = ${await noOf(KEY)}`);
        const restarted = new SqlSessionService(database);

        await expect(restarted.getSession(KEY)).rejects.toMatchObject({
          code: 'STORAGE_ROW_DAMAGED',
          table: 'adorn_events',
          row: `session_no ${String(await noOf(KEY))}, seq 0`,
        });
        await expect(restarted.getSession(KEY, { numRecentEvents: 1 })).rejects.toMatchObject({
          code: 'STORAGE_ROW_DAMAGED',
        });
        expect((await restarted.getSession(WHOLE))?.events).toHaveLength(1);
        expect(await idsOf(restarted)).toEqual(['damaged', 'whole']);
        await restarted.deleteSession(KEY);
        expect(await idsOf(restarted)).toEqual(['whole']);
      },
    );

    it('of a state is named, and left out of the list of sessions', async () => {
      await change(sql`update adorn_session_state set value = 'x{' where session_no = ${await noOf(KEY)}`);
      const restarted = new SqlSessionService(database);

      await expect(restarted.getSession(KEY)).rejects.toMatchObject({
        code: 'STORAGE_ROW_DAMAGED',
        table: 'adorn_session_state',
        row: `session_no ${String(await noOf(KEY))}, key "city"`,
      });
      const listed = await restarted.listSessions(KEY);
      expect(new Map(listed.map(({ id, state }) => [id, { ...state }]))).toEqual(
        new Map([
          ['damaged', { 'user:theme': 'dark' }],
          ['whole', { city: 'Oslo', 'user:theme': 'dark' }],
        ]),
      );
    });

    it('of a shared state is named', async () => {
      await change(sql`update adorn_scope_state set value = '' where key = 'user:theme'`);
      const restarted = new SqlSessionService(database);

      await expect(restarted.getSession(WHOLE)).rejects.toMatchObject({
        code: 'STORAGE_ROW_DAMAGED',
        table: 'adorn_scope_state',
      });
      expect(await idsOf(restarted)).toEqual(['damaged', 'whole']);
    });

    it('of an id or a title is read as it stands', async () => {
      await change(sql`update adorn_sessions set id = 'a"b', title = '\\' where no = ${await noOf(KEY)}`);

      expect(await idsOf(new SqlSessionService(database))).toEqual(['a"b', 'whole']);
    });

    it('of an artifact or a memory is named', async () => {
      const artifacts = new SqlArtifactService(database);
      await artifacts.save(KEY, 'note', { text: 'Hello' });
      const memory = new SqlMemoryService(database);
      await memory.addMemory(KEY, [{ content: { role: 'user', parts: [{ text: 'tea' }] } }]);
      await change(sql`update adorn_artifacts set part = '{'`);
      await change(sql`update adorn_memories set content = '{'`);

      await expect(artifacts.load(KEY, 'note')).rejects.toMatchObject({
        code: 'STORAGE_ROW_DAMAGED',
        table: 'adorn_artifacts',
      });
      await expect(memory.searchMemory(KEY, 'tea')).rejects.toMatchObject({
        code: 'STORAGE_ROW_DAMAGED',
        table: 'adorn_memories',
      });
    });

    async function change(statement: ReturnType<typeof sql>): Promise<void> {
      await database.run((queries) => statement.execute(queries));
    }

    async function noOf({ sessionId }: SessionKey): Promise<number> {
      const { no } = await database.run((queries) =>
        queries
          .selectFrom('adorn_sessions')
          .select('no')
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow(),
      );
      return no;
    }
  });
});

async function idsOf(sessions: SqlSessionService): Promise<string[]> {
  return (await sessions.listSessions(KEY)).map(({ id }) => id).sort();
}
