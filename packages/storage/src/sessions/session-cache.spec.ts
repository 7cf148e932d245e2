import { setFlagsFromString } from 'node:v8';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

import { Event, type SessionKey } from '@adorn/core';

import { ExplainedDatabase } from '../database/query-plans.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LENGTH = 100_000;
let database: ExplainedDatabase;

beforeEach(() => {
  database = new ExplainedDatabase();
});

afterEach(() => database.close());

describe('loaded sessions', () => {
  it('are kept up to the size of the cache, the latest ones', async () => {
    const sessions = new SqlSessionService(database, { cachedBytes: 3.5 * LENGTH });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await talk(sessions, id);

    expect(await keptOf(sessions, ['e', 'd', 'c'])).toEqual(['e', 'd', 'c']);
    expect(await keptOf(sessions, ['a', 'b'])).toEqual([]);
  });

  it('count with the events that are appended to them', async () => {
    const sessions = new SqlSessionService(database, { cachedBytes: 3.5 * LENGTH });
    await talk(sessions, 'a');
    await talk(sessions, 'b', 3);

    expect(await keptOf(sessions, ['b'])).toEqual(['b']);
    expect(await keptOf(sessions, ['a'])).toEqual([]);
  });

  it('count with a state that was written without an event', async () => {
    const sessions = new SqlSessionService(database, { cachedBytes: 3.5 * LENGTH });
    await talk(sessions, 'a');
    await sessions.createSession(keyOf('b'), { page: 'x'.repeat(2 * LENGTH) });
    await sessions.updateSession(keyOf('b'), { next: 'x'.repeat(LENGTH) });

    expect(await keptOf(sessions, ['a'])).toEqual([]);
  });

  it('are 1,000 by default', async () => {
    const sessions = new SqlSessionService(database);
    for (const id of ['a', 'b', 'c']) await talk(sessions, id);

    expect(await keptOf(sessions, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  it('are loaded and appended to where one is larger than the cache', async () => {
    const sessions = new SqlSessionService(database, { cachedBytes: LENGTH });
    await talk(sessions, 'a', 3);
    collectGarbage();

    const held = await sessions.getSession(keyOf('a'));
    await talk(sessions, 'a');

    expect(held?.events).toHaveLength(4);
  });
});

function keyOf(sessionId: string): SessionKey {
  return { appName: 'app', userId: 'ada', sessionId };
}

/** Appends events with a long text each. */
async function talk(sessions: SqlSessionService, sessionId: string, count = 1): Promise<void> {
  const key = keyOf(sessionId);
  const session = (await sessions.getSession(key)) ?? (await sessions.createSession(key));
  for (let index = 0; index < count; index++) {
    const content = { role: 'user', parts: [{ text: 'x'.repeat(LENGTH) }] };
    await sessions.appendEvent(session, new Event({ invocationId: 'e-1', author: 'user', content }));
  }
}

/** The sessions whose events are not read again when they are loaded. */
async function keptOf(sessions: SqlSessionService, ids: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  await nextTurn();
  collectGarbage();
  for (const id of ids) {
    const plans = await database.plansOf(() => sessions.getSession(keyOf(id)), 'adorn_events');
    if (plans.length === 0) kept.push(id);
  }
  return kept;
}
