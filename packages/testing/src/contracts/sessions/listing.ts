import type { SessionService } from '@adorn/core';
import type { ListedSession, SessionSummary } from '@adorn/core/backend';

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
    if (!old) throw new Error('The session is not there.');

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

/** The pages of a list that goes on after its last session, while sessions change. */
export function promisesOfPaging(open: OpenSessions): void {
  it('lists each session once by pages that begin after the last one, also where many were updated at one time', async () => {
    const sessions = await open();
    const now = Date.now() / 1000 + 60;
    const ids = Array.from({ length: 7 }, (_, index) => `s${String(index)}`);
    for (const id of ids) {
      const session = await sessions.createSession(sessionOf(id));
      await sessions.appendEvent(session, said(id, id < 's2' ? now + 60 : now));
    }
    const whole = await idsOf(sessions);

    const paged: string[] = [];
    for (let after: SessionSummary | undefined; ;) {
      const page = await sessions.listSessions(OWNER, { limit: 2, after });
      paged.push(...page.map(({ id }) => id));
      after = page.at(-1);
      if (!after) break;
    }

    expect(paged).toEqual(whole);
    expect([...paged].sort()).toEqual(ids);
  });

  it('repeats no session where one that was listed is updated or deleted, or another is created', async () => {
    const sessions = await open();
    await createInOrder(sessions, ['a', 'b', 'c', 'd', 'e']);
    const first = await sessions.listSessions(OWNER, { limit: 2 });
    const listed = await sessions.getSession(sessionOf('e'));
    if (!listed) throw new Error('The session is not there.');
    await sessions.appendEvent(listed, said('Again', Date.now() / 1000 + 10_000));
    const created = await sessions.createSession(sessionOf('new'));
    await sessions.appendEvent(created, said('Hi', Date.now() / 1000 + 20_000));
    await sessions.deleteSession(sessionOf('d'));

    const second = await sessions.listSessions(OWNER, { limit: 2, after: first.at(-1) });

    expect([first, second].map((page) => page.map(({ id }) => id))).toEqual([
      ['e', 'd'],
      ['c', 'b'],
    ]);
  });

  it('takes an offset after a session', async () => {
    const sessions = await open();
    await createInOrder(sessions, ['a', 'b', 'c', 'd']);
    const [after] = await sessions.listSessions(OWNER, { limit: 1 });

    expect((await sessions.listSessions(OWNER, { after, offset: 1 })).map(({ id }) => id)).toEqual([
      'b',
      'a',
    ]);
  });

  it('leaves states out if it is told so', async () => {
    const sessions = await open();
    await sessions.createSession(KEY, { city: 'Oslo', 'user:theme': 'dark', 'app:version': 1 });

    const [listed] = await sessions.listSessions(OWNER, { state: false });
    const [whole] = await sessions.listSessions(OWNER, { state: true });

    expect(listed?.id).toBe('s1');
    expect({ ...listed?.state }).toEqual({});
    expect({ ...whole?.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark', 'app:version': 1 });
  });
}

/** The sessions of all users of an application. */
export function promisesOfAllSessions(open: OpenSessions): void {
  it('lists the sessions of all users of an application, and no others', async () => {
    const sessions = await open();
    for (const [userId, sessionId] of [
      ['ada', 's1'],
      ['bob', 's1'],
      ['ada', 's2'],
    ] as const)
      await sessions.createSession({ appName: 'app', userId, sessionId });
    await sessions.createSession({ appName: 'other', userId: 'ada', sessionId: 's3' });
    await sessions.deleteSession({ appName: 'app', userId: 'bob', sessionId: 's1' });
    await sessions.createSession({ appName: 'app', userId: 'eve', sessionId: 's1' });

    const listed = await listedFrom(sessions.allSessions('app'));

    expect(listed.map(({ appName, userId, sessionId }) => [appName, userId, sessionId]).sort()).toEqual([
      ['app', 'ada', 's1'],
      ['app', 'ada', 's2'],
      ['app', 'eve', 's1'],
    ]);
    expect(listed.every(({ lastUpdateTime }) => Number.isFinite(lastUpdateTime))).toBe(true);
    expect(await listedFrom(sessions.allSessions('nobody'))).toEqual([]);
  });

  it('lists those that were last updated before a time', async () => {
    const sessions = await open();
    await createInOrder(sessions, ['old', 'middle', 'new']);
    const { lastUpdateTime: updatedBefore } = (await sessions.listSessions(OWNER))[0] as SessionSummary;

    const listed = await listedFrom(sessions.allSessions('app', { updatedBefore }));

    expect(listed.map(({ sessionId }) => sessionId).sort()).toEqual(['middle', 'old']);
  });

  it('can be read while the listed sessions are deleted', async () => {
    const sessions = await open();
    const ids = Array.from({ length: 12 }, (_, index) => `s${String(index)}`);
    for (const id of ids) await sessions.createSession(sessionOf(id));

    const seen: string[] = [];
    for await (const { sessionId } of sessions.allSessions('app')) {
      seen.push(sessionId);
      await sessions.deleteSession(sessionOf(sessionId));
    }

    expect(seen.sort()).toEqual(ids.sort());
  });
}

/** Every session of a list that is read piece by piece. */
export async function listedFrom(list: AsyncIterable<ListedSession>): Promise<ListedSession[]> {
  const listed: ListedSession[] = [];
  for await (const session of list) listed.push(session);
  return listed;
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
