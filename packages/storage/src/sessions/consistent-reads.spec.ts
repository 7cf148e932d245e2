import { Event, type Session } from '@adorn/core';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY = { appName: 'shop', userId: 'ada', sessionId: 's1' };
const EVENTS = 60;

describeEachDatabase((_name, open) => {
  it('reads the state, the log and the last run of one moment, while another process appends', async () => {
    const database = await open();
    await new SqlSessionService(database).createSession(KEY);
    const kept = new SqlSessionService(database);
    const writer = { isDone: false };
    const writing = append(new SqlSessionService(database)).finally(() => {
      writer.isDone = true;
    });
    const torn: unknown[] = [];
    let reads = 0;
    while (!writer.isDone) {
      const first = new SqlSessionService(database);
      const sessions = [
        await kept.getSession(KEY),
        await first.getSession(KEY),
        await first.getSession(KEY, { numRecentEvents: 1 }),
      ];
      const counts = sessions.map(countsOf);
      torn.push(...counts.filter(([log, ...others]) => others.some((count) => count !== log)));
      reads++;
    }
    await writing;

    expect(torn).toEqual([]);
    expect(reads).toBeGreaterThan(1);
  });
});

async function append(sessions: SqlSessionService): Promise<void> {
  let session = (await sessions.getSession(KEY))!;
  for (let count = 0; count < EVENTS; count++) {
    const actions = { stateDelta: { count, 'user:count': count } };
    session = await sessions.appendEvent(
      session,
      new Event({ id: `e${String(count)}`, author: 'clerk', invocationId: 'i1', actions }),
      { opens: { id: `i${String(count)}`, after: count, at: count } },
    );
    await new Promise(setImmediate);
  }
}

/** What the last event, the session's state, the user's state and the record of the last run say. */
function countsOf(session: Session | undefined): unknown[] {
  const last = session?.events.at(-1)?.actions.stateDelta['count'];
  const run = session?.lastRun;
  return [last, session?.state['count'], session?.state['user:count'], run?.openedAt, run && run.epoch - 1];
}
