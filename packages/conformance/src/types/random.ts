/** A number from 0 to below 1, other at each call. */
export type Random = () => number;

const MODULUS = 2 ** 31 - 1;

/** The same sequence for the same seed, so that what differs once differs each time. */
export function randomFrom(seed: number): Random {
  let state = (seed % (MODULUS - 1)) + 1;
  return () => {
    state = (state * 48_271) % MODULUS;
    return (state - 1) / MODULUS;
  };
}

/** One of the items; undefined where there are none. */
export function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** A whole number from `least` to `most`, both included. */
export function between(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}
