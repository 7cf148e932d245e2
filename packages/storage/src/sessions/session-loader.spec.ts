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
