import type { SessionKey, SessionService } from '@adorn/core';
import type { RunQuery } from '@adorn/core/backend';

import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { asked, KEY, said, sessionOf, textsOf, wrote } from './conversation.js';

const AT = 1_700_000_000;
const TEN = Array.from({ length: 10 }, (_, index) => `e-${String(index)}`);

/** Which run has a session: the one that took it last. */
export function promisesOfRuns(open: OpenSessions): void {
  it('opens a run with its first event, and shows it with the session', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    expect(session.lastRun).toBeUndefined();

    const stored = await sessions.appendEvent(session, said('Hello'), {
      opens: { id: 'e-1', continues: 'e-0', after: 0, at: AT },
    });

    const run = { id: 'e-1', continues: 'e-0', status: 'open', epoch: 1, openedAt: AT, attempts: 0 };
    expect(stored.lastRun).toEqual(run);
    expect((await sessions.getSession(KEY))?.lastRun).toEqual(run);
    expect((await sessions.getSession(KEY, { numRecentEvents: 1 }))?.lastRun).toEqual(run);
  });

  it('refuses what earlier runs append, and lets the last one go on', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, said('Mine'), { opens: { id: 'e-1', after: 0, at: AT } });
    await sessions.appendEvent(session, said('Mine again'), { epoch: 1 });
    await sessions.appendEvent(session, said('Yours'), { opens: { id: 'e-2', after: 1, at: AT } });

    for (const late of [said('Late'), wrote({ late: true }), asked('late')]) {
      await expect(sessions.appendEvent(session, late, { epoch: 1 })).rejects.toMatchObject({
        code: 'SESSION_TAKEN_OVER',
        message: expect.stringContaining('has epoch 1, the session 2'),
      });
    }

    await sessions.appendEvent(session, said('Yours again'), { epoch: 2 });
    const found = await sessions.getSession(KEY);
    expect(textsOf(found)).toEqual(['Mine', 'Mine again', 'Yours', 'Yours again']);
    expect(found?.state).not.toHaveProperty('late');
  });

  it('gives the session to one of ten runs that take it at once', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    const outcomes = await Promise.allSettled(
      TEN.map((id) => sessions.appendEvent(session, said(id), { opens: { id, after: 0, at: AT } })),
    );

    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'SESSION_TAKEN_OVER' } });
    const found = await sessions.getSession(KEY);
    expect(textsOf(found)).toEqual([found?.lastRun?.id]);
  });

  it('gives the session to one of ten runs that take it at once without an event', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);

    const outcomes = await Promise.allSettled(
      TEN.map((id) => sessions.openRun(KEY, { id, after: 0, at: AT })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await sessions.getSession(KEY))?.lastRun?.epoch).toBe(1);
  });

  it('ends an open run that another one takes the session from, and leaves a paused one as it is', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT });
    await sessions.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'paused');
    await sessions.openRun(KEY, { id: 'e-2', after: 1, at: AT });
    await sessions.openRun(KEY, { id: '__proto__', after: 2, at: AT });

    expect(await idsOf(sessions, { status: 'paused' })).toEqual(['e-1']);
    expect(await idsOf(sessions, { status: 'ended' })).toEqual(['e-2']);
    expect(await idsOf(sessions, { status: 'open' })).toEqual(['__proto__']);
  });

  it('ends a paused run that another one continues', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const opens = { id: 'e-1', after: 0, at: AT };
    await sessions.appendEvent(session, asked('c1'), { opens, becomes: 'paused' });
    await sessions.appendEvent(session, said('Yes.'), {
      opens: { id: 'e-2', continues: 'e-1', after: 1, at: AT },
      consumes: ['c1'],
      becomes: 'paused',
    });
    await sessions.openRun(KEY, { id: 'e-3', continues: 'e-2', after: 2, at: AT });

    expect(await idsOf(sessions, { status: 'paused' })).toEqual([]);
    expect(await idsOf(sessions, { status: 'open' })).toEqual(['e-3']);
  });

  it('counts the attempts to recover a run, until it is opened otherwise', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.openRun(KEY, { id: 'e-1', continues: 'e-0', after: 0, at: AT });

    await sessions.openRun(KEY, { id: 'e-1', after: 1, at: AT, isRecovery: true });
    const second = await sessions.openRun(KEY, { id: 'e-1', after: 2, at: AT + 1, isRecovery: true });
    expect(second).toEqual({
      ...{ id: 'e-1', continues: 'e-0', status: 'open', epoch: 3, openedAt: AT + 1, attempts: 2 },
    });
    const again = await sessions.openRun(KEY, { id: 'e-1', after: 3, at: AT });

    expect(again.attempts).toBe(0);
    expect(await idsOf(sessions, { status: 'open' })).toEqual(['e-1']);
  });

  it('changes the status of a run with its event, or after it', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const opens = { id: 'e-1', after: 0, at: AT };
    const asking = await sessions.appendEvent(session, asked('c1'), { opens, becomes: 'paused' });
    expect(asking.lastRun).toMatchObject({ id: 'e-1', status: 'paused', epoch: 1 });

    await sessions.appendEvent(session, said('Done'), { epoch: 1, becomes: 'ended' });
    expect((await sessions.getSession(KEY))?.lastRun?.status).toBe('ended');

    await sessions.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'paused');
    expect((await sessions.getSession(KEY))?.lastRun?.status).toBe('paused');
  });

  it('leaves a run open that was opened again since, and does nothing without a session', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT });
    await sessions.openRun(KEY, { id: 'e-1', after: 1, at: AT });

    await sessions.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'ended');
    await sessions.closeRun(sessionOf('none'), { id: 'e-1', epoch: 1 }, 'ended');

    expect((await sessions.getSession(KEY))?.lastRun).toMatchObject({ status: 'open', epoch: 2 });
  });

  it('opens no run in a session that is not there', async () => {
    const sessions = await open();

    await expect(sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  it('carries the last run to another store, and finds it by the log where it was not exported', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    const run = { id: 'e-7', status: 'paused', epoch: 4, openedAt: AT, attempts: 0 } as const;

    const moved = await sessions.importSession(sessionOf('moved'), { state: {}, events: [said('Hi')], run });
    const guessed = await sessions.importSession(sessionOf('guessed'), { state: {}, events: [asked('c1')] });

    expect(moved.lastRun).toMatchObject({ id: 'e-7', status: 'paused', openedAt: AT });
    expect(guessed.lastRun).toMatchObject({ id: 'e-1', status: 'paused' });
  });
}

/** Runs of all sessions, by their status. */
export function promisesOfListedRuns(open: OpenSessions): void {
  it('lists the runs of all users of an application, the oldest first', async () => {
    const sessions = await open();
    const keys = [
      { appName: 'app', userId: 'ada', sessionId: 's1' },
      { appName: 'app', userId: 'bob\u0000"', sessionId: 's1' },
      { appName: 'app', userId: 'ada', sessionId: 'ä/..' },
      { appName: 'other', userId: 'ada', sessionId: 's1' },
    ];
    for (const [index, key] of keys.entries()) await opened(sessions, key, AT - index);

    const found = await sessions.listRuns({ appName: 'app', status: 'open' });

    expect(found.map(({ userId, sessionId }) => [userId, sessionId])).toEqual([
      ['ada', 'ä/..'],
      ['bob\u0000"', 's1'],
      ['ada', 's1'],
    ]);
    expect(found[0]?.run).toMatchObject({ id: 'e-1', status: 'open', epoch: 1, openedAt: AT - 2 });
    expect(await sessions.listRuns({ status: 'open' })).toHaveLength(4);
    expect(await sessions.listRuns({ status: 'open', limit: 1 })).toMatchObject([{ appName: 'other' }]);
    expect(await sessions.listRuns({ appName: 'nobody', status: 'open' })).toEqual([]);
  });

  it.each([
    [{ touchedBefore: AT + 2 }, ['s0', 's1']],
    [{ touchedBefore: AT + 3, touchedSince: AT + 1 }, ['s1', 's2']],
    [{ touchedBefore: AT }, []],
    [{ touchedSince: AT + 100 }, []],
  ])('lists the runs of a time: %j', async (query, ids) => {
    const sessions = await open();
    for (let index = 0; index < 4; index++)
      await opened(sessions, sessionOf(`s${String(index)}`), AT + index);

    const found = await sessions.listRuns({ status: 'open', ...query });

    expect(found.map(({ sessionId }) => sessionId)).toEqual(ids);
  });

  it('takes the time of the last event, whatever was written to the state since', async () => {
    const sessions = await open();
    await opened(sessions, KEY, AT);
    const session = await sessions.getSession(KEY);
    if (!session) throw new Error('The session is not there.');
    await sessions.appendEvent(session, said('Later', AT + 50), { epoch: 1 });
    await sessions.updateSession(KEY, { city: 'Oslo' });

    expect(await sessions.listRuns({ status: 'open', touchedBefore: AT + 50 })).toEqual([]);
    expect(await sessions.listRuns({ status: 'open', touchedBefore: AT + 51 })).toHaveLength(1);
  });

  it.each(['paused', 'ended'] as const)(
    'lists runs that are %s by the time they were opened',
    async (status) => {
      const sessions = await open();
      for (const [id, at] of [
        ['s1', AT + 2],
        ['s2', AT],
        ['s3', AT + 1],
      ] as const) {
        await opened(sessions, sessionOf(id), at);
        await sessions.closeRun(sessionOf(id), { id: 'e-1', epoch: 1 }, status);
      }
      await opened(sessions, { ...sessionOf('s4'), appName: 'other' }, AT - 1);

      const found = await sessions.listRuns({ appName: KEY.appName, status });

      expect(found.map(({ sessionId }) => sessionId)).toEqual(['s2', 's3', 's1']);
      expect(await sessions.listRuns({ appName: KEY.appName, status, limit: 1 })).toEqual(found.slice(0, 1));
    },
  );

  it('lists a run as open again once it is opened again, and not once it has ended', async () => {
    const sessions = await open();
    await opened(sessions, KEY, AT);
    await sessions.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'ended');
    expect(await idsOf(sessions, { status: 'open' })).toEqual([]);

    await sessions.openRun(KEY, { id: 'e-1', after: 1, at: AT + 1 });
    expect(await idsOf(sessions, { status: 'open' })).toEqual(['e-1']);
    await sessions.openRun(KEY, { id: 'e-2', after: 2, at: AT + 2 });
    expect(await idsOf(sessions, { status: 'open' })).toEqual(['e-2']);
    await sessions.closeRun(KEY, { id: 'e-2', epoch: 3 }, 'paused');
    expect(await idsOf(sessions, { status: 'open' })).toEqual([]);
    expect(await idsOf(sessions, { status: 'paused' })).toEqual(['e-2']);
  });

  it('lists no run of a session that was deleted', async () => {
    const sessions = await open();
    await opened(sessions, KEY, AT);
    await sessions.deleteSession(KEY);
    await sessions.createSession(KEY);

    expect(await sessions.listRuns({ status: 'open' })).toEqual([]);
    expect((await sessions.getSession(KEY))?.lastRun).toBeUndefined();
  });
}

/** Several events are stored as one. */
export function promisesOfCommonAppends(open: OpenSessions): void {
  it('appends several events in their order, with what they write', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    const opens = { id: 'e-1', after: 0, at: AT };
    const stored = await sessions.appendEvents(
      session,
      [said('One'), wrote({ size: 1, 'user:theme': 'dark' }), asked('c1'), wrote({ size: 2 })],
      { opens, becomes: 'paused', expectedSeq: 0 },
    );

    expect(stored.nextSeq).toBe(4);
    expect(stored.lastRun).toMatchObject({ id: 'e-1', status: 'paused' });
    const found = await sessions.getSession(KEY);
    expect(textsOf(found)).toEqual(['One', '', '', '']);
    expect({ ...found?.state }).toEqual({ size: 2, 'user:theme': 'dark' });
  });

  it('appends none of several events that are refused', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, asked('c1'), { opens: { id: 'e-1', after: 0, at: AT } });
    await sessions.appendEvent(session, said('Yes'), { epoch: 1, consumes: ['c1'] });
    const several = [said('One'), wrote({ size: 1 })];

    for (const [options, code] of [
      [{ epoch: 0 }, 'SESSION_TAKEN_OVER'],
      [{ expectedSeq: 1 }, 'SESSION_CONFLICT'],
      [{ consumes: ['c1'] }, 'REQUEST_NOT_PENDING'],
      [{ opens: { id: 'e-2', after: 0, at: AT } }, 'SESSION_TAKEN_OVER'],
    ] as const)
      await expect(sessions.appendEvents(session, several, options)).rejects.toMatchObject({ code });

    const found = await sessions.getSession(KEY);
    expect(found?.events).toHaveLength(2);
    expect(found?.state).not.toHaveProperty('size');
    expect(found?.lastRun).toMatchObject({ id: 'e-1', status: 'open' });
  });
}

/** A run of a session of its own, whose last event is of the same time. */
async function opened(sessions: SessionService, key: SessionKey, at: number): Promise<void> {
  const session = await sessions.createSession(key);
  await sessions.appendEvent(session, said('Hello', at), { opens: { id: 'e-1', after: 0, at } });
}

async function idsOf(sessions: SessionService, query: RunQuery): Promise<string[]> {
  return (await sessions.listRuns(query)).map(({ run }) => run.id);
}
