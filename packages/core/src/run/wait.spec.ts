import { ManualClock } from '@adorn/testing';

import { Cancellation, DURING_CALL } from './cancellation.js';

describe('a wait', () => {
  it('gives the result of what it waits for', async () => {
    await expect(new Cancellation().wait(Promise.resolve('done'))).resolves.toBe('done');
  });

  it('throws what is thrown, whatever it is', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
    await expect(new Cancellation().wait(Promise.reject('a text'))).rejects.toBe('a text');
  });

  it.each([
    ['while it waits', (cancellation: Cancellation) => void setImmediate(() => cancellation.cancel())],
    ['before it begins', (cancellation: Cancellation) => cancellation.cancel()],
  ])('throws as soon as the invocation is cancelled: %s', async (_when, cancel) => {
    const cancellation = new Cancellation();
    cancel(cancellation);

    await expect(cancellation.wait(new Promise(() => undefined))).rejects.toMatchObject({
      code: 'CANCELLED',
      message: 'The invocation was cancelled before this was done.',
    });
  });

  it('throws that the outcome is unknown where a tool has run', async () => {
    const cancellation = new Cancellation();
    cancellation.cancel();

    await expect(cancellation.wait(new Promise(() => undefined), DURING_CALL)).rejects.toMatchObject({
      code: 'CANCELLED',
      isDuringCall: true,
    });
  });

  it.each([
    ['ended', () => Promise.resolve('done')],
    ['failed', () => Promise.reject(new Error('broken'))],
  ])('leaves no watcher on the invocation once it %s', async (_how, run) => {
    const cancellation = new Cancellation();
    const removed = jest.spyOn(cancellation, 'remove');
    const added = jest.spyOn(cancellation, 'add');

    await cancellation.wait(run()).catch(() => undefined);

    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it('ends at its limit with the error that is given, and leaves no timer', async () => {
    const clock = new ManualClock();
    const cancellation = new Cancellation(clock);
    const waiting = cancellation.wait(never(), { limit: 100, late: () => new Error('too late') });
    const failed = expect(waiting).rejects.toThrow('too late');

    await clock.advance(99);
    expect(clock.waiting).toBe(1);
    await clock.advance(1);

    await failed;
    expect(clock.waiting).toBe(0);
  });

  it.each([
    ['ends', () => Promise.resolve('done')],
    ['fails', () => Promise.reject(new Error('broken'))],
  ])('leaves no timer where the promise %s before the limit', async (_how, run) => {
    const clock = new ManualClock();

    await new Cancellation(clock).wait(run(), { limit: 100 }).catch(() => undefined);

    expect(clock.waiting).toBe(0);
  });

  it('gives the promise its grace after a cancellation, in place of the limit', async () => {
    const clock = new ManualClock();
    const cancellation = new Cancellation(clock);
    const waiting = cancellation.wait(never(), { limit: 10, grace: 100 });
    const failed = expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });

    cancellation.cancel();
    await clock.advance(99);
    expect(clock.waiting).toBe(1);
    await clock.advance(1);

    await failed;
  });

  it('takes a result that comes within the grace', async () => {
    const cancellation = new Cancellation(new ManualClock());
    let settle: (result: string) => void = () => undefined;
    const waiting = cancellation.wait(new Promise<string>((resolve) => (settle = resolve)), { grace: 100 });

    cancellation.cancel();
    settle('done');

    await expect(waiting).resolves.toBe('done');
  });
});

describe('a sleep', () => {
  it('ends after its time', async () => {
    const clock = new ManualClock();
    const sleeping = new Cancellation(clock).sleep(100);

    await clock.advance(100);

    await expect(sleeping).resolves.toBe(true);
  });

  it.each([
    ['while it sleeps', (cancellation: Cancellation) => void setImmediate(() => cancellation.cancel())],
    ['before', (cancellation: Cancellation) => cancellation.cancel()],
  ])('ends with the cancellation, and leaves no timer: %s', async (_when, cancel) => {
    const clock = new ManualClock();
    const cancellation = new Cancellation(clock);
    cancel(cancellation);

    await expect(cancellation.sleep(100)).resolves.toBe(false);
    expect(clock.waiting).toBe(0);
  });
});

function never(): Promise<never> {
  return new Promise(() => undefined);
}
