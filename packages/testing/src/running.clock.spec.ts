import { setTimeout } from 'node:timers/promises';

import { RunningClock } from './running.clock.js';

describe('RunningClock', () => {
  it('goes on by itself from its beginning', async () => {
    const clock = new RunningClock(1_000);
    const before = clock.now();

    await setTimeout(20);

    expect(before).toBeGreaterThanOrEqual(1_000);
    expect(clock.now() - before).toBeGreaterThan(0.015);
  });

  it('calls back when real time has passed, once, and counts what waits', async () => {
    const clock = new RunningClock();
    const called = jest.fn();
    clock.after(10, called);
    expect(clock.waiting).toBe(1);

    while (called.mock.calls.length === 0) await setTimeout(1);
    await clock.advance(100);

    expect(called).toHaveBeenCalledTimes(1);
    expect(clock.waiting).toBe(0);
  });

  it('calls back at once when a test has set it forward, and not again', async () => {
    const clock = new RunningClock();
    const called = jest.fn();
    clock.after(60_000, called);

    await clock.advance(60_000);

    expect(called).toHaveBeenCalledTimes(1);
    expect(clock.waiting).toBe(0);
  });

  it('waits in real time for what is left when a test has set it forward short of it', async () => {
    const clock = new RunningClock();
    const called = jest.fn();
    clock.after(60_000, called);

    await clock.advance(59_980);
    expect(called).not.toHaveBeenCalled();
    for (let tries = 0; called.mock.calls.length === 0 && tries < 500; tries++) await setTimeout(5);

    expect(called).toHaveBeenCalledTimes(1);
    expect(clock.now()).toBeGreaterThanOrEqual(60);
    expect(clock.waiting).toBe(0);
  });

  it('adds the time that has passed to what a test sets it forward by', async () => {
    const clock = new RunningClock();
    const called = jest.fn();
    clock.after(60_000, called);
    await setTimeout(30);

    await clock.advance(59_980);

    expect(called).toHaveBeenCalledTimes(1);
  });

  it('calls nothing back that was cancelled', async () => {
    const clock = new RunningClock();
    const called = jest.fn();
    clock.after(5, called)();

    await setTimeout(20);
    await clock.advance(100);

    expect(called).not.toHaveBeenCalled();
  });
});
