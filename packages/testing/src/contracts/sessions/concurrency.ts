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
    if (!mine || !yours) throw new Error('The session is not there.');

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
