import { Event, exportSession, importSession, type Session } from '@adorn/core';
import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { appendAll, KEY, said } from './conversation.js';

/** Stands for the places 0 to 2. */
const SUMMARY = new Event({
  invocationId: 'e-2',
  author: 'user',
  timestamp: 250.5,
  actions: {
    compaction: {
      startTimestamp: 100.25,
      endTimestamp: 200.125,
      compactedContent: { role: 'user', parts: [{ text: 'They met. \u{1f680}' }] },
    },
  },
  customMetadata: { 'adorn:coveredSeqs': { start: 0, end: 2 } },
});

const LOG = [said('a', 100.25), said('b', 150), said('c', 200.125), SUMMARY, said('d', 300)];

/** A summary refers to earlier positions of the log, which must not change. */
export function promisesOfSummaries(open: OpenSessions): void {
  it('keeps a summary, and the events that it stands for', async () => {
    const sessions = await open();
    await appendAll(sessions, await sessions.createSession(KEY), LOG);

    expect(jsonOf(await sessions.getSession(KEY))).toEqual(LOG.map((event) => event.toJSON()));
  });

  it('finds a summary among the newest events, whose places follow from how many there are', async () => {
    const sessions = await open();
    await appendAll(sessions, await sessions.createSession(KEY), LOG);

    const found = await sessions.getSession(KEY, { numRecentEvents: 3 });

    expect(jsonOf(found)).toEqual(LOG.slice(2).map((event) => event.toJSON()));
    expect(found && found.nextSeq - found.events.length).toBe(2);
  });

  it('moves a summary with its places', async () => {
    const sessions = await open();
    await appendAll(sessions, await sessions.createSession(KEY), LOG);
    const lines: string[] = [];
    for await (const line of exportSession(sessions, KEY)) lines.push(line);

    const moved = await importSession(sessions, lines, { sessionId: 'moved' });

    expect(jsonOf(moved)).toEqual(LOG.map((event) => event.toJSON()));
  });

  it('appends a summary nowhere but where it is told', async () => {
    const sessions = await open();
    const session = await appendAll(sessions, await sessions.createSession(KEY), LOG.slice(0, 3));
    await sessions.appendEvent(session, said('meanwhile'));

    const late = sessions.appendEvent(session, SUMMARY, { expectedSeq: 3 });

    await expect(late).rejects.toMatchObject({ code: 'SESSION_CONFLICT', found: 4 });
    await sessions.appendEvent(session, SUMMARY, { expectedSeq: 4 });
    expect((await sessions.getSession(KEY))?.events[4]?.actions.compaction).toEqual(
      SUMMARY.actions.compaction,
    );
  });
}

function jsonOf(session: Session | undefined): unknown {
  return session?.events.map((event) => event.toJSON());
}
