import { exportSession, importSession, type SessionService } from '@adorn/core';
import { describe, expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { KEY, said, sessionOf, wrote } from './conversation.js';

/** Session keys that were written without an event are recorded: a rewind restores them. */
export function promisesOfStateUpdates(open: OpenSessions): void {
  describe('stateUpdates', () => {
    it("returns the session's own keys from createSession and updateSession, and none from events", async () => {
      const sessions = await open();

      await converse(sessions);

      expect(await sessions.stateUpdates(KEY)).toEqual(UPDATES);
    });

    it('returns an empty list for a session without such keys, one that is missing, and one made again', async () => {
      const sessions = await open();
      expect(await sessions.stateUpdates(KEY)).toEqual([]);
      await sessions.createSession(KEY, { 'user:theme': 'dark' });
      expect(await sessions.stateUpdates(KEY)).toEqual([]);
      await sessions.updateSession(KEY, { city: 'Oslo' });

      await sessions.deleteSession(KEY);
      expect(await sessions.stateUpdates(KEY)).toEqual([]);

      await sessions.createSession(KEY);
      expect(await sessions.stateUpdates(KEY)).toEqual([]);
    });

    it('returns values as they were written, whatever callers do to the objects', async () => {
      const sessions = await open();
      const item = { name: 'tea' };
      const delta = { list: [item] };
      const session = await sessions.createSession(KEY, delta);

      item.name = 'rum';
      expect(() => (session.state as typeof delta).list.push({ name: 'gin' })).toThrow(TypeError);

      expect(await sessions.stateUpdates(KEY)).toEqual([{ seq: 0, stateDelta: { list: [{ name: 'tea' }] } }]);
    });

    it('is exported and imported with the session', async () => {
      const sessions = await open();
      await converse(sessions);
      const lines = await exported(sessions);

      await importSession(sessions, lines, sessionOf('copy'));

      const copied = await sessions.stateUpdates(sessionOf('copy'));
      expect(copied.slice(0, 2)).toEqual(UPDATES.slice(0, 2));
      // An import records the whole state at the end of the log.
      expect(copied.slice(2)).toEqual([
        { seq: 2, stateDelta: expect.objectContaining({ city: 'Bern', list: [2], size: 1 }) },
      ]);
      expect(copied[2]?.stateDelta['gone'] ?? null).toBeNull();
      expect({ ...(await sessions.getSession(sessionOf('copy')))?.state }).toEqual({
        city: 'Bern',
        list: [2],
        size: 1,
        'user:theme': 'dark',
      });
    });

    it('records the state at the end of a file that holds no updates', async () => {
      const sessions = await open();
      await converse(sessions);
      const [heading = '', ...events] = await exported(sessions);
      const { stateUpdates: _, ...older } = JSON.parse(heading) as Record<string, unknown>;

      await importSession(sessions, [JSON.stringify(older), ...events], sessionOf('copy'));

      expect(await sessions.stateUpdates(sessionOf('copy'))).toEqual([
        { seq: 2, stateDelta: { city: 'Bern', list: [2], size: 1 } },
      ]);
    });

    it.each([
      [null],
      [{}],
      [[null]],
      [[{ seq: 0 }]],
      [[{ seq: 0, stateDelta: null }]],
      [[{ seq: 0, stateDelta: [] }]],
      [[{ seq: -1, stateDelta: {} }]],
      [[{ seq: 0.5, stateDelta: {} }]],
      [[{ seq: 3, stateDelta: {} }]],
      [
        [
          { seq: 1, stateDelta: {} },
          { seq: 0, stateDelta: {} },
        ],
      ],
      [
        [
          { seq: 1, stateDelta: {} },
          { seq: 1, stateDelta: {} },
        ],
      ],
    ])('refuses a file whose updates are %j', async (stateUpdates) => {
      const sessions = await open();
      await converse(sessions);
      const [heading = '', ...events] = await exported(sessions);
      const broken = JSON.stringify({ ...(JSON.parse(heading) as object), stateUpdates });

      await expect(importSession(sessions, [broken, ...events], sessionOf('copy'))).rejects.toMatchObject({
        code: 'SESSION_FILE_INVALID',
        message: expect.stringContaining('"stateUpdates"'),
      });
      expect(await sessions.getSession(sessionOf('copy'))).toBeUndefined();
    });
  });
}

const UPDATES = [
  { seq: 0, stateDelta: { city: 'Oslo', list: [1], gone: 1 } },
  { seq: 1, stateDelta: { city: 'Bern', gone: null } },
  { seq: 2, stateDelta: { list: [2] } },
];

/** Two events, with writes before, between and after them. */
async function converse(sessions: SessionService): Promise<void> {
  const state = { city: 'Oslo', gone: 1, 'user:theme': 'dark', 'app:motto': null, 'temp:draft': 1 };
  const session = await sessions.createSession(KEY, state);
  await sessions.updateSession(KEY, { list: [1] });
  await sessions.appendEvent(session, wrote({ city: 'Rome', size: 1 }));
  await sessions.updateSession(KEY, { city: 'Paris', gone: null });
  await sessions.updateSession(KEY, { city: 'Bern', 'user:theme': 'dark' });
  await sessions.appendEvent(session, said('Hello'));
  await sessions.updateSession(KEY, { list: [2] });
}

async function exported(sessions: SessionService): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportSession(sessions, KEY)) lines.push(line);
  return lines;
}
