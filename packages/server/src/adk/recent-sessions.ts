import type { SessionKey } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';

import type { Caller } from '../access/caller.js';

const MOST_KEPT = 100;

/** The sessions that developers used last. adk-web asks for traces by the id of a session or an event alone. */
export class RecentSessions {
  private readonly keys = new Map<string, SessionKey>();

  note(key: SessionKey): void {
    const address = composedKey(key.appName, key.userId, key.sessionId);
    this.keys.delete(address);
    this.keys.set(address, key);
    const [oldest] = this.keys.keys();
    if (this.keys.size > MOST_KEPT && oldest !== undefined) this.keys.delete(oldest);
  }

  /** Those that a caller may see, the latest first. */
  list({ userId, isAnyUser }: Caller, sessionId?: string): SessionKey[] {
    return [...this.keys.values()]
      .filter((key) => isAnyUser || key.userId === userId)
      .filter((key) => sessionId === undefined || key.sessionId === sessionId)
      .reverse();
  }
}
