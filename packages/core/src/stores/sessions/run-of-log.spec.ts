import { Event, type EventBody } from '../../events/event.js';
import { runOfLog } from './run-of-log.js';

const text = { content: { role: 'model', parts: [{ text: 'Paid.' }] } };
const call = { content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'pay', args: {} } }] } };
const responded = respondedWith({ response: { result: 'paid' } });
const paused = respondedWith({ willContinue: true });
const whole = { ...text, turnComplete: true };
const end = { actions: { endOfAgent: true } };
const cancelled = { errorCode: 'CANCELLED' };
const summary = {
  actions: {
    compaction: { startTimestamp: 0, endTimestamp: 1, compactedContent: { parts: [{ text: 'S' }] } },
  },
};

describe('the last run of a log without records', () => {
  it.each<[string, Partial<EventBody>, string]>([
    ['', { ...text, author: 'user' }, 'open'],
    ['', { author: 'user', actions: { rewindBeforeInvocationId: 'e-0' } }, 'ended'],
    ['front', call, 'open'],
    ['front', responded, 'open'],
    ['front', text, 'ended'],
    ['front', whole, 'ended'],
    ['front', paused, 'paused'],
    ['front', { ...responded, actions: { skipSummarization: true } }, 'ended'],
    ['front', { ...responded, actions: { escalate: true } }, 'ended'],
    ['front', { ...call, ...cancelled }, 'ended'],
    ['front', { ...call, errorCode: 'TIME_LIMIT' }, 'ended'],
    ['front', { ...whole, isolationScope: 'x/c1' }, 'open'],
    ['front', end, 'ended'],
    ['front', { actions: { agentState: { round: 1 } } }, 'open'],
    ['front/bills', whole, 'open'],
    ['front/bills', call, 'open'],
    ['line/draft', end, 'open'],
    ['line/draft', paused, 'paused'],
    ['line/draft', { ...text, ...cancelled }, 'ended'],
  ])('at %s: %j is %s', (path, body, status) => {
    expect(runOfLog([eventAt(path, body)])?.status).toBe(status);
  });

  it('has the id, and the time of its last event', () => {
    const log = [eventAt('', { ...text, author: 'user' }, 'e-0', 4), eventAt('front', call, 'e-1', 5)];

    expect(runOfLog(log)).toEqual({ id: 'e-1', status: 'open', epoch: 1, openedAt: 5, attempts: 0 });
  });

  it('is the run to which an agent that runs as a tool belongs', () => {
    const scoped = eventAt('clerk', { ...whole, isolationScope: 'x/c1' }, 'e-1.sub.c1');

    expect(runOfLog([scoped])?.id).toBe('e-1');
    expect(runOfLog([eventAt('clerk', whole, 'e-1.sub.c1')])?.id).toBe('e-1.sub.c1');
  });

  it('is the one before a summary, and before an attempt of an earlier version to recover it', () => {
    const attempt = { author: 'user', customMetadata: { 'adorn:recoveryAttempt': 1 } };
    const log = [eventAt('front', call), eventAt('', summary, 'e-2'), eventAt('', attempt)];

    expect(runOfLog(log)).toMatchObject({ id: 'e-1', status: 'open' });
  });

  it('is none in a log without events', () => {
    expect(runOfLog([])).toBeUndefined();
  });
});

function eventAt(path: string, body: Partial<EventBody>, invocationId = 'e-1', timestamp = 1): Event {
  const place = path === '' ? {} : { nodeInfo: { path } };
  const author = path.split('/').at(-1) || 'front';
  return new Event({ author, ...place, ...body }, { invocationId, timestamp });
}

function respondedWith(fields: object): Partial<EventBody> {
  return { content: { parts: [{ functionResponse: { id: 'c1', name: 'pay', ...fields } }] } };
}
