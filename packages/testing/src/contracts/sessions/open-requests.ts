import { Event, exportSession, importSession, type SessionKey, type SessionService } from '@adorn/core';
import { type OpenRequestQuery, openRequestsOf } from '@adorn/core/backend';

import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { asked, KEY, said, sessionOf } from './conversation.js';

const AT = 1_700_000_000;

/** An event that makes a call and one that asks a person about it. */
export function asksAbout(
  call: string,
  { at = AT, tool = 'export', run = 'e-1' }: { at?: number; tool?: string; run?: string } = {},
): Event[] {
  const functionCall = { id: call, name: tool, args: { call } };
  const made = { invocationId: run, author: 'clerk', timestamp: at };
  const question = {
    id: `q-${call}`,
    name: 'adk_request_confirmation',
    args: {
      originalFunctionCall: functionCall,
      toolConfirmation: { hint: `Run ${call}?`, confirmed: false },
    },
  };
  return [
    new Event({ ...made, content: { role: 'model', parts: [{ functionCall }] } }),
    new Event({
      ...made,
      content: { role: 'user', parts: [{ functionCall: question }] },
      longRunningToolIds: [question.id],
    }),
  ];
}

/** The answer of a person to the question about a call. One of several who have to approve leaves it open. */
export function answersAbout(call: string, { isOneOfSeveral = false, run = 'e-1' } = {}): Event {
  const response = { confirmed: true, by: 'mia' };
  const answer = { id: `q-${call}`, name: 'adk_request_confirmation', response };
  const functionResponse = isOneOfSeveral ? { ...answer, willContinue: true } : answer;
  return new Event({
    invocationId: run,
    author: 'user',
    timestamp: AT,
    content: { role: 'user', parts: [{ functionResponse }] },
  });
}

/** The result of a call. */
export function settles(call: string, tool = 'export', run = 'e-1'): Event {
  const functionResponse = { id: call, name: tool, response: { result: 'done' } };
  return new Event({
    invocationId: run,
    author: 'clerk',
    timestamp: AT,
    content: { role: 'user', parts: [{ functionResponse }] },
  });
}

function rewinds(invocationId: string): Event {
  return new Event({
    invocationId: `undo-${invocationId}`,
    author: 'user',
    timestamp: AT,
    actions: { rewindBeforeInvocationId: invocationId },
  });
}

/** What a store says of the requests that wait, in all sessions of an application. */
export function promisesOfOpenRequests(open: OpenSessions): void {
  it('lists the open requests of all users, the oldest first, with all that their answers need', async () => {
    const sessions = await open();
    await append(sessions, KEY, asksAbout('c1', { at: AT + 5 }));
    await append(sessions, { ...KEY, userId: 'bob' }, asksAbout('c2', { at: AT }));
    await append(sessions, { ...KEY, appName: 'other' }, asksAbout('c3'));

    const listed = await sessions.listOpenRequests({ appName: KEY.appName });

    expect(listed.map(({ id }) => id)).toEqual(['q-c2', 'q-c1']);
    expect(listed[0]).toEqual({
      kind: 'confirmation',
      id: 'q-c2',
      functionCallId: 'c2',
      tool: 'export',
      args: { call: 'c2' },
      hint: 'Run c2?',
      askedAt: AT,
      appName: KEY.appName,
      userId: 'bob',
      sessionId: KEY.sessionId,
      invocationId: 'e-1',
    });
  });

  it('lists requests by user, tool and age, and goes on behind the last one of a page', async () => {
    const sessions = await open();
    for (const [index, tool] of ['export', 'refund', 'export', 'export'].entries())
      await append(
        sessions,
        sessionOf(`s${String(index)}`),
        asksAbout(`c${String(index)}`, { at: AT + index, tool }),
      );
    const ids = async (query: Omit<OpenRequestQuery, 'appName'>): Promise<string[]> =>
      (await sessions.listOpenRequests({ appName: KEY.appName, ...query })).map(({ id }) => id);

    expect(await ids({ tool: 'refund' })).toEqual(['q-c1']);
    expect(await ids({ userId: 'bob' })).toEqual([]);
    expect(await ids({ askedBefore: AT + 2 })).toEqual(['q-c0', 'q-c1']);
    const [, second] = await sessions.listOpenRequests({ appName: KEY.appName, limit: 2 });
    await append(sessions, sessionOf('s1'), [answersAbout('c1')]);
    expect(await ids({ after: second, limit: 1 })).toEqual(['q-c2']);
    expect(await ids({ after: second })).toEqual(['q-c2', 'q-c3']);
  });

  it('lists all of many requests that were made at one time, page by page, each once', async () => {
    const sessions = await open();
    const many = Array.from({ length: 25 }, (_, index) => `c${String(index)}`);
    for (const call of many) await append(sessions, sessionOf(`of-${call}`), asksAbout(call));
    const seen: string[] = [];
    for (let after; ;) {
      const page = await sessions.listOpenRequests({ appName: KEY.appName, after, limit: 4 });
      seen.push(...page.map(({ functionCallId }) => functionCallId));
      after = page.at(-1);
      if (page.length < 4) break;
    }

    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(many));
  });

  it('forgets the requests of a deleted session, also where another one gets its id', async () => {
    const sessions = await open();
    await append(sessions, KEY, asksAbout('c1'));
    await sessions.deleteSession(KEY);
    expect(await sessions.listOpenRequests({ appName: KEY.appName })).toEqual([]);

    await append(sessions, KEY, [said('Hello')]);

    expect(await sessions.listOpenRequests({ appName: KEY.appName })).toEqual([]);
  });

  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`lists what the logs say, whatever happens in them (script ${String(seed)})`, async () => {
      const sessions = await open();
      const dice = diceOf(seed);
      for (let step = 0; step < 40; step++) {
        await happens(sessions, dice, step);
        if (dice(3) === 0) await expectTrue(sessions);
      }
      await expectTrue(sessions);
    });
}

const IDS = ['s1', 's2', 's3'];

/** Something that may open, close or change requests of one of three sessions, or none of it. */
async function happens(
  sessions: SessionService,
  dice: (sides: number) => number,
  step: number,
): Promise<void> {
  const key = sessionOf(IDS[dice(3)] ?? '');
  const log = (await sessions.getSession(key))?.events ?? [];
  const calls = log.flatMap(({ functionCalls }) => functionCalls.map(({ id = '' }) => id));
  const call = calls[dice(calls.length)]?.replace(/^q-/, '') ?? 'none';
  const run = `e-${String(step)}`;
  const made = `c${String(step)}`;
  switch (dice(9)) {
    case 0:
    case 1:
      return append(sessions, key, asksAbout(made, { at: AT + dice(20), run }));
    case 2:
      return append(sessions, key, [...asksAbout(made, { run }).slice(0, 1), asked(made)]);
    case 3:
      return append(sessions, key, [answersAbout(call, { run })]);
    case 4:
      return append(sessions, key, [settles(call, 'export', run)]);
    case 5:
      return append(sessions, key, [answersAbout(call, { isOneOfSeveral: true, run })]);
    case 6:
      return append(sessions, key, [rewinds(log[dice(log.length)]?.invocationId ?? 'none')]);
    case 7:
      return dice(3) === 0 ? sessions.deleteSession(key) : append(sessions, key, [said('Well.')]);
    default:
      return copies(sessions, key, sessionOf(IDS[dice(3)] ?? ''));
  }
}

/** Replaces a session by a copy of another one, as by export and import. */
async function copies(sessions: SessionService, from: SessionKey, to: SessionKey): Promise<void> {
  if (!(await sessions.getSession(from))) return;
  const lines: string[] = [];
  for await (const line of exportSession(sessions, from)) lines.push(line);
  await sessions.deleteSession(to);
  await importSession(sessions, lines, to, { isTrusted: true });
}

async function append(sessions: SessionService, key: SessionKey, events: readonly Event[]): Promise<void> {
  const session = (await sessions.getSession(key)) ?? (await sessions.createSession(key));
  await sessions.appendEvents(session, events);
}

/** The index says what the logs say. */
async function expectTrue(sessions: SessionService): Promise<void> {
  const expected = [];
  for (const id of IDS) {
    const session = await sessions.getSession(sessionOf(id));
    if (session) expected.push(...openRequestsOf(session));
  }
  const listed = await sessions.listOpenRequests({ appName: KEY.appName });
  expect(listed.map(textOf).sort()).toEqual(expected.map(textOf).sort());
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** Numbers that look random and are the same in each run. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed * 7919;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return sides === 0 ? 0 : (state >>> 8) % sides;
  };
}
