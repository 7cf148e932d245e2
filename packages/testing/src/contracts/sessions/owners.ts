import type { SessionKey, SessionService } from '@adorn/core';
import { describe, expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { appendAll, KEY, said, textsOf, wrote } from './conversation.js';

const NEIGHBOURS: readonly (readonly [string, SessionKey])[] = [
  ['two users of one session id', { ...KEY, userId: 'bob' }],
  ['two applications of one user', { ...KEY, appName: 'other' }],
  ['two sessions of one user', { ...KEY, sessionId: 's2' }],
];

/** Data of one user is invisible to another. */
export function promisesOfOwners(open: OpenSessions): void {
  describe.each(NEIGHBOURS)('keeps %s apart:', (_who, neighbour) => {
    it('their state and their events', async () => {
      const sessions = await open();
      await converse(sessions, KEY, 'Oslo');
      await converse(sessions, neighbour, 'Rome');

      for (const [key, city] of [
        [KEY, 'Oslo'],
        [neighbour, 'Rome'],
      ] as const) {
        const found = await sessions.getSession(key);
        expect({ ...found?.state }).toEqual({ first: city, city });
        expect(textsOf(found)).toEqual([city, '']);
      }
    });

    it('what is deleted', async () => {
      const sessions = await open();
      await converse(sessions, KEY, 'Oslo');
      await converse(sessions, neighbour, 'Rome');

      await sessions.deleteSession(neighbour);

      expect(textsOf(await sessions.getSession(KEY))).toEqual(['Oslo', '']);
      expect(await sessions.getSession(neighbour)).toBeUndefined();
    });
  });

  it('lists the sessions of one user of one application alone', async () => {
    const sessions = await open();
    for (const [, key] of NEIGHBOURS) await sessions.createSession(key);
    await sessions.createSession(KEY);

    const listed = await sessions.listSessions({ appName: 'app', userId: 'ada' });

    expect(listed.map(({ id }) => id).sort()).toEqual(['s1', 's2']);
  });

  it("keeps a user's keys apart between applications, and an application's between applications", async () => {
    const sessions = await open();
    await sessions.createSession(KEY, { 'user:theme': 'dark', 'app:motto': 'Hi' });
    await sessions.createSession({ ...KEY, userId: 'bob' }, { 'user:theme': 'light' });

    const elsewhere = await sessions.createSession({ ...KEY, appName: 'other' });

    expect({ ...elsewhere.state }).toEqual({});
    expect({ ...(await sessions.getSession(KEY))?.state }).toEqual({
      'user:theme': 'dark',
      'app:motto': 'Hi',
    });
  });
}

async function converse(sessions: SessionService, key: SessionKey, city: string): Promise<void> {
  const session = await sessions.createSession(key, { first: city });
  await appendAll(sessions, session, [said(city), wrote({ city })]);
}
