import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { KEY, said, sessionOf, textsOf, wrote } from './conversation.js';

const MANY = Array.from({ length: 20 }, (_, index) => `Line ${String(index)}`);

/** Writers that do not wait for each other lose nothing. */
export function promisesOfConcurrency(open: OpenSessions): void {
  it('keeps every event of twenty that are appended at once', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    await Promise.all(MANY.map((text) => sessions.appendEvent(session, said(text))));

    const found = await sessions.getSession(KEY);
    expect(found?.events.map(({ text }) => text).sort()).toEqual([...MANY].sort());
    expect(found?.nextSeq).toBe(20);
    const places = found?.events.map((_, seq) => sessions.getSession(KEY, { afterSeq: seq }));
    const rests = await Promise.all(places ?? []);
    expect(rests.map((rest) => rest?.events.length)).toEqual(MANY.map((_, seq) => 19 - seq));
  });

  it('keeps every key that is written at once, also those that sessions share', async () => {
    const sessions = await open();
    const ids = ['s1', 's2', 's3', 's4'];
    const opened = await Promise.all(ids.map((id) => sessions.createSession(sessionOf(id))));

    await Promise.all(
      opened.map((session) =>
        sessions.appendEvent(
          session,
          wrote({ own: session.id, [`user:${session.id}`]: 1, [`app:${session.id}`]: 2 }),
        ),
      ),
    );

    const shared = Object.fromEntries(
      ids.flatMap((id) => [
        [`user:${id}`, 1],
        [`app:${id}`, 2],
      ]),
    );
    for (const id of ids) {
      expect({ ...(await sessions.getSession(sessionOf(id)))?.state }).toEqual({ own: id, ...shared });
    }
  });

  it('takes events of two holders of one session', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    const [mine, yours] = [await sessions.getSession(KEY), await sessions.getSession(KEY)];
    if (mine === undefined || yours === undefined) throw new Error('The session is not there.');

    await sessions.appendEvent(mine, said('Mine'));
    const returned = await sessions.appendEvent(yours, said('Yours'));

    expect((await sessions.getSession(KEY))?.events.map(({ text }) => text)).toEqual(['Mine', 'Yours']);
    expect(returned.nextSeq).toBe(2);
  });
}

const TWENTY = Array.from({ length: 20 }, (_, index) => String(index));

/** Of two appends that expect the same position, only the first succeeds. */
export function promisesOfAppendConflicts(open: OpenSessions): void {
  it('gives a place in the log to one of twenty that expect it, and tells the others who they are', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, said('Hello'));

    const outcomes = await Promise.allSettled(
      TWENTY.map((text) => sessions.appendEvent(session, said(text), { expectedSeq: 1 })),
    );

    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'SESSION_CONFLICT' } });
    expect(textsOf(await sessions.getSession(KEY))).toHaveLength(2);
  });

  it('appends again for who loads the session anew after a conflict', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    await expect(sessions.appendEvent(session, said('Late'), { expectedSeq: 1 })).rejects.toMatchObject({
      code: 'SESSION_CONFLICT',
      message: expect.stringContaining('the next one is 0'),
    });

    const { nextSeq } = await sessions.appendEvent(session, said('In time'), { expectedSeq: 0 });
    expect(nextSeq).toBe(1);
  });
}

/** Only the last claimant of an invocation may append. */
export function promisesOfClaims(open: OpenSessions): void {
  it('refuses who appends to an invocation that was taken over, and lets the other go on', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const mine = await sessions.claimInvocation(KEY, 'e-1');
    await sessions.appendEvent(session, said('Mine'), { epoch: mine });
    const yours = await sessions.claimInvocation(KEY, 'e-1');

    await expect(sessions.appendEvent(session, said('Mine again'), { epoch: mine })).rejects.toMatchObject({
      code: 'SESSION_TAKEN_OVER',
      message: expect.stringContaining('has epoch 1, the other 2'),
    });

    await sessions.appendEvent(session, said('Yours'), { epoch: yours });
    expect([mine, yours]).toEqual([1, 2]);
    expect(textsOf(await sessions.getSession(KEY))).toEqual(['Mine', 'Yours']);
  });

  it('refuses an event of another invocation that is part of the one taken over', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const mine = await sessions.claimInvocation(KEY, 'e-9');
    const options = { epoch: mine, epochOf: 'e-9' };
    await sessions.appendEvent(session, said('Mine'), options);
    const yours = await sessions.claimInvocation(KEY, 'e-9');

    await expect(sessions.appendEvent(session, said('Mine again'), options)).rejects.toMatchObject({
      code: 'SESSION_TAKEN_OVER',
      message: expect.stringContaining('e-9'),
    });

    await sessions.appendEvent(session, said('Yours'), { epoch: yours, epochOf: 'e-9' });
    expect(textsOf(await sessions.getSession(KEY))).toEqual(['Mine', 'Yours']);
  });

  it('counts the epochs of each invocation for itself', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    await sessions.claimInvocation(KEY, 'e-1');
    const other = await sessions.claimInvocation(KEY, '__proto__');

    await expect(sessions.appendEvent(session, said('Hello'), { epoch: 1 })).resolves.toBeDefined();
    expect(other).toBe(1);
    expect(await sessions.claimInvocation(KEY, '__proto__')).toBe(2);
  });

  it('gives each of ten that claim at once an epoch of its own', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);

    const epochs = await Promise.all(TWENTY.slice(10).map(() => sessions.claimInvocation(KEY, 'e-1')));

    expect([...epochs].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('has nothing to claim where there is no session', async () => {
    const sessions = await open();

    await expect(sessions.claimInvocation(KEY, 'e-1')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
}
