import { jest } from '@jest/globals';

import { startTimer, SYSTEM_CLOCK, SystemClock } from './clock.js';

describe('SystemClock', () => {
  it('tells the time in seconds, to the millisecond', () => {
    const before = Date.now();

    const now = new SystemClock().now();

    expect(Math.round(now * 1000)).toBeGreaterThanOrEqual(before);
    expect(Math.round(now * 1000)).toBeLessThanOrEqual(Date.now());
  });
});

describe('startTimer', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('calls back at its time, also where that is later than a timer of Node.js can wait', () => {
    const called = jest.fn();

    startTimer(SYSTEM_CLOCK, 2 ** 31 + 1_000, called);
    jest.advanceTimersByTime(2 ** 31 + 999);
    expect(called).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);

    expect(called).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer behind once it is stopped, and none where the clock has its own', () => {
    const stopOwn = jest.fn();
    const after = jest.fn(() => stopOwn);
    startTimer({ now: () => 0, after }, 50, jest.fn())();
    expect([after.mock.calls.length, stopOwn.mock.calls.length]).toEqual([1, 1]);

    const stop = startTimer(SYSTEM_CLOCK, 2 ** 31 + 1_000, jest.fn());
    jest.advanceTimersByTime(2 ** 31);
    stop();

    expect(jest.getTimerCount()).toBe(0);
  });
});
