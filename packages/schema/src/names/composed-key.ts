/**
 * One key out of several names, for a map, a lock, a cache or a state that is kept: JSON of the list, because each name may
 * hold any character. Joined by a separator, user `acme/bob` in session `s1` would be user `acme` in session `bob/s1`.
 *
 * Every key that is made of two or more parts is made by this function. Such keys are stored, so its form stays.
 */
export function composedKey(...parts: readonly (string | number | boolean)[]): string {
  return JSON.stringify(parts);
}

/** The parts of a key of {@link composedKey} whose parts are texts. */
export function composedParts(key: string): readonly string[] {
  return JSON.parse(key) as string[];
}

/** What all keys of {@link composedKey} begin with that have these parts first, and more behind them. */
export function composedPrefix(...parts: readonly string[]): string {
  return `${composedKey(...parts).slice(0, -1)},`;
}
