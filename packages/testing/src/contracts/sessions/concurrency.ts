import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { KEY, said, sessionOf, wrote } from './conversation.js';

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
