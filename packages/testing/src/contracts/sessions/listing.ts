import { Event, type EventFields, type SessionKey, type SessionService } from '@adorn/core';

import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { KEY, said, sessionOf } from './conversation.js';

const OWNER = { appName: 'app', userId: 'ada' };

/** The sessions of a user, latest first, without their events. */
export function promisesOfListing(open: OpenSessions): void {
  it('lists nothing of a user who has no session', async () => {
    const sessions = await open();

    expect(await sessions.listSessions(OWNER)).toEqual([]);
  });

  it('lists sessions without their events', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY, { city: 'Oslo', 'user:theme': 'dark' });
    await sessions.appendEvent(session, said('Hello'));

    const [summary, ...others] = await sessions.listSessions(OWNER);

    expect(others).toEqual([]);
    expect(summary).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', nextSeq: 1 });
    expect({ ...summary?.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark' });
    expect(typeof summary?.lastUpdateTime).toBe('number');
    expect(summary).not.toHaveProperty('events');
  });

  it('lists the latest first', async () => {
    const sessions = await open();
    await createInOrder(sessions, ['old', 'middle', 'new']);

    expect(await idsOf(sessions)).toEqual(['new', 'middle', 'old']);
  });

  it('moves a session up when something is said in it', async () => {
    const sessions = await open();
    await createInOrder(sessions, ['old', 'middle', 'new']);
    const old = await sessions.getSession(sessionOf('old'));
    if (old === undefined) throw new Error('The session is not there.');

    await sessions.appendEvent(old, said('Again', Date.now() / 1000 + 10_000));

    expect(await idsOf(sessions)).toEqual(['old', 'new', 'middle']);
  });

  it.each([
    [{}, ['d', 'c', 'b', 'a']],
    [{ limit: 2 }, ['d', 'c']],
    [{ offset: 1 }, ['c', 'b', 'a']],
    [{ limit: 2, offset: 1 }, ['c', 'b']],
    [{ limit: 2, offset: 3 }, ['a']],
    [{ limit: 99 }, ['d', 'c', 'b', 'a']],
    [{ limit: 2, offset: 4 }, []],
    [{ limit: 0 }, []],
  ])('lists by pages: %j', async (page, expected) => {
    const sessions = await open();
    await createInOrder(sessions, ['a', 'b', 'c', 'd']);

    expect((await sessions.listSessions(OWNER, page)).map(({ id }) => id)).toEqual(expected);
  });
}

/** Creates sessions, each a minute later than the one before. */
async function createInOrder(sessions: SessionService, ids: readonly string[]): Promise<void> {
  const now = Date.now() / 1000;
  for (const [index, id] of ids.entries()) {
    const session = await sessions.createSession(sessionOf(id));
    await sessions.appendEvent(session, said(id, now + 60 * (index + 1)));
  }
}

async function idsOf(sessions: SessionService): Promise<string[]> {
  return (await sessions.listSessions(OWNER)).map(({ id }) => id);
}

const ALL = { before: 2_000_000_000, matches: () => true };

/** The sessions of an application by their last event. */
export function promisesOfLastEvents(open: OpenSessions): void {
  it('lists sessions by their last event, and no other', async () => {
    const sessions = await open();
    await append(sessions, KEY, { author: 'clerk', invocationId: 'e-1' });
    await append(sessions, KEY, { author: 'user', invocationId: 'e-2' });
    const seen: unknown[] = [];
    const matches = ({ author, invocationId }: Event): boolean => {
      seen.push(invocationId);
      return author === 'user';
    };

    const found = await sessions.listByLastEvent('app', { ...ALL, matches });

    expect(found).toMatchObject([{ ...KEY, lastEvent: { author: 'user', invocationId: 'e-2' } }]);
    expect(seen).toEqual(['e-2']);
    expect(await sessions.listByLastEvent('app', { ...ALL, matches: () => false })).toEqual([]);
  });

  it('lists neither sessions without events nor deleted ones by their last event', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await append(sessions, sessionOf('gone'), {});
    await sessions.deleteSession(sessionOf('gone'));

    expect(await sessions.listByLastEvent('app', ALL)).toEqual([]);
  });

  it('lists those of all users of the application by their last event, the oldest first', async () => {
    const sessions = await open();
    const keys = [
      { appName: 'app', userId: 'ada', sessionId: 's1' },
      { appName: 'app', userId: 'bob\u0000"', sessionId: 's1' },
      { appName: 'app', userId: 'ada', sessionId: 'ä/..' },
      { appName: 'other', userId: 'ada', sessionId: 's1' },
    ];
    for (const [index, key] of keys.entries())
      await append(sessions, key, { timestamp: 1_700_000_100 - index });

    const found = await sessions.listByLastEvent('app', ALL);

    expect(found.map(({ userId, sessionId }) => [userId, sessionId])).toEqual([
      ['ada', 'ä/..'],
      ['bob\u0000"', 's1'],
      ['ada', 's1'],
    ]);
    expect(await sessions.listByLastEvent('nobody', ALL)).toEqual([]);
  });

  it.each([
    [{ before: 1_700_000_002 }, ['s0', 's1']],
    [{ before: 1_700_000_003, since: 1_700_000_001 }, ['s1', 's2']],
    [{ before: 1_700_000_000 }, []],
    [{ before: 2_000_000_000, since: 1_800_000_000 }, []],
  ])('lists those whose last event is of a time: %j', async (query, ids) => {
    const sessions = await open();
    for (let index = 0; index < 4; index++)
      await append(sessions, sessionOf(`s${String(index)}`), { timestamp: 1_700_000_000 + index });

    const found = await sessions.listByLastEvent('app', { ...ALL, ...query });

    expect(found.map(({ sessionId }) => sessionId)).toEqual(ids);
  });

  it('goes by the last event, whatever was written to the state since', async () => {
    const sessions = await open();
    await append(sessions, KEY, {});
    await sessions.updateSession(KEY, { city: 'Oslo' });

    expect(await sessions.listByLastEvent('app', { ...ALL, before: 1_700_000_001 })).toHaveLength(1);
  });
}

/** Appends an event, in a new session if there is none. */
async function append(
  sessions: SessionService,
  key: SessionKey,
  fields: Partial<EventFields>,
): Promise<void> {
  const session = (await sessions.getSession(key)) ?? (await sessions.createSession(key));
  const stamp = { invocationId: 'e-1', author: 'user', timestamp: 1_700_000_000 };
  await sessions.appendEvent(session, new Event({ ...stamp, ...fields }));
}
