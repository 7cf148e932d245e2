import type { SessionKey } from '@adorn/core';
import { composedKey, frozenJson, ScopeValues } from '@adorn/core/backend';

/** The values of one scope's state, as of a version that the database counts. */
export class StateValues extends ScopeValues {
  version = -1;

  /** Replaces all values by those that were read. */
  replace(entries: Iterable<readonly [string, unknown]>, version: number): void {
    this.values = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of entries) this.values[key] = frozenJson(value);
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
    for (const [key, value] of delta) this.apply(key, value);
    this.version = version;
    return true;
  }
}

/** The state of an application or of one of its users: every session of theirs in this process reads the same object. */
export class SharedState extends StateValues {
  constructor(readonly address: string) {
    super();
  }
}

/** Where the states that a session shares with others are kept. */
export interface SharedAddresses {
  readonly app: string;
  readonly user: string;
}

export function addressesOf({ appName, userId }: Pick<SessionKey, 'appName' | 'userId'>): SharedAddresses {
  return { app: composedKey('app', appName), user: composedKey('user', appName, userId) };
}
