import { Event, type EventBody } from '../events/event.js';
import { sessionOf } from './session-log.fixture.js';
import { DEFERRED_STEERING, deferredSteering, EXITS, exitIn } from './steering.js';

const ASKED = event({
  author: 'clerk',
  content: {
    role: 'model',
    parts: ['c1', 'c2'].map((id) => ({ functionCall: { id, name: 'act', args: {} } })),
  },
});

describe('what the tools of an answer asked for while another call waited', () => {
  it.each<[string, Event[], object | undefined]>([
    ['nothing', [answer('c1')], undefined],
    ['a transfer', [answer('c1', { transferToAgent: 'sales' })], { transferToAgent: 'sales' }],
    ['an escalation', [answer('c1', { escalate: true })], { escalate: true }],
    ['a skip', [answer('c1', { skipSummarization: true })], { skipSummarization: true }],
    [
      'the first of two transfers',
      [answer('c1', { transferToAgent: 'sales' }), answer('c2', { transferToAgent: 'press' })],
      { transferToAgent: 'sales' },
    ],
    [
      'a transfer and an escalation, of two answers',
      [answer('c1', { escalate: true }), answer('c2', { transferToAgent: 'press' })],
      { escalate: true, transferToAgent: 'press' },
    ],
    [
      'an escalation that ends a loop',
      [answer('c1', { escalate: true }, { customMetadata: { [EXITS]: 'outer' } })],
      { escalate: true, exits: 'outer' },
    ],
    ['nothing of calls of another answer', [answer('c9', { escalate: true })], undefined],
    ['nothing that a message says', [answer('c1', { escalate: true }, { author: 'user' })], undefined],
    ['nothing that has another form', [answer('c1', 'sales'), answer('c2', null)], undefined],
    [
      'nothing of a wrong type',
      [answer('c1', { transferToAgent: 7, escalate: 'yes', skipSummarization: 1 })],
      {},
    ],
  ])('is %s', (_what, answers, steering) => {
    expect(deferredSteering(sessionOf(ASKED, ...answers), [ASKED])).toEqual(steering);
  });

  it('is read from the events after the answer alone, because ids may be used again', () => {
    const earlier = answer('c1', { escalate: true });

    expect(deferredSteering(sessionOf(earlier, ASKED), [ASKED])).toBeUndefined();
  });

  it('is read of all answers that go on together', () => {
    const before = event({
      author: 'clerk',
      content: { role: 'model', parts: [{ functionCall: { id: 'c0', name: 'act', args: {} } }] },
    });
    const log = sessionOf(before, answer('c0', { transferToAgent: 'sales' }), ASKED);

    expect(deferredSteering(log, [before, ASKED])).toEqual({ transferToAgent: 'sales' });
  });
});

describe('the loop that an escalation ends', () => {
  const named = (name: string, loop: unknown) =>
    event({
      author: 'clerk',
      content: {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name, response: { loop } } }],
      },
    });

  it.each<[string, Event, string | undefined]>([
    ['is in the response of its tool', named('exit_loop_outer', 'outer'), 'outer'],
    ['is not in the response of another tool', named('act', 'outer'), undefined],
    ['is a text', named('exit_loop_outer', 7), undefined],
    ['is passed on', event({ author: 'inner', customMetadata: { [EXITS]: 'outer' } }), 'outer'],
    ['is passed on as a text', event({ author: 'inner', customMetadata: { [EXITS]: 7 } }), undefined],
  ])('%s', (_what, given, name) => {
    expect(exitIn(given)).toBe(name);
  });
});

/** The response to a call, with what was asked for besides. */
function answer(id: string, deferred?: unknown, body: Partial<EventBody> = {}): Event {
  return event({
    author: 'clerk',
    content: { role: 'user', parts: [{ functionResponse: { id, name: 'act', response: {} } }] },
    ...body,
    customMetadata: {
      ...(deferred !== undefined && { [DEFERRED_STEERING]: deferred }),
      ...body.customMetadata,
    },
  });
}

function event(body: EventBody): Event {
  return new Event(body, { invocationId: 'e-1', timestamp: 1 });
}
