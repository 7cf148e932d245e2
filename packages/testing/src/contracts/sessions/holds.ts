import type { SessionService } from '@adorn/core';

import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { KEY, said } from './conversation.js';

const AT = 1_700_000_000;
const RUN = { ...KEY, id: 'e-1', epoch: 1 };

/** How a living process holds the open run of a session. */
export function promisesOfHolds(open: OpenSessions): void {
  it('measures the silence of a process by its own clock, whatever time the process states', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const opens = { id: 'e-1', after: 0, at: AT, isHeld: true };
    await sessions.appendEvent(session, said('Hello', AT), { opens });

    const hold = await sessions.findHold(KEY);
    expect(hold).toMatchObject({ id: 'e-1', epoch: 1, isReleased: false, isCancelRequested: false });
    expect(hold?.silentFor).toBeGreaterThanOrEqual(0);
    expect(hold?.silentFor).toBeLessThan(5_000);
    await silent(60);
    expect((await sessions.findHold(KEY))?.silentFor).toBeGreaterThanOrEqual(50);

    expect(await sessions.renewRuns([RUN])).toEqual(['held']);
    expect((await sessions.findHold(KEY))?.silentFor).toBeLessThan(5_000);
    expect(await sessions.listRuns({ status: 'open' })).toMatchObject([{ hold: { id: 'e-1', epoch: 1 } }]);
  });

  it('has no hold of a run that nobody renews, that is paused, or that is over', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    expect(await sessions.findHold(KEY)).toBeUndefined();

    await sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT });
    expect(await sessions.findHold(KEY)).toMatchObject({ id: 'e-1', silentFor: undefined });
    for (const [index, status] of (['paused', 'ended'] as const).entries()) {
      await sessions.openRun(KEY, { id: 'e-1', after: index + 1, at: AT, isHeld: true });
      await sessions.closeRun(KEY, { id: 'e-1', epoch: index + 2 }, status);
      expect(await sessions.findHold(KEY)).toBeUndefined();
    }
  });

  it('says which of the renewed runs lost their sessions, and which are to be cancelled', async () => {
    const sessions = await open();
    const keys = ['taken', 'cancelled', 'deleted', 'kept'].map((sessionId) => ({ ...KEY, sessionId }));
    for (const key of keys) {
      await sessions.createSession(key);
      await sessions.openRun(key, { id: 'e-1', after: 0, at: AT, isHeld: true });
    }
    const [taken, cancelled, deleted] = keys;
    if (!taken || !cancelled || !deleted) throw new Error('there is no key');
    await sessions.openRun(taken, { id: 'e-2', after: 1, at: AT, isHeld: true });
    expect(await sessions.requestCancel({ ...cancelled, id: 'e-1', epoch: 1 })).toBe(true);
    await sessions.deleteSession(deleted);

    const renewed = await sessions.renewRuns(keys.map((key) => ({ ...key, id: 'e-1', epoch: 1 })));

    expect(renewed).toEqual(['lost', 'cancelled', 'lost', 'held']);
    expect(await sessions.findHold(taken)).toMatchObject({ id: 'e-2', isCancelRequested: false });
  });

  it('cancels no run that is over, that is another one, or that was opened again', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    expect(await sessions.requestCancel(RUN)).toBe(false);
    await sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT, isHeld: true });
    expect(await sessions.requestCancel({ ...RUN, id: 'e-2' })).toBe(false);
    expect(await sessions.requestCancel({ ...RUN, epoch: 2 })).toBe(false);
    expect(await sessions.requestCancel(RUN)).toBe(true);

    await sessions.openRun(KEY, { id: 'e-1', after: 1, at: AT, isHeld: true });
    expect(await sessions.findHold(KEY)).toMatchObject({ epoch: 2, isCancelRequested: false });
    await sessions.closeRun(KEY, { id: 'e-1', epoch: 2 }, 'ended');
    expect(await sessions.requestCancel({ ...RUN, epoch: 2 })).toBe(false);
  });

  it('shows a hold that was given up, and a reader in another process, until the run is opened again', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.openRun(KEY, { id: 'e-1', after: 0, at: AT, isHeld: true });
    expect((await sessions.findHold(KEY))?.readBefore).toBeUndefined();

    await sessions.noteReader(RUN);
    expect((await sessions.findHold(KEY))?.readBefore).toBeLessThan(5_000);
    await sessions.releaseRun(RUN);
    expect(await sessions.findHold(KEY)).toMatchObject({ isReleased: true, silentFor: undefined });

    await sessions.openRun(KEY, { id: 'e-1', after: 1, at: AT, isHeld: true });
    expect(await sessions.findHold(KEY)).toMatchObject({ isReleased: false, readBefore: undefined });
  });
}

/** What a backend does that records runs without holds. */
export async function expectNoHolds(sessions: SessionService): Promise<void> {
  expect(await sessions.renewRuns([RUN])).toEqual(['held']);
  expect(await sessions.findHold(KEY)).toBeUndefined();
  expect(await sessions.requestCancel(RUN)).toBe(false);
}

function silent(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
