import { startLimit, SystemClock } from './clock.js';
import { DeadlineList } from './deadlines.js';

describe('a list of deadlines', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('expires each entry at its own time, with one timer', () => {
    const list = new DeadlineList(100, noop);
    const expired: string[] = [];

    list.add(note('a', expired));
    jest.advanceTimersByTime(40);
    list.add(note('b', expired));
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
    const list = new DeadlineList(2 ** 31 + 1_000, noop);
    const expired: string[] = [];
    const timer = jest.spyOn(globalThis, 'setTimeout');

    list.add(note('a', expired));
    jest.advanceTimersByTime(60_000);
    expect(expired).toEqual([]);
    expect(timer).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2 ** 31 - 59_000 - 1);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['a']);
  });

  it('keeps the deadlines of the others when one entry is removed', () => {
    const list = new DeadlineList(100, noop);
    const expired: string[] = [];
    const first = list.add(note('first', expired));
    list.add(note('second', expired));

    list.remove(first);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(100);

    expect(expired).toEqual(['second']);
  });

  it('gives an entry that comes after the last was removed its whole time', () => {
    const list = new DeadlineList(100, noop);
    const expired: string[] = [];
    const first = list.add(note('first', expired));

    list.remove(first);
    jest.advanceTimersByTime(60);
    list.add(note('second', expired));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(99);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['second']);
  });

  it('keeps the process alive only while it has an entry', () => {
    jest.useRealTimers();
    const list = new DeadlineList(60_000, noop);
    const before = activeTimers();

    const first = list.add(noop);
    expect(activeTimers()).toBe(before + 1);
    list.remove(first);
    expect(activeTimers()).toBe(before);
    const second = list.add(noop);
    expect(activeTimers()).toBe(before + 1);
    list.remove(second);
    expect(activeTimers()).toBe(before);
  });

  it('does not fire at once for a limit that is longer than a timer can be', () => {
    const list = new DeadlineList(2 ** 31, noop);
    const expired: string[] = [];

    list.add(note('a', expired));
    jest.advanceTimersByTime(2 ** 31 - 1);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(expired).toEqual(['a']);
  });

  it('says when it was empty for its time, and not before', () => {
    const unused = jest.fn();
    const list = new DeadlineList(100, unused);

    const first = list.add(noop);
    list.remove(first);
    jest.advanceTimersByTime(60);
    list.add(noop);
    jest.advanceTimersByTime(100);
    expect(unused).toHaveBeenCalledTimes(1);
  });
});

describe('startLimit', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('needs one timer of Node.js for all callbacks of a clock with the same delay', () => {
    const clock = new SystemClock();
    const called: string[] = [];

    startLimit(clock, 50, note('a', called));
    const cancel = startLimit(clock, 50, note('b', called));
    startLimit(clock, 50, note('c', called));
    startLimit(new SystemClock(), 50, note('d', called));
    expect(jest.getTimerCount()).toBe(2);
    cancel();
    jest.advanceTimersByTime(50);

    expect(called).toEqual(['a', 'c', 'd']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves the timer to a clock that has one', () => {
    const cancel = jest.fn();
    const after = jest.fn(() => cancel);

    startLimit({ now: () => 0, after }, 50, noop)();

    expect(after).toHaveBeenCalledWith(50, noop);
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});

function note(name: string, noted: string[]): () => void {
  return () => noted.push(name);
}

function noop(): void {
  // It is only counted.
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
