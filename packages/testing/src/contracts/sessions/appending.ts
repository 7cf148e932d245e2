import { Event } from '@adorn/core';
import { expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { appendAll, KEY, said, textsOf, wrote } from './conversation.js';

/** One event is pushed, its delta is laid over the state, and nothing else changes. */
export function promisesOfAppending(open: OpenSessions): void {
  it('returns the session with the event at its end and the delta in its state', async () => {
    const sessions = await open();
    const created = await sessions.createSession(KEY, { city: 'Oslo' });
    const first = await sessions.appendEvent(created, said('One'));

    const second = await sessions.appendEvent(first, wrote({ size: 2 }));

    expect(second).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', nextSeq: 2 });
    expect(second.events.map(({ text, actions }) => [text, { ...actions.stateDelta }])).toEqual([
      ['One', {}],
      ['', { size: 2 }],
    ]);
    expect({ ...second.state }).toEqual({ city: 'Oslo', size: 2 });
  });

  it('takes one answer to a request, and appends nothing for a second one', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    const consumes = ['adk-1'];
    const first = sessions.appendEvent(session, said('Yes.'), { consumes });
    const second = sessions.appendEvent(session, said('Yes again.'), { consumes });

    await expect(first).resolves.toMatchObject({ id: 's1' });
    await expect(second).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    expect(textsOf(await sessions.getSession(KEY))).toEqual(['Yes.']);
    await expect(sessions.appendEvent(session, said('No.'), { consumes: ['adk-2'] })).resolves.toBeDefined();
  });

  it('counts every event that was ever appended', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    const counts: number[] = [session.nextSeq];
    let current = session;
    for (const text of ['One', 'Two', 'Three']) {
      current = await sessions.appendEvent(current, said(text));
      counts.push(current.nextSeq);
    }

    expect(counts).toEqual([0, 1, 2, 3]);
    expect((await sessions.getSession(KEY))?.nextSeq).toBe(3);
    expect((await sessions.getSession(KEY, { numRecentEvents: 1 }))?.nextSeq).toBe(3);
  });

  it('moves the time of the session on to that of the event', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const later = session.lastUpdateTime + 60.25;

    await sessions.appendEvent(session, said('Hello', later));

    expect((await sessions.getSession(KEY))?.lastUpdateTime).toBeCloseTo(later, 3);
  });

  it('changes nothing at a partial event', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY, { city: 'Oslo' });
    const before = await sessions.getSession(KEY);
    const lastUpdateTime = before?.lastUpdateTime;
    const partial = new Event({
      invocationId: 'e-1',
      author: 'clerk',
      timestamp: session.lastUpdateTime + 60,
      partial: true,
      content: { role: 'model', parts: [{ text: 'Hel' }] },
      actions: { stateDelta: { city: 'Rome', 'user:theme': 'dark', 'app:motto': 'Hi' } },
    });

    const returned = await sessions.appendEvent(session, partial);

    expect(returned).toMatchObject({ id: 's1', events: [], nextSeq: 0 });
    const after = await sessions.getSession(KEY);
    expect(after).toMatchObject({ events: [], nextSeq: 0, lastUpdateTime });
    expect({ ...after?.state }).toEqual({ city: 'Oslo' });
  });

  it('strips temp: keys from the event it stores, and leaves the event it was given alone', async () => {
    const sessions = await open();
    const event = new Event({
      invocationId: 'e-1',
      author: 'clerk',
      content: { role: 'user', parts: [{ text: 'Noted.' }] },
      actions: {
        stateDelta: { 'temp:draft': 1, city: 'Oslo', 'temp:': 2 },
        artifactDelta: { 'a.txt': 0 },
        escalate: true,
      },
    });

    const returned = await sessions.appendEvent(await sessions.createSession(KEY), event);

    const stored = (await sessions.getSession(KEY))?.events;
    for (const kept of [returned.events.at(-1), stored?.at(-1)]) {
      expect(kept?.toJSON()).toEqual({
        ...event.toJSON(),
        actions: { ...event.actions, stateDelta: { city: 'Oslo' } },
      });
    }
    expect(event.actions.stateDelta).toEqual({ 'temp:draft': 1, city: 'Oslo', 'temp:': 2 });
  });

  it('gives out events that a caller cannot change', async () => {
    const sessions = await open();
    const created = await sessions.createSession(KEY);
    await appendAll(sessions, created, [said('One'), said('Two')]);
    const found = await sessions.getSession(KEY);
    const part = await sessions.getSession(KEY, { numRecentEvents: 1 });

    for (const session of [created, found, part]) scribble(session?.events);

    expect(textsOf(await sessions.getSession(KEY))).toEqual(['One', 'Two']);
    const appended = await sessions.appendEvent(created, said('Three'));
    expect([appended.nextSeq, textsOf(appended)]).toEqual([3, ['One', 'Two', 'Three']]);
  });

  it('leaves a list of events as it was when it was read', async () => {
    const sessions = await open();
    const session = await sessions.appendEvent(await sessions.createSession(KEY), said('One'));
    const { events } = session;
    const found = (await sessions.getSession(KEY))?.events;

    await sessions.appendEvent(session, said('Two'));

    expect([events.map(({ text }) => text), found?.map(({ text }) => text)]).toEqual([['One'], ['One']]);
  });

  it.each([
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    ['1700000000', 'string'],
  ])('refuses an event whose timestamp is %s', async (timestamp, found) => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    const refusal = sessions.appendEvent(session, said('Hello', timestamp as number));

    await expect(refusal).rejects.toMatchObject({
      code: 'EVENT_INVALID',
      message: expect.stringContaining(`The timestamp of an event is ${found}.`),
    });
    expect(textsOf(await sessions.getSession(KEY))).toEqual([]);
  });

  it('says what to do where the session is missing', async () => {
    const sessions = await open();
    const session = await (await open()).createSession(KEY);

    const refusal = sessions.appendEvent({ ...session, id: 'never', state: {} }, said('Hello'));

    await expect(refusal).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('Create it before appending events'),
    });
  });

  it('does not append to a session that was deleted meanwhile', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    await sessions.deleteSession(KEY);

    const refusal = sessions.appendEvent(session, wrote({ 'app:motto': 'Hi' }));

    await expect(refusal).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect({ ...(await sessions.createSession(KEY)).state }).toEqual({});
  });

  it('appends to the whole log also where the session at hand holds a part of it', async () => {
    const sessions = await open();
    await appendAll(sessions, await sessions.createSession(KEY), [said('One'), said('Two')]);
    const part = await sessions.getSession(KEY, { numRecentEvents: 1 });
    if (!part) throw new Error('The session is not there.');

    await sessions.appendEvent(part, said('Three'));

    expect(textsOf(await sessions.getSession(KEY))).toEqual(['One', 'Two', 'Three']);
  });
}

/** Writes past the service. A list that is frozen refuses, which is as good. */
function scribble(events: readonly Event[] = []): void {
  const list = events as Event[];
  const writes = [
    () => list.push(said('Forged')),
    () => (list[0] = said('Forged')),
    () => list.reverse(),
    () => list.splice(0, 1),
    () => (list.length = 0),
  ];
  for (const write of writes) {
    try {
      write();
    } catch {
      // What cannot be written to cannot be lost.
    }
  }
}
