import { Event, type EventFields, type SessionKey, type SessionService } from '@adorn/core';
import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { KEY, sessionOf } from './conversation.js';

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
