import { Event } from '../events/event.js';
import { sessionOf } from './session-log.fixture.js';
import { effectiveEvents, effectiveEntries } from './effective-events.js';

describe('the events that stand', () => {
  it.each<[string, string[], string[]]>([
    ['all, where nothing was undone', ['a', 'a', 'b'], ['a', 'a', 'b']],
    ['those before the first event of an invocation', ['a', 'b', 'a', '<a'], []],
    ['those before and after', ['a', 'b', 'b', 'c', '<b', 'd'], ['a', 'd']],
    ['those before the earliest of two', ['a', 'b', '<b', 'c', '<a', 'd'], ['d']],
    ['those before one that was undone already', ['a', 'b', '<a', 'c', '<b', 'd'], ['a', 'd']],
    ['all, where the rewind is undone', ['a', 'b', '<b', '<rewind 2', 'c'], ['a', 'b', 'c']],
    ['the later, where the invocation began before what was loaded', ['b', 'c', '<a', 'd'], ['d']],
    ['the later, where one names itself', ['a', '<rewind 1', 'b', 'c', '<c'], ['b']],
    ['the later, where one names what came after it', ['a', '<b', 'b', 'c', '<c'], ['b']],
  ])('are %s', (_what, log, standing) => {
    expect(effectiveEvents(log.map(toEvent)).map(({ invocationId }) => invocationId)).toEqual(standing);
  });
});

describe('the places of the events that stand', () => {
  it.each([
    ['begin at 0 where the log is whole', 0],
    ['go on from what was not loaded', 40],
  ])('%s', (_what, before) => {
    const events = ['a', 'b', '<b', 'c'].map(toEvent);
    const session = { ...sessionOf(...events), nextSeq: before + events.length };

    expect(effectiveEntries(session)).toEqual([
      { seq: before, event: events[0] },
      { seq: before + 3, event: events[3] },
    ]);
  });
});

/** `a` is an event of the invocation a, and `<a` undoes it. */
function toEvent(step: string, index: number): Event {
  if (!step.startsWith('<')) return new Event({ invocationId: step, author: 'user' });
  const actions = { rewindBeforeInvocationId: step.slice(1) };
  return new Event({ invocationId: `rewind ${String(index)}`, author: 'user', actions });
}
