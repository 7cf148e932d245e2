import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { appendAll, KEY, said, textsOf, wrote } from './conversation.js';

/** A conversation is made once, found, and gone when it is deleted. */
export function promisesOfLifecycle(open: OpenSessions): void {
  it('finds what it created', async () => {
    const sessions = await open();
    const created = await sessions.createSession(KEY, { city: 'Oslo' });

    const found = await sessions.getSession(KEY);

    for (const session of [created, found]) {
      expect(session).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', events: [], nextSeq: 0 });
      expect({ ...session?.state }).toEqual({ city: 'Oslo' });
    }
    expect(found?.lastUpdateTime).toBe(created.lastUpdateTime);
  });

  it('stamps a new session with the time in seconds', async () => {
    const sessions = await open();
    const before = Date.now() / 1000;

    const { lastUpdateTime } = await sessions.createSession(KEY);

    expect(lastUpdateTime).toBeGreaterThanOrEqual(before - 1);
    expect(lastUpdateTime).toBeLessThanOrEqual(Date.now() / 1000 + 1);
  });

  it('finds nothing where nothing was created', async () => {
    const sessions = await open();

    expect(await sessions.getSession(KEY)).toBeUndefined();
  });

  it('refuses to create a session whose id is taken, and leaves the one that is there alone', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY, { city: 'Oslo' });
    await sessions.appendEvent(session, said('Hello'));

    const refusal = sessions.createSession(KEY, { city: 'Rome', 'app:motto': 'new', 'user:theme': 'new' });

    await expect(refusal).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    const kept = await sessions.getSession(KEY);
    expect({ ...kept?.state }).toEqual({ city: 'Oslo' });
    expect(textsOf(kept)).toEqual(['Hello']);
  });

  it('creates a session once where two ask for it at the same time', async () => {
    const sessions = await open();

    const outcomes = await Promise.allSettled([sessions.createSession(KEY), sessions.createSession(KEY)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'SESSION_EXISTS' },
    });
  });

  it('does not find what it deleted', async () => {
    const sessions = await open();
    await appendAll(sessions, await sessions.createSession(KEY), [said('Hello')]);

    await sessions.deleteSession(KEY);

    expect(await sessions.getSession(KEY)).toBeUndefined();
    expect(await sessions.listSessions(KEY)).toEqual([]);
  });

  it('has deleted already what is not there', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.deleteSession(KEY);

    await expect(sessions.deleteSession(KEY)).resolves.toBeUndefined();
    await expect(sessions.deleteSession({ ...KEY, sessionId: 'never' })).resolves.toBeUndefined();
  });

  it('begins anew under the id of a deleted session, with the state that was not its own', async () => {
    const sessions = await open();
    const state = { city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi' };
    await appendAll(sessions, await sessions.createSession(KEY, state), [said('Hello'), wrote({ size: 1 })]);
    await sessions.deleteSession(KEY);

    const again = await sessions.createSession(KEY);

    expect(again).toMatchObject({ events: [], nextSeq: 0 });
    expect({ ...again.state }).toEqual({ 'user:theme': 'dark', 'app:motto': 'Hi' });
  });
}

/** What else belongs to a conversation is deleted with it, by those who listen. */
export function promisesOfDeletionListeners(open: OpenSessions): void {
  it('tells its listeners which session was deleted and which events it had, also if it was deleted before', async () => {
    const sessions = await open();
    const told: unknown[] = [];
    const end = sessions.onDelete(async (deleted) => void told.push(deleted));
    const event = said('Hello.');
    await sessions.appendEvent(await sessions.createSession(KEY), event);

    await sessions.deleteSession(KEY);
    await sessions.deleteSession(KEY);
    end();
    await sessions.deleteSession(KEY);

    expect(told).toEqual([
      { ...KEY, eventIds: [event.id] },
      { ...KEY, eventIds: [] },
    ]);
  });
}
