import { FairLock } from './fair-lock.js';

describe('FairLock', () => {
  it('is held by one after the other, in the order of the requests', async () => {
    const lock = new FairLock();
    const order: string[] = [];
    const hold = async (name: string): Promise<void> => {
      await lock.acquire();
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      lock.release();
    };

    await Promise.all([hold('a'), hold('b'), hold('c')]);

    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(lock.isFree).toBe(true);
  });

  it('lets the event loop turn while many wait', async () => {
    const { holdFor } = handLock();
    const turns = countTurns();

    await Promise.all(Array.from({ length: 50 }, () => holdFor(1)));

    expect(turns()).toBeGreaterThan(2);
  });

  it('lets the event loop turn while one comes again and again', async () => {
    const { holdFor } = handLock();
    const turns = countTurns();

    for (let times = 0; times < 50; times++) await holdFor(1);

    expect(turns()).toBeGreaterThan(2);
  });

  it('is granted without a turn of the event loop to one that comes again', async () => {
    const { holdFor } = handLock();
    const turns = countTurns();

    for (let times = 0; times < 5; times++) await holdFor(1);

    expect(turns()).toBe(0);
  });
});

/** A lock whose time goes on only while it is held: a hold takes the milliseconds that it says. */
function handLock() {
  let now = 0;
  const lock = new FairLock(() => now);
  const holdFor = async (ms: number): Promise<void> => {
    await lock.acquire();
    now += ms;
    lock.release();
  };
  return { holdFor };
}

/** Counts the turns of the event loop from now until it is asked. */
function countTurns(): () => number {
  let turns = 0;
  const turn = (): void => {
    turns++;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  return () => {
    clearImmediate(timer);
    return turns;
  };
}
