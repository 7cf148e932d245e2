import { Event } from '@adorn/core';

import { describeEachDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY = { appName: 'shop', userId: 'ada', sessionId: 's1' };
const EVENTS = 5_003;

describeEachDatabase((_name, open) => {
  describe('a long log', () => {
    let database: Database;

    beforeEach(async () => {
      database = await open();
      const events = Array.from({ length: EVENTS }, (_, seq) => counted(seq));
      await new SqlSessionService(database).importSession(KEY, { state: { count: EVENTS - 1 }, events });
    });

    it('is loaded whole, in pieces between which the process does other work', async () => {
      const ticks = new Ticks();

      const session = await new SqlSessionService(database).getSession(KEY);

      expect(ticks.end()).toBeGreaterThanOrEqual(10);
      expect(session?.events.map(({ id }) => id)).toEqual(
        Array.from({ length: EVENTS }, (_, seq) => `e${String(seq)}`),
      );
    });

    it('is as of one moment with its state, where another process appends meanwhile', async () => {
      const writer = new SqlSessionService(database);
      let written = (await writer.getSession(KEY))!;
      const loading = { isDone: false };
      const writing = (async () => {
        for (let seq = EVENTS; !loading.isDone; seq++) {
          written = await writer.appendEvent(written, counted(seq));
          await new Promise(setImmediate);
        }
      })();

      const reader = new SqlSessionService(database);
      const session = await reader.getSession(KEY);
      const events = session?.events.map(({ id }) => id);
      const count = session?.state['count'];
      loading.isDone = true;
      await writing;

      expect(events).toEqual(Array.from({ length: Number(count) + 1 }, (_, seq) => `e${String(seq)}`));
    });

    it('is loaded whole or not at all, where its session is deleted meanwhile', async () => {
      const loading = new SqlSessionService(database).getSession(KEY);
      await new SqlSessionService(database).deleteSession(KEY);

      expect([undefined, EVENTS]).toContain((await loading)?.events.length);
    });
  });
});

describeEachDatabase((_name, open) => {
  describe('a session whose rows were restored while a process held it', () => {
    it('is read anew, with the state that it shares', async () => {
      const database = await open();
      const service = new SqlSessionService(database);
      await service.createSession(KEY, { count: 0, 'user:count': 0 });
      await append(service, 1, 2, 3);

      await restore(database, 1);

      const session = await service.getSession(KEY);
      expect(session?.events.map(({ id }) => id)).toEqual(['e1']);
      expect({ ...session?.state }).toEqual({ count: 1, 'user:count': 1 });
      await append(service, 4);
      expect((await service.getSession(KEY))?.events.map(({ id }) => id)).toEqual(['e1', 'e4']);
    });

    it('shows what the run writes that was under way', async () => {
      const database = await open();
      const service = new SqlSessionService(database);
      await service.createSession(KEY, { count: 0 });
      await append(service, 1, 2, 3);
      const held = (await service.getSession(KEY))!;
      await restore(database, 1);

      for (const count of [4, 5]) await service.appendEvent(held, shared(count));

      const session = await service.getSession(KEY);
      expect(session?.events.map(({ id }) => id)).toEqual(['e1', 'e4', 'e5']);
      expect(session?.state['count']).toBe(5);
    });
  });
});

async function append(service: SqlSessionService, ...counts: readonly number[]): Promise<void> {
  let session = (await service.getSession(KEY))!;
  for (const count of counts) session = await service.appendEvent(session, shared(count));
}

/** Leaves the first event, and the states as it wrote them. */
async function restore(database: Database, events: number): Promise<void> {
  await database.run(async (queries) => {
    await queries.deleteFrom('adorn_events').where('seq', '>=', events).execute();
    await queries.updateTable('adorn_sessions').set({ next_seq: events, state_version: 1 }).execute();
    await queries.updateTable('adorn_session_state').set({ value: '1' }).execute();
    await queries.updateTable('adorn_scopes').set({ version: 1 }).execute();
    await queries.updateTable('adorn_scope_state').set({ value: '1' }).execute();
  });
}

function shared(count: number): Event {
  return counted(count).with({ actions: { stateDelta: { count, 'user:count': count } } });
}

function counted(count: number): Event {
  const actions = { stateDelta: { count } };
  return new Event({ id: `e${String(count)}`, author: 'clerk', invocationId: 'i1', timestamp: 1, actions });
}

/** Counts the turns of the event loop. */
class Ticks {
  private count = 0;
  private next = setImmediate(() => {
    this.tick();
  });

  end(): number {
    clearImmediate(this.next);
    return this.count;
  }

  private tick(): void {
    this.count++;
    this.next = setImmediate(() => {
      this.tick();
    });
  }
}
