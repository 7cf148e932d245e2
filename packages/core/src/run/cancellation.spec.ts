import { getEventListeners } from 'node:events';

import { type Cancellable, Cancellation, followSignal, InvocationCancelledError } from './cancellation.js';

describe('followSignal', () => {
  it('puts one listener on a signal that many runs share, and none once the last has ended', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const runs = Array.from({ length: 20 }, () => new Cancellation());
    const unfollow = runs.map((run) => followSignal(run, signal));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);

    unfollow[0]?.();
    controller.abort();

    expect(runs.map(({ isCancelled }) => isCancelled)).toEqual(runs.map((_, index) => index > 0));
    unfollow.forEach((end) => {
      end();
    });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('leaves no listener on a signal whose runs have ended, and follows it again', () => {
    const controller = new AbortController();
    followSignal(new Cancellation(), controller.signal)();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);

    const run = new Cancellation();
    followSignal(run, controller.signal);
    controller.abort();

    expect(run.isCancelled).toBe(true);
  });
});

describe('Cancellation', () => {
  it('aborts its signal and tells its watchers, once', () => {
    const cancellation = new Cancellation();
    const { signal } = cancellation;
    const [one, two] = [watcher(), watcher()];
    cancellation.add(one);
    cancellation.add(two);
    expect([cancellation.isCancelled, signal.aborted, one.told, two.told]).toEqual([false, false, 0, 0]);

    cancellation.cancel();
    cancellation.cancel();

    expect([cancellation.isCancelled, signal.aborted, one.told, two.told]).toEqual([true, true, 1, 1]);
  });

  it('gives one signal, and an aborted one where it is asked for afterwards', () => {
    const early = new Cancellation();
    const late = new Cancellation();
    late.cancel();

    expect(early.signal).toBe(early.signal);
    expect([early.signal.aborted, late.signal.aborted]).toEqual([false, true]);
  });

  it('is cancelled already when its watchers are told', () => {
    const cancellation = new Cancellation();
    const seen: boolean[] = [];
    cancellation.add({ cancelled: () => seen.push(cancellation.isCancelled, cancellation.signal.aborted) });

    cancellation.cancel();

    expect(seen).toEqual([true, true]);
  });

  it('does not tell a watcher that was removed', () => {
    const cancellation = new Cancellation();
    const [kept, removed] = [watcher(), watcher()];
    cancellation.add(kept);
    cancellation.add(removed);

    cancellation.remove(removed);
    cancellation.remove(removed);
    cancellation.remove(watcher());
    cancellation.cancel();

    expect([kept.told, removed.told]).toEqual([1, 0]);
  });

  it('tells the others where one of them removes itself', () => {
    const cancellation = new Cancellation();
    const leaving: Cancellable = {
      cancelled: () => {
        cancellation.remove(leaving);
      },
    };
    const last = watcher();
    cancellation.add(leaving);
    cancellation.add(last);

    cancellation.cancel();

    expect(last.told).toBe(1);
  });
});

/** Counts how often it is told. */
function watcher(): Cancellable & { told: number } {
  return {
    told: 0,
    cancelled() {
      this.told++;
    },
  };
}

describe('the end of an invocation that was not cancelled', () => {
  it('aborts no signal, and cancels what begins to wait afterwards', async () => {
    const cancellation = new Cancellation();
    const early = cancellation.signal;
    const late = new Cancellation();
    await cancellation.wait(Promise.resolve());

    cancellation.end();
    late.end();

    expect([early.aborted, late.signal.aborted, cancellation.isAborted]).toEqual([false, false, false]);
    await expect(cancellation.wait(new Promise(() => undefined))).rejects.toThrow(InvocationCancelledError);
    expect(await late.sleep(60_000)).toBe(false);
  });

  it('cancels what it leaves behind', async () => {
    const cancellation = new Cancellation();
    const { signal } = cancellation;
    const left = cancellation.wait(new Promise(() => undefined));

    cancellation.end();

    await expect(left).rejects.toThrow(InvocationCancelledError);
    expect(signal.aborted).toBe(true);
  });
});
