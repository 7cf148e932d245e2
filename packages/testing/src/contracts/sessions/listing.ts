import type { SessionService } from '@adorn/core';

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
