import { Event } from '@adorn/core';
import { LiveCalls, type LiveCall } from './live-calls.js';

describe('the calls of a live session', () => {
  it('are open until they are answered', () => {
    const calls = new LiveCalls();
    const [first, second] = [add(calls, 'c-1'), add(calls, 'c-2')];
    first.isAnswered = true;

    expect(calls.open).toEqual([second]);
    expect([...calls.openIds]).toEqual(['c-2']);
    expect(calls.find('c-1')).toBe(first);
    expect(calls.find('c-3')).toBeUndefined();
  });

  it('are to be answered when they have an event, and an outcome or no use', () => {
    const calls = new LiveCalls();
    const origin = new Event({ invocationId: 'e-1', author: 'clerk' });
    const outcomes: LiveCall['outcomes'] = [{ kind: 'completed', response: {} }];
    Object.assign(add(calls, 'running'), { origin });
    Object.assign(add(calls, 'without event'), { outcomes });
    Object.assign(add(calls, 'ended'), { origin, outcomes });
    Object.assign(add(calls, 'cancelled'), { origin, isCancelled: true });
    Object.assign(add(calls, 'answered'), { origin, outcomes, isAnswered: true });

    expect(calls.takeEnded().map(({ id }) => id)).toEqual(['ended', 'cancelled']);
  });

  it.each<[string, { id?: string; name?: string; args?: Record<string, unknown> }, boolean]>([
    ['the same id, name and arguments', { id: 'p-1', name: 'look', args: { at: 1 } }, true],
    ['another id', { id: 'p-2', name: 'look', args: { at: 1 } }, false],
    ['another name', { id: 'p-1', name: 'seek', args: { at: 1 } }, false],
    ['other arguments', { id: 'p-1', name: 'look', args: { at: 2 } }, false],
    ['no arguments', { id: 'p-1', name: 'look' }, false],
    ['no id', { name: 'look', args: { at: 1 } }, false],
    ['an empty id', { id: '', name: 'look', args: { at: 1 } }, false],
  ])('are found again by %s', (_what, call, isFound) => {
    const calls = new LiveCalls();
    const added = add(calls, 'c-1', 'p-1', { name: 'look', args: { at: 1 } });
    add(calls, 'c-2', '', { name: 'look', args: { at: 1 } });

    expect(calls.findRepeated(call)).toBe(isFound ? added : undefined);
  });

  it('are found again without arguments on either side', () => {
    const calls = new LiveCalls();
    const added = add(calls, 'c-1', 'p-1', { name: 'look' });

    expect(calls.findRepeated({ id: 'p-1', name: 'look', args: {} })).toBe(added);
  });

  it('are cancelled by the ids of the provider; one that waits for a person is open again', () => {
    const calls = new LiveCalls();
    const added = ['p', 'p', 'p', 'q'].map((id, index) => add(calls, `c-${String(index)}`, id));
    Object.assign(added[1] as LiveCall, { isAnswered: true });
    Object.assign(added[2] as LiveCall, { isAnswered: true, isAsking: true });
    calls.cancel(['p']);

    expect(added.map(({ isCancelled }) => isCancelled)).toEqual([true, true, true, false]);
    expect(calls.open.map(({ id }) => id)).toEqual(['c-0', 'c-2', 'c-3']);
  });

  it('are not cancelled by an empty id', () => {
    const calls = new LiveCalls();
    const call = add(calls, 'c-1', '');
    calls.cancel(['']);

    expect(call.isCancelled).toBe(false);
  });

  it('are cancelled by a cancellation that has overtaken them, and only once', () => {
    const calls = new LiveCalls();
    calls.cancel(['p']);

    expect(add(calls, 'c-1', 'p').isCancelled).toBe(true);
    expect(add(calls, 'c-2', 'p').isCancelled).toBe(false);
  });

  it('remember a bounded number of cancellations whose calls have not come', () => {
    const calls = new LiveCalls();
    for (let index = 0; index < 1_001; index++) calls.cancel([`p-${String(index)}`]);

    expect(add(calls, 'c-1', 'p-999').isCancelled).toBe(true);
    expect(add(calls, 'c-2', 'p-1000').isCancelled).toBe(false);
  });

  it('are all stopped at the end', () => {
    const calls = new LiveCalls();
    const [open, answered] = [add(calls, 'c-1'), add(calls, 'c-2')];
    answered.isAnswered = true;
    calls.close();

    expect([open.isCancelled, answered.isCancelled]).toEqual([true, false]);
  });

  it('are forgotten when they are old and answered', () => {
    const calls = new LiveCalls();
    const open = add(calls, 'open', 'open');
    for (let index = 0; index < 2_001; index++) add(calls, `c-${String(index)}`).isAnswered = true;

    expect(calls.find('c-0')).toBeUndefined();
    expect(calls.find('c-1999')).toBeDefined();
    expect(calls.find('c-1001')).toBeDefined();
    expect(calls.find('c-999')).toBeUndefined();
    expect(calls.find('open')).toBe(open);
  });
});

function add(calls: LiveCalls, id: string, providerId = id, given: LiveCall['given'] = {}): LiveCall {
  return calls.add({
    id,
    providerId,
    name: given.name ?? 'look',
    given,
    connection: 1,
    generation: 1,
    handles: 0,
  });
}
