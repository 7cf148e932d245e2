import { type Event, exportSession, importSession, type SessionService } from '@adorn/core';
import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { HOSTILE_NAMES } from '../hostile-names.js';
import { appendAll, KEY, pairsOf, said, sessionOf, textsOf, wrote } from './conversation.js';

/** A conversation gets a title. */
export function promisesOfTitles(open: OpenSessions): void {
  it('keeps the title of a session, and lists it', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    expect((await sessions.getSession(KEY))?.title).toBeUndefined();

    for (const title of ['A trip to Oslo', ...HOSTILE_NAMES]) {
      await sessions.renameSession(KEY, title);

      expect((await sessions.getSession(KEY))?.title).toBe(title);
      expect((await sessions.listSessions(KEY))[0]?.title).toBe(title);
    }
  });

  it('names no session that is not there', async () => {
    const sessions = await open();

    await expect(sessions.renameSession(KEY, 'A trip')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('exports and imports the title', async () => {
    const sessions = await open();
    const { key } = await created(sessions, 's1');
    await sessions.renameSession(key, 'A trip');
    const lines = await linesOf(sessions);
    await sessions.deleteSession(key);

    expect((await importSession(sessions, lines)).title).toBe('A trip');
  });
}

/** A conversation is carried from one store to another. */
export function promisesOfMoving(open: OpenSessions): void {
  it('imports what was exported, but for what belongs to others than the session', async () => {
    const sessions = await open();
    const lines = await exported(sessions, [
      said('Hello'),
      wrote({ size: 2, 'user:theme': 'dark', gone: null }),
    ]);
    await sessions.deleteSession(KEY);
    await sessions.updateSession((await created(sessions, 'other')).key, { 'user:theme': 'light' });

    const imported = await importSession(sessions, lines);

    expect(imported).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', nextSeq: 2 });
    expect(pairsOf(imported)).toEqual([
      ['city', 'Oslo'],
      ['size', 2],
      ['user:theme', 'light'],
    ]);
    expect(textsOf(imported)).toEqual(['Hello', '']);
    expect({ ...imported.events[1]?.actions.stateDelta }).toEqual({ size: 2, gone: null });
    expect(textsOf(await sessions.getSession(KEY))).toEqual(['Hello', '']);
    const { nextSeq } = await sessions.appendEvent(imported, said('Again'));
    expect(nextSeq).toBe(3);
  });

  it('imports a session under another address', async () => {
    const sessions = await open();
    const lines = await exported(sessions, [said('Hello')]);

    await importSession(sessions, lines, { userId: 'bob' });

    expect(textsOf(await sessions.getSession({ ...KEY, userId: 'bob' }))).toEqual(['Hello']);
  });

  it('imports nothing where the id is taken, or where a line is missing or broken', async () => {
    const sessions = await open();
    const lines = await exported(sessions, [said('Hello'), said('World')]);
    const elsewhere = sessionOf('copy');

    await expect(importSession(sessions, lines)).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    for (const broken of [
      [],
      lines.slice(1),
      lines.slice(0, -1),
      [...lines.slice(0, -1), '{"id":1}'],
      ['no'],
    ]) {
      await expect(importSession(sessions, broken, elsewhere)).rejects.toMatchObject({
        code: 'SESSION_FILE_INVALID',
        message: expect.stringMatching(/^Line \d+ of an exported session: /),
      });
    }
    expect(await sessions.getSession(elsewhere)).toBeUndefined();
  });

  it.each([[1n], [() => 1], [new Map([['a', 1]])], [{ deep: [Symbol('x')] }]])(
    'takes no value for the state that JSON cannot hold: %s',
    async (value) => {
      const sessions = await open();
      const { session } = await created(sessions, 's1');
      const refusal = { code: 'RESULT_NOT_JSON' };

      await expect(sessions.createSession(sessionOf('new'), { value })).rejects.toMatchObject(refusal);
      await expect(sessions.updateSession(KEY, { city: 'Rome', value })).rejects.toMatchObject(refusal);
      await expect(sessions.appendEvent(session, wrote({ city: 'Rome', value }))).rejects.toMatchObject(
        refusal,
      );

      expect(await sessions.getSession(sessionOf('new'))).toBeUndefined();
      expect(pairsOf(await sessions.getSession(KEY))).toEqual([['city', 'Oslo']]);
      expect((await sessions.getSession(KEY))?.nextSeq).toBe(0);
    },
  );
}

async function created(
  sessions: SessionService,
  id: string,
): Promise<{ key: typeof KEY; session: Awaited<ReturnType<SessionService['createSession']>> }> {
  const key = sessionOf(id);
  return { key, session: await sessions.createSession(key, { city: 'Oslo' }) };
}

/** A session of those events, as lines. */
async function exported(sessions: SessionService, events: readonly Event[]): Promise<string[]> {
  await appendAll(sessions, (await created(sessions, 's1')).session, events);
  return linesOf(sessions);
}

async function linesOf(sessions: SessionService): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportSession(sessions, KEY)) lines.push(line);
  return lines;
}
