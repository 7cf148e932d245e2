import { copyJson } from '../json/json-value.js';
import { applyKey, scopeOf, type StateDelta, type StateScope } from '../state/state.js';

/** The scopes whose keys are stored. */
export type StoredScope = Exclude<StateScope, 'temp'>;

/** The keys of one scope, and a count of their changes. */
export class ScopeValues {
  /** Without a prototype, so that no key is a key of all objects. */
  values = emptyState();
  /** Grows with every change that a reader could see. */
  changes = 0;

  /** Writes a copy of the value, so that a change of it in place does not reach the event; `null` removes the key. */
  apply(key: string, value: unknown): void {
    applyKey(this.values, key, copyJson(value));
    this.changes++;
  }
}

/** The stored state of a session: its own keys, and those that it shares with its user and its application. */
export class ScopedState {
  private merged: Readonly<Record<string, unknown>> | undefined;
  private mergedAt = -1;

  constructor(private readonly scopes: Readonly<Record<StoredScope, ScopeValues>>) {}

  /** The value of one key, read from its scope: costs the same however many keys there are. */
  find(key: string): unknown {
    const scope = scopeOf(key);
    return scope === 'temp' ? undefined : this.scopes[scope].values[key];
  }

  /** Writes each key to the scope that its prefix names; `temp:` keys are left out. */
  apply(delta: StateDelta): void {
    for (const key in delta) {
      const scope = scopeOf(key);
      if (scope !== 'temp') this.scopes[scope].apply(key, delta[key]);
    }
  }

  /** A frozen copy of all keys, made again after a change. Costs as much as there are keys. */
  get all(): Readonly<Record<string, unknown>> {
    const { app, user, session } = this.scopes;
    const changes = app.changes + user.changes + session.changes;
    if (this.merged === undefined || this.mergedAt !== changes) {
      this.merged = Object.freeze(Object.assign(emptyState(), app.values, user.values, session.values));
      this.mergedAt = changes;
    }
    return this.merged;
  }
}

function emptyState(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
