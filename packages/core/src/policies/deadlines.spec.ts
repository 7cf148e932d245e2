import { DeadlineList, deadlinesAfter, type Expiring } from './time-limit.js';

describe('a list of deadlines', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('expires each entry at its own time, with one timer', () => {
    const list = new DeadlineList(100);
    const expired: string[] = [];

    list.add(entry('a', expired));
    jest.advanceTimersByTime(40);
    list.add(entry('b', expired));
    expect(jest.getTimerCount()).toBe(1);

    jest.advanceTimersByTime(59);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual(['a']);
    jest.advanceTimersByTime(39);
    expect(expired).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes a time that is longer than a timer can wait', () => {
    const list = new DeadlineList(2 ** 31 + 1_000);
    const expired: string[] = [];
    const timer = jest.spyOn(globalThis, 'setTimeout');

    list.add(entry('a', expired));
    jest.advanceTimersByTime(60_000);
    expect(expired).toEqual([]);
    expect(timer).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2 ** 31 - 59_000 - 1);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['a']);
  });

  it('keeps the deadlines of the others when one entry is removed', () => {
    const list = new DeadlineList(100);
    const expired: string[] = [];
    const [first, second] = [entry('first', expired), entry('second', expired)];
    list.add(first);
    list.add(second);

    list.remove(first);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(100);

    expect(expired).toEqual(['second']);
  });

  it('gives an entry that comes after the last was removed its whole time', () => {
    const list = new DeadlineList(100);
    const expired: string[] = [];
    const first = entry('first', expired);
    list.add(first);

    list.remove(first);
    jest.advanceTimersByTime(60);
    list.add(entry('second', expired));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(99);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['second']);
  });

  it('keeps the process alive only while it has an entry', () => {
    jest.useRealTimers();
    const list = new DeadlineList(60_000);
    const before = activeTimers();
    const [first, second] = [entry('first', []), entry('second', [])];

    list.add(first);
    expect(activeTimers()).toBe(before + 1);
    list.remove(first);
    expect(activeTimers()).toBe(before);
    list.add(second);
    expect(activeTimers()).toBe(before + 1);
    list.remove(second);
    expect(activeTimers()).toBe(before);
  });

  it('makes a timer of the clock that there is', () => {
    const list = new DeadlineList(100);
    const expired: string[] = [];
    const first = entry('first', expired);
    list.add(first);
    list.remove(first);

    jest.useRealTimers();
    jest.useFakeTimers();
    list.add(entry('second', expired));
    jest.advanceTimersByTime(100);

    expect(expired).toEqual(['second']);
  });

  it('does not fire at once for a limit that is longer than a timer can be', () => {
    const list = new DeadlineList(2 ** 31);
    const expired: string[] = [];

    list.add(entry('a', expired));
    jest.advanceTimersByTime(2 ** 31 - 1);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['a']);
  });

  it('is shared by all entries of one limit', () => {
    expect(deadlinesAfter(7)).toBe(deadlinesAfter(7));
    expect(deadlinesAfter(7)).not.toBe(deadlinesAfter(8));
  });
});

function entry(name: string, expired: string[]): Expiring {
  return { expired: () => expired.push(name) };
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
