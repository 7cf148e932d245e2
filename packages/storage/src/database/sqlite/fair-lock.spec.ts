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
    const lock = new FairLock();
    const turns = countTurns();

    await Promise.all(Array.from({ length: 50 }, () => holdFor(lock, 1)));

    expect(turns()).toBeGreaterThan(2);
  });

  it('lets the event loop turn while one comes again and again', async () => {
    const lock = new FairLock();
    const turns = countTurns();

    for (let times = 0; times < 50; times++) await holdFor(lock, 1);

    expect(turns()).toBeGreaterThan(2);
  });

  it('is granted without a turn of the event loop to one that comes again', async () => {
    const lock = new FairLock();
    const turns = countTurns();

    for (let times = 0; times < 5; times++) await holdFor(lock, 0);

    expect(turns()).toBe(0);
  });
});

/** Holds the lock, and the process, for so many milliseconds. */
async function holdFor(lock: FairLock, ms: number): Promise<void> {
  await lock.acquire();
  for (const begun = performance.now(); performance.now() < begun + ms;);
  lock.release();
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
