import type { SessionKey } from '../events/session.js';
import { composedKey } from '@adorn/schema';
import type { LiveSession } from './live/live.session.js';

/** The open live sessions of a runner, by their conversations. */
export class LiveSessions {
  private readonly open = new Map<string, LiveSession>();

  find(key: SessionKey): LiveSession | undefined {
    return this.open.size === 0 ? undefined : this.open.get(addressOf(key));
  }

  add(key: SessionKey, live: LiveSession): void {
    this.open.set(addressOf(key), live);
  }

  delete(key: SessionKey): void {
    this.open.delete(addressOf(key));
  }
}

function addressOf({ userId, sessionId }: SessionKey): string {
  return composedKey(userId, sessionId);
}
