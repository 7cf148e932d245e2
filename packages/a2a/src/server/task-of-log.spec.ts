import { Event, type PendingRequest, type Session } from '@adorn/core';
import { TaskState } from '@a2a-js/sdk';

import { invocationIdOf, newCancellationId } from './task-id.js';
import { artifactOf, readTaskLog, statusOf, taskIdsIn, taskOf } from './task-of-log.js';
import { adkCallsIn, isAdkStep } from '../protocol/adk-parts.js';

const [FIRST = '', SECOND = '', ANSWER = ''] = ['m1', 'm2', 'm3'].map((messageId) =>
  invocationIdOf({ sessionId: 's1', messageId }),
);
const ELSEWHERE = invocationIdOf({ sessionId: 's2', messageId: 'm1' });

describe('a task in the log of its session', () => {
  it('is one of the tasks whose ids name the session, the latest first', () => {
    const session = sessionOf([
      said(FIRST, 'Hi'),
      answered(FIRST, 'Hello.'),
      said(SECOND, 'Bye'),
      said('e-1', 'of the application'),
      said(ELSEWHERE, 'of another session'),
      answered(`${SECOND}.sub.1`, 'of a tool'),
    ]);

    expect(taskIdsIn(session)).toEqual([SECOND, FIRST]);
  });

  it('has the events of its run and of the agents in it, and none of another run', () => {
    const log = readTaskLog(
      sessionOf([
        said(FIRST, 'Hi'),
        said(SECOND, 'Bye'),
        answered(`${FIRST}.sub.1`, 'a'),
        answered(FIRST, 'b'),
      ]),
      FIRST,
    );

    expect(log?.events.map(({ text }) => text)).toEqual(['Hi', 'a', 'b']);
    expect(log).toMatchObject({ taskId: FIRST, contextId: 's1', isOpen: false });
  });

  it('goes on with the run of an answer to its question, and not with that of another', () => {
    const session = sessionOf([
      said(FIRST, 'A shirt'),
      asking(FIRST, 'r1'),
      said(SECOND, 'Another'),
      asking(SECOND, 'r2'),
      answering(ANSWER, 'r1'),
      answered(ANSWER, 'Ordered.'),
    ]);

    expect(readTaskLog(session, FIRST)?.events.map(({ invocationId }) => invocationId)).toEqual([
      ...[FIRST, FIRST, ANSWER, ANSWER],
    ]);
    expect(readTaskLog(session, SECOND)?.invocationIds).toEqual(new Set([SECOND]));
    expect(readTaskLog(session, ANSWER)).toBeUndefined();
    expect(readTaskLog(session, ELSEWHERE)).toBeUndefined();
  });

  it('goes on with the run that took it up, and is open as long as that is', () => {
    const events = [said(FIRST, 'Hi'), answered('e-9', 'Hello.')];
    const lastRun = { id: 'e-9', continues: FIRST, status: 'open' };

    expect(readTaskLog(sessionOf(events, lastRun), FIRST)).toMatchObject({
      invocationIds: new Set([FIRST, 'e-9']),
      isOpen: true,
    });
    expect(readTaskLog(sessionOf(events, { ...lastRun, status: 'closed' }), FIRST)?.isOpen).toBe(false);
    expect(readTaskLog(sessionOf(events, { ...lastRun, continues: SECOND }), FIRST)).toMatchObject({
      invocationIds: new Set([FIRST]),
      isOpen: false,
    });
  });
});

describe('the status of a task', () => {
  const hello = answered(FIRST, 'Hello.');
  const failure = new Event({ ...agentEvent(FIRST), errorCode: 'MODEL_FAILED', errorMessage: 'secret' });
  const cancelled = new Event({ ...agentEvent(FIRST), errorCode: 'CANCELLED' });
  const ofTool = new Event({ ...agentEvent(FIRST), errorCode: 'MODEL_FAILED', isolationScope: 'c1' });

  it.each<[string, Event[], keyof typeof TaskState]>([
    ['an answer', [hello], 'TASK_STATE_COMPLETED'],
    ['no answer', [], 'TASK_STATE_COMPLETED'],
    ['a failure', [failure], 'TASK_STATE_FAILED'],
    ['a failure behind an answer', [hello, failure], 'TASK_STATE_FAILED'],
    ['an answer behind a failure', [failure, hello], 'TASK_STATE_COMPLETED'],
    ['a failure of an agent that is a tool', [ofTool], 'TASK_STATE_COMPLETED'],
    ['a cancellation', [cancelled], 'TASK_STATE_CANCELED'],
    ['an answer behind a cancellation', [cancelled, hello], 'TASK_STATE_COMPLETED'],
    ['a failure behind a cancellation', [cancelled, failure], 'TASK_STATE_FAILED'],
  ])('is that of %s', (_, events, state) => {
    const status = statusOf(logOf([said(FIRST, 'Hi'), ...events]), { pending: [], isActive: false });

    expect(TaskState[status.state]).toBe(state);
  });

  it('says the code of a failure, and not its text', () => {
    const { message } = statusOf(logOf([said(FIRST, 'Hi'), failure]), { pending: [], isActive: false });

    expect(message).toMatchObject({ messageId: `${FIRST}/MODEL_FAILED`, contextId: 's1', taskId: FIRST });
    expect(JSON.stringify(message?.parts)).toContain('The agent could not answer (MODEL_FAILED).');
    expect(JSON.stringify(message)).not.toContain('secret');
  });

  it('is cancelled behind a cancellation of the peer, whatever the agent said then', () => {
    const cancellation = newCancellationId();
    const log = logOf([
      said(FIRST, 'Hi'),
      asking(FIRST, 'r1'),
      answering(cancellation, 'r1'),
      answered(cancellation, 'Ok.'),
    ]);

    expect(statusOf(log, { pending: [], isActive: false }).state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('is working while it runs here or elsewhere', () => {
    const log = logOf([said(FIRST, 'Hi'), hello]);
    const view = { pending: [], isActive: false };

    expect(statusOf(log, { ...view, isActive: true }).state).toBe(TaskState.TASK_STATE_WORKING);
    expect(statusOf({ ...log, isOpen: true }, view).state).toBe(TaskState.TASK_STATE_WORKING);
    expect(statusOf(log, view).timestamp).toBe('2026-01-02T03:04:05.000Z');
  });

  it.each<[readonly PendingRequest['kind'][], keyof typeof TaskState]>([
    [['input'], 'TASK_STATE_INPUT_REQUIRED'],
    [['confirmation', 'credential'], 'TASK_STATE_INPUT_REQUIRED'],
    [['credential', 'credential'], 'TASK_STATE_AUTH_REQUIRED'],
  ])('waits for %j', (kinds, state) => {
    const log = logOf([said(FIRST, 'Hi')]);
    const pending = kinds.map((kind) => requestOf(kind, FIRST));
    const others = [requestOf('input', SECOND)];

    const status = statusOf(log, { pending: [...pending, ...others], isActive: false });

    expect(TaskState[status.state]).toBe(state);
    expect(status.message?.messageId).toBe(`r-${kinds[0] ?? ''}`);
    const parts = status.message?.parts ?? [];
    const shown = parts.filter((part) => !isAdkStep(part)).map(({ content }) => content?.value as unknown);
    const forAdk = adkCallsIn(status.message).map(({ id, name }) => [id, name]);
    expect(forAdk).toEqual(
      kinds
        .filter((kind) => kind !== 'credential')
        .map((kind) => [`r-${kind}`, kind === 'result' ? 'refund' : `adk_request_${kind}`]),
    );
    expect(shown).toEqual([
      ...kinds.map((kind) => `Hint of ${kind}.`),
      ...kinds.map((kind) =>
        kind === 'input'
          ? { requestId: 'r-input', kind, hint: 'Hint of input.', schema: { type: 'string' }, payload: 7 }
          : { requestId: `r-${kind}`, kind, tool: 'refund', hint: `Hint of ${kind}.` },
      ),
    ]);
  });
});

describe('a task as peers see it', () => {
  it('has the answers as artifacts, and neither thoughts of tools nor questions', () => {
    const partial = new Event({ ...agentEvent(FIRST), partial: true, content: textOf('piece') });
    const call = { functionCall: { id: 'c1', name: 'look_up', args: {} } };
    const calling = new Event({
      ...agentEvent(FIRST),
      content: { role: 'model', parts: [{ text: 'a' }, call] },
    });
    const ofTool = new Event({ ...agentEvent(FIRST), isolationScope: 'c1', content: textOf('inner') });

    expect(artifactOf(answered(FIRST, 'Hello.'))).toMatchObject({
      name: 'desk',
      description: '',
      extensions: [],
    });
    expect(artifactOf(partial)?.parts[0]?.content?.value).toBe('piece');
    for (const event of [
      calling,
      ofTool,
      said(FIRST, 'Hi'),
      asking(FIRST, 'r1'),
      new Event(agentEvent(FIRST)),
    ])
      expect(artifactOf(event)).toBeUndefined();
  });

  it('has as many of the last messages as are asked for', () => {
    const log = logOf([
      said(FIRST, 'Hi'),
      asking(FIRST, 'r1'),
      answering(ANSWER, 'r1'),
      answered(ANSWER, 'Ok.'),
    ]);
    const historyOf = (historyLength?: number) =>
      taskOf(log, { pending: [], isActive: false, historyLength }).history.map(({ messageId, parts }) => [
        messageId,
        parts.map(({ content }) => content?.value as unknown),
      ]);

    const all = [
      ['m1', ['Hi']],
      ['m3', ['M']],
    ];
    expect([historyOf(), historyOf(5), historyOf(1), historyOf(0)]).toEqual([all, all, all.slice(1), []]);
  });
});

function agentEvent(invocationId: string) {
  return { invocationId, author: 'desk', timestamp: Date.parse('2026-01-02T03:04:05Z') / 1000 };
}

function textOf(text: string) {
  return { role: 'model', parts: [{ text }] };
}

function answered(invocationId: string, text: string): Event {
  return new Event({ ...agentEvent(invocationId), content: textOf(text) });
}

function said(invocationId: string, text: string): Event {
  return new Event({
    ...agentEvent(invocationId),
    author: 'user',
    content: { role: 'user', parts: [{ text }] },
  });
}

/** An event whose request waits for an answer. */
function asking(invocationId: string, id: string): Event {
  const functionCall = { id, name: 'adk_request_input', args: {} };
  const content = { role: 'model', parts: [{ functionCall }] };
  return new Event({ ...agentEvent(invocationId), content, longRunningToolIds: [id] });
}

function answering(invocationId: string, id: string): Event {
  const functionResponse = { id, name: 'adk_request_input', response: { result: 'M' } };
  return new Event({
    ...agentEvent(invocationId),
    author: 'user',
    content: { role: 'user', parts: [{ functionResponse }] },
  });
}

function requestOf(kind: PendingRequest['kind'], invocationId: string): PendingRequest {
  const more = { schema: { type: 'string' }, payload: 7, args: { secret: 1 } };
  const request: unknown = {
    ...{ id: `r-${kind}`, kind, invocationId, tool: 'refund', hint: `Hint of ${kind}.`, ...more },
  };
  return request as PendingRequest;
}

function sessionOf(events: Event[], lastRun?: object): Session {
  return { id: 's1', events, lastRun } as unknown as Session;
}

function logOf(events: Event[]) {
  const log = readTaskLog(sessionOf(events), FIRST);
  if (log === undefined) throw new Error('there is no task');
  return log;
}
