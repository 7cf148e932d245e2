import type { Session, SessionKey, SessionService } from '@adorn/core';
import type { StateDelta } from '@adorn/core/backend';
import { describe, expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { KEY, sessionOf, wrote } from './conversation.js';

type Write = (sessions: SessionService, key: SessionKey, delta: StateDelta) => Promise<Session>;

/** The three ways to write state; each writes every key to the scope of its prefix. */
const WRITES: readonly (readonly [string, Write])[] = [
  ['createSession', (sessions, key, delta) => sessions.createSession(key, delta)],
  [
    'updateSession',
    async (sessions, key, delta) => {
      await sessions.createSession(key);
      return sessions.updateSession(key, delta);
    },
  ],
  [
    'appendEvent',
    async (sessions, key, delta) => sessions.appendEvent(await sessions.createSession(key), wrote(delta)),
  ],
];

/**
 * `app:` keys belong to the application, `user:` keys to the user, other keys to the session; `temp:` keys
 * are not stored.
 */
export function promisesOfState(open: OpenSessions): void {
  describe.each(WRITES)('%s', (_way, write) => {
    it('takes 24,000 keys in one delta, and their removal in another', async () => {
      const sessions = await open();
      const keys = Array.from(
        { length: 24_000 },
        (_, index) => `${index % 2 === 0 ? '' : 'user:'}k${String(index)}`,
      );

      await write(sessions, KEY, Object.fromEntries(keys.map((key) => [key, 1])));
      expect(Object.keys(await stateOf(sessions, KEY))).toHaveLength(24_000);

      await sessions.updateSession(KEY, Object.fromEntries(keys.map((key) => [key, null])));
      expect(await stateOf(sessions, KEY)).toEqual({});
    });

    it('sends each key where its prefix says', async () => {
      const sessions = await open();
      await sessions.createSession(sessionOf('earlier'));
      const bob = { ...KEY, userId: 'bob' };
      const delta = { city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi', 'temp:draft': 1 };

      const written = await write(sessions, KEY, delta);

      expect({ ...written.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi' });
      expect(await stateOf(sessions, KEY)).toEqual({ city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi' });
      expect(await stateOf(sessions, sessionOf('earlier'))).toEqual({
        'user:theme': 'dark',
        'app:motto': 'Hi',
      });
      expect({ ...(await sessions.createSession(bob)).state }).toEqual({ 'app:motto': 'Hi' });
      expect({ ...(await sessions.createSession({ ...KEY, appName: 'other' })).state }).toEqual({});
    });

    it('keeps values of every kind that JSON has', async () => {
      const sessions = await open();
      const delta = {
        none: '',
        zero: 0,
        no: false,
        precise: 0.1234567890123,
        large: 9_007_199_254_740_991,
        nested: { list: [1, 'two', { three: null }], empty: {} },
        'user:list': [],
        'app:text': 'line\nbreak "quoted" \u0000 \u{1f680}',
      };

      await write(sessions, KEY, delta);

      expect(await stateOf(sessions, KEY)).toEqual(delta);
    });

    it('does not store a key that is written with null', async () => {
      const sessions = await open();

      await write(sessions, KEY, { city: null, 'user:theme': null, 'app:motto': null, 'temp:draft': null });

      expect(await stateOf(sessions, KEY)).toEqual({});
    });
  });

  it.each(['city', 'user:city', 'app:city'])('removes %s by null, and by nothing else', async (name) => {
    const sessions = await open();
    const session = await sessions.createSession(KEY, { [name]: 'Oslo', kept: 1 });
    const emptied = await sessions.appendEvent(session, wrote({ [name]: '' }));
    expect(await stateOf(sessions, KEY)).toEqual({ [name]: '', kept: 1 });

    const removed = await sessions.appendEvent(emptied, wrote({ [name]: null }));

    expect({ ...removed.state }).toEqual({ kept: 1 });
    expect(await stateOf(sessions, KEY)).toEqual({ kept: 1 });
  });

  it('lays an update over the state without an event', async () => {
    const sessions = await open();
    await sessions.createSession(KEY, { city: 'Oslo', size: 1 });

    const updated = await sessions.updateSession(KEY, { city: 'Rome', size: null });

    expect(updated).toMatchObject({ id: 's1', events: [], nextSeq: 0 });
    expect({ ...updated.state }).toEqual({ city: 'Rome' });
  });

  it('says what to do where the session to update is missing', async () => {
    const sessions = await open();

    await expect(sessions.updateSession(KEY, { 'app:motto': 'Hi' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('Create it before appending events'),
    });
    expect({ ...(await sessions.createSession(KEY)).state }).toEqual({});
  });

  it('does not take what a caller writes to the state of a session it was given', async () => {
    const sessions = await open();
    const created = await sessions.createSession(KEY, { city: 'Oslo', 'user:theme': 'dark' });
    const found = await sessions.getSession(KEY);
    const part = await sessions.getSession(KEY, { numRecentEvents: 1 });

    for (const session of [created, found, part]) scribble(session?.state);

    expect(await stateOf(sessions, KEY)).toEqual({ city: 'Oslo', 'user:theme': 'dark' });
    const appended = await sessions.appendEvent(created, wrote({ size: 1 }));
    expect({ ...appended.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark', size: 1 });
  });

  it('does not take what a caller writes to a delta after it was handed in', async () => {
    const sessions = await open();
    const delta: Record<string, unknown> = { city: 'Oslo' };
    await sessions.createSession(KEY, delta);

    scribble(delta);

    expect(await stateOf(sessions, KEY)).toEqual({ city: 'Oslo' });
  });
}

async function stateOf(sessions: SessionService, key: SessionKey): Promise<Record<string, unknown>> {
  return { ...(await sessions.getSession(key))?.state };
}

/** Writes past the service. A state that is frozen refuses, which is as good. */
function scribble(state: Readonly<Record<string, unknown>> | undefined): void {
  try {
    Object.assign(state ?? {}, { city: 'Rome', 'user:theme': 'light', stolen: true });
  } catch {
    // What cannot be written to cannot be lost.
  }
}

/** The state of a user that is deleted. */
export function promisesOfUserState(open: OpenSessions): void {
  it('deletes the state of a user for good, and tells how many keys there were', async () => {
    const sessions = await open();
    const bob = { ...KEY, userId: 'bob' };
    await sessions.createSession(KEY, { 'user:theme': 'dark', 'user:city': 'Oslo', 'app:version': 1 });
    await sessions.createSession(bob, { 'user:theme': 'light' });
    await sessions.deleteSession(KEY);

    expect(await sessions.deleteUserState(KEY)).toBe(2);
    expect(await sessions.deleteUserState(KEY)).toBe(0);

    const again = await sessions.createSession(KEY);
    expect({ ...again.state }).toEqual({ 'app:version': 1 });
    const written = await sessions.updateSession(KEY, { 'user:city': 'Bergen' });
    expect({ ...written.state }).toEqual({ 'app:version': 1, 'user:city': 'Bergen' });
    expect({ ...(await sessions.getSession(bob))?.state }).toEqual({
      'app:version': 1,
      'user:theme': 'light',
    });
  });
}

/** The state of a user that is read and written without a session. */
export function promisesOfUserStateWithoutSessions(open: OpenSessions): void {
  it('reads and writes the state of a user who has no session, and every later session has it', async () => {
    const sessions = await open();

    expect({ ...(await sessions.getUserState(KEY)) }).toEqual({});
    await sessions.updateUserState(KEY, { 'user:city': 'Oslo', 'user:theme': 'dark' });
    await sessions.updateUserState(KEY, { 'user:city': null, 'user:size': { cm: 170 } });

    expect({ ...(await sessions.getUserState(KEY)) }).toEqual({
      'user:theme': 'dark',
      'user:size': { cm: 170 },
    });
    expect({ ...(await sessions.createSession(KEY, { own: 1 })).state }).toEqual({
      own: 1,
      'user:theme': 'dark',
      'user:size': { cm: 170 },
    });
    expect({ ...(await sessions.getUserState({ ...KEY, userId: 'bob' })) }).toEqual({});
  });

  it('shows a session what was written to the state of its user since it was read', async () => {
    const sessions = await open();
    await sessions.createSession(KEY, { 'user:city': 'Oslo' });
    await sessions.getSession(KEY);

    await sessions.updateUserState(KEY, { 'user:city': 'Bergen' });

    expect(await stateOf(sessions, KEY)).toEqual({ 'user:city': 'Bergen' });
    expect({ ...(await sessions.getUserState(KEY)) }).toEqual({ 'user:city': 'Bergen' });
  });

  it('keeps what two writers write to different keys of a user at once', async () => {
    const sessions = await open();

    await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) => sessions.updateUserState(KEY, { [`user:${key}`]: key })),
    );

    expect(Object.keys(await sessions.getUserState(KEY)).sort()).toEqual([
      'user:a',
      'user:b',
      'user:c',
      'user:d',
    ]);
  });

  it.each(['city', 'app:city', 'temp:city', '', 'users:city'])(
    'refuses to write the key %p to the state of a user, and writes nothing',
    async (key) => {
      const sessions = await open();

      await expect(
        (async () => sessions.updateUserState(KEY, { 'user:theme': 'dark', [key]: 'Oslo' }))(),
      ).rejects.toMatchObject({ code: 'OPTION_INVALID' });

      expect({ ...(await sessions.getUserState(KEY)) }).toEqual({});
    },
  );
}
