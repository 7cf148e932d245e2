import { applyKey } from '@adorn/core';

/** The values of one scope's state, as of a version that the database counts. */
export class StateValues {
  /** Without a prototype, so that no key is a key of all objects. */
  values = emptyValues();
  version = -1;
  /** Grows with every change that a reader could see. */
  changes = 0;

  /** Takes what was read for what there is. */
  replace(entries: Iterable<readonly [string, unknown]>, version: number): void {
    this.values = emptyValues();
    for (const [key, value] of entries) this.values[key] = value;
    this.version = version;
    this.changes++;
  }

  /**
   * Lays a delta over the values, where they are of the version before.
   *
   * @param version the one that the delta made; undefined where there was nothing to write
   * @returns false where others have written in between, and the values have to be read
   */
  advance(delta: ReadonlyMap<string, unknown>, version: number | undefined): boolean {
    if (version === undefined || version <= this.version) return true;
    if (version > this.version + 1 || delta.size === 0) return false;
    for (const [key, value] of delta) applyKey(this.values, key, value);
    this.version = version;
    this.changes++;
    return true;
  }
}

function emptyValues(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
