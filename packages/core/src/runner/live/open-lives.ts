import { composedKey } from '@adorn/schema';

import type { SessionKey } from '../../events/session.js';
import type { RunProgress } from '../run-progress.js';
import type { OpenSession } from './live-sessions.js';

/** An open live session, and its run. */
export interface OpenLive {
  readonly live: OpenSession;
  readonly run: RunProgress;
}

/** The open live sessions of a runner, by their conversations. */
export class OpenLives {
  private readonly open = new Map<string, OpenLive>();

  find(key: SessionKey): OpenLive | undefined {
    return this.open.size === 0 ? undefined : this.open.get(addressOf(key));
  }

  add(key: SessionKey, live: OpenLive): void {
    this.open.set(addressOf(key), live);
  }

  delete(key: SessionKey): void {
    this.open.delete(addressOf(key));
  }
}

function addressOf({ userId, sessionId }: SessionKey): string {
  return composedKey(userId, sessionId);
}
