import type { SessionKey } from '@adorn/core';
import { keyOf } from '@adorn/core/backend';
import { LRUCache } from 'lru-cache';

import { storedNames } from '../database/stored-name.js';
import type { CachedSession } from './cached-session.js';
import { addressesOf, SharedState } from './shared-state.js';

/**
 * The sessions that this process has loaded. The latest are kept; the others stay only as long as somebody holds
 * them, so that there is never a second object for one session.
 */
export class SessionCache {
  private readonly latest: LRUCache<string, CachedSession>;
  private readonly held = new Held<CachedSession>();
  private readonly shared = new Held<SharedState>();

  /** @param size how many are kept */
  constructor(size: number) {
    this.latest = new LRUCache({ max: size });
  }

  find(key: SessionKey): CachedSession | undefined {
    const address = addressOf(key);
    const session = this.latest.get(address) ?? this.held.get(address);
    if (session !== undefined) this.latest.set(address, session);
    return session;
  }

  keep(session: CachedSession): CachedSession {
    const address = addressOf(keyOf(session));
    this.latest.set(address, session);
    this.held.set(address, session);
    return session;
  }

  drop(key: SessionKey): void {
    this.latest.delete(addressOf(key));
    this.held.delete(addressOf(key));
  }

  /** The states that the session shares with others. */
  sharedOf(key: SessionKey): { readonly app: SharedState; readonly user: SharedState } {
    const { app, user } = addressesOf(key);
    return { app: this.sharedAt(app), user: this.sharedAt(user) };
  }

  private sharedAt(address: string): SharedState {
    const known = this.shared.get(address);
    if (known !== undefined) return known;
    const made = new SharedState(address);
    this.shared.set(address, made);
    return made;
  }
}

/** Values that are not kept alive by being here. */
class Held<Value extends WeakKey> {
  private readonly references = new Map<string, WeakRef<Value>>();
  private readonly ends = new FinalizationRegistry<string>((address) => {
    if (this.references.get(address)?.deref() === undefined) this.references.delete(address);
  });

  get(address: string): Value | undefined {
    return this.references.get(address)?.deref();
  }

  set(address: string, value: Value): void {
    if (this.get(address) === value) return;
    this.references.set(address, new WeakRef(value));
    this.ends.register(value, address);
  }

  delete(address: string): void {
    this.references.delete(address);
  }
}

function addressOf({ appName, userId, sessionId }: SessionKey): string {
  return storedNames(appName, userId, sessionId);
}
