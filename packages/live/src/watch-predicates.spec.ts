import { Event } from '@adorn/core';

import {
  becameFalse,
  becameTrue,
  changed,
  changedFrom,
  changedTo,
  crossedAbove,
  crossedBelow,
  failures,
  millisecondsOf,
  type Observation,
  rate,
  sustained,
  turns,
  type WatchPredicate,
} from './watch-predicates.js';

describe('a predicate over a value', () => {
  it.each<[string, WatchPredicate, unknown, unknown, boolean]>([
    ['changed, another value', changed(), 1, 2, true],
    ['changed, the same value', changed(), { a: 1 }, { a: 1 }, false],
    ['changed, absent before', changed(), undefined, 1, true],
    ['changed, absent and null', changed(), undefined, null, false],
    ['changedTo, this value', changedTo('calm'), 'cross', 'calm', true],
    ['changedTo, from the same', changedTo('calm'), 'calm', 'calm', false],
    ['changedTo, another', changedTo('calm'), 'cross', 'loud', false],
    ['changedTo, null', changedTo(null), 'cross', undefined, true],
    ['changedFrom, this value', changedFrom('calm'), 'calm', 'loud', true],
    ['changedFrom, still', changedFrom('calm'), 'calm', 'calm', false],
    ['changedFrom, another', changedFrom('calm'), 'cross', 'loud', false],
    ['crossedAbove, from below', crossedAbove(5), 4, 6, true],
    ['crossedAbove, onto the threshold', crossedAbove(5), 4, 5, true],
    ['crossedAbove, from the threshold', crossedAbove(5), 5, 6, false],
    ['crossedAbove, from absence', crossedAbove(5), undefined, 6, true],
    ['crossedAbove, still below', crossedAbove(5), 3, 4, false],
    ['crossedAbove, to no number', crossedAbove(5), 4, '6', false],
    ['crossedAbove, from no number', crossedAbove(5), '9', 6, true],
    ['crossedBelow, from above', crossedBelow(5), 6, 4, true],
    ['crossedBelow, from the threshold', crossedBelow(5), 5, 4, true],
    ['crossedBelow, onto the threshold', crossedBelow(5), 6, 5, false],
    ['crossedBelow, still below', crossedBelow(5), 4, 3, false],
    ['crossedBelow, from absence', crossedBelow(5), undefined, 4, true],
    ['crossedBelow, to no number', crossedBelow(5), 6, '4', false],
    ['becameTrue, from absence', becameTrue(), undefined, true, true],
    ['becameTrue, from false', becameTrue(), false, true, true],
    ['becameTrue, still', becameTrue(), true, true, false],
    ['becameTrue, truthy only', becameTrue(), false, 1, false],
    ['becameFalse, from true', becameFalse(), true, false, true],
    ['becameFalse, to absence', becameFalse(), true, undefined, true],
    ['becameFalse, still', becameFalse(), false, false, false],
    ['becameFalse, still true', becameFalse(), true, true, false],
  ])('%s', (_what, predicate, before, now, isMet) => {
    expect(predicate.isMet({ ...NOTHING, before, now })).toBe(isMet);
  });
});

describe('sustained', () => {
  it.each([
    ['does not hold', undefined, false],
    ['has held for less', 19_999, false],
    ['has held for as long', 20_000, true],
    ['has held for longer', 30_000, true],
  ])('where the condition %s', (_what, heldMs, isMet) => {
    expect(sustained(() => true, '20s').isMet({ ...NOTHING, heldMs })).toBe(isMet);
  });

  it('looks at the whole state', () => {
    const { condition } = sustained<{ mood: number }>(({ mood = 0 }) => mood > 1, 10);

    expect([condition?.({ mood: 2 }), condition?.({})]).toEqual([true, false]);
  });
});

describe('turns', () => {
  const predicate = turns<{ isCross: boolean }>(({ isCross }) => isCross === true, 2);

  it('counts the turns in a row, and begins anew', () => {
    const counts = [true, true, false, true].reduce<(readonly number[])[]>(
      (before, isCross) => [...before, countOf(predicate, before.at(-1) ?? [], [], { isCross })],
      [],
    );

    expect(counts).toEqual([[1], [2], [0], [1]]);
  });

  it('is met from the count on', () => {
    const met = [[], [1], [2], [3]].map((counted) => predicate.isMet({ ...NOTHING, counted }));

    expect(met).toEqual([false, false, true, true]);
  });
});

describe('rate', () => {
  const predicate = rate(({ text }) => text === 'no', 3, '1m');

  it('keeps the times of the last events that count', () => {
    const events = ['no', 'yes', 'no', 'no'].map((text, index) => said(text, 100 + index));

    expect(countOf(predicate, [50, 60], events)).toEqual([100, 102, 103]);
    expect(countOf(predicate, [50, 60], events.slice(0, 2))).toEqual([50, 60, 100]);
    expect(countOf(predicate, [], [])).toEqual([]);
  });

  it.each([
    ['too few', [100, 120], 120, false],
    ['enough within the while', [100, 120, 140], 160, true],
    ['enough, and the first is too old', [100, 120, 140], 161, false],
    ['none', [], 0, false],
  ])('%s', (_what, counted, at, isMet) => {
    expect(predicate.isMet({ ...NOTHING, counted, at })).toBe(isMet);
  });
});

describe('failures', () => {
  const predicate = failures('look', 2);

  it.each<[string, readonly number[], readonly Event[], number]>([
    ['goes on from the turns before', [1], [returned('look', { error: 'down' })], 2],
    ['begins anew after a result', [1], [returned('look', { result: 1 })], 0],
    ['counts what failed after a result', [5], [returned('look', {}), returned('look', { error: 'x' })], 1],
    ['leaves other tools out', [1], [returned('other', { error: 'x' }), returned('other', {})], 1],
    ['leaves out what says that the call goes on', [1], [returned('look', { status: 'on' }, true)], 1],
    ['bears with a response that says nothing', [1], [returned('look', undefined)], 0],
    ['begins with nothing', [], [], 0],
  ])('%s', (_what, before, events, count) => {
    expect(countOf(predicate, before, events)).toEqual([count]);
  });

  it('is met from the count on', () => {
    const met = [[], [1], [2], [3]].map((counted) => predicate.isMet({ ...NOTHING, counted }));

    expect(met).toEqual([false, false, true, true]);
  });
});

describe('a duration', () => {
  it.each([
    [250, 250],
    ['250ms', 250],
    ['1.5s', 1_500],
    ['10.25s', 10_250],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ])('%s', (duration, milliseconds) => {
    expect(millisecondsOf(duration)).toBe(milliseconds);
  });

  it.each(['', '5', 's', '5 s', '5d', '-5s', 'a5s', '5sx', '1.s'])('is refused: "%s"', (duration) => {
    expect(() => millisecondsOf(duration)).toThrow(
      new RangeError(
        `"${duration}" is no duration. Write a number of milliseconds, or a text such as '20s' or '1m'.`,
      ),
    );
  });
});

const NOTHING: Observation = { before: undefined, now: undefined, heldMs: undefined, counted: [], at: 0 };

function countOf(
  predicate: WatchPredicate,
  before: readonly number[],
  events: readonly Event[],
  state: Record<string, unknown> = {},
): readonly number[] {
  return predicate.count?.(before, { events, state }) ?? [];
}

function said(text: string, timestamp: number): Event {
  const content = { role: 'user', parts: [{ text }] };
  return new Event({ invocationId: 'e-1', author: 'user', content, timestamp });
}

function returned(
  name: string,
  response: Record<string, unknown> | undefined,
  willContinue?: boolean,
): Event {
  const parts = [{ functionResponse: { id: 'c-1', name, response, willContinue } }];
  return new Event({ invocationId: 'e-1', author: 'desk', content: { role: 'user', parts } });
}
