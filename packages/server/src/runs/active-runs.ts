import type { Run, SessionKey } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';

import { type IsReadElsewhere, RunFeed } from './run-feed.js';

/** Milliseconds for which the feed of a run that has ended is kept, for readers that come back. */
const KEPT_MS = 60_000;

/** The runs that this server has begun, until shortly after they end. */
export class ActiveRuns {
  private readonly feeds = new Map<string, RunFeed>();

  /** @param isReadElsewhere whether a run has a reader at another server */
  constructor(private readonly isReadElsewhere?: IsReadElsewhere) {}

  /** Registers a run. @param graceMs how long it goes on without a reader */
  add(key: SessionKey, run: Run<unknown>, graceMs: number): RunFeed {
    const feed = new RunFeed(key, run, graceMs, this.isReadElsewhere);
    const address = composedKey(sessionOf(key), run.invocationId);
    this.feeds.set(address, feed);
    void feed.ended.then(() => {
      setTimeout(() => {
        if (this.feeds.get(address) === feed) this.feeds.delete(address);
      }, KEPT_MS).unref();
    });
    return feed;
  }

  /** The feed of a run of a session; undefined for a run of another process, and for one that ended a while ago. */
  find(key: SessionKey, invocationId: string): RunFeed | undefined {
    return this.feeds.get(composedKey(sessionOf(key), invocationId));
  }

  /** The runs of a session that have not ended, in the order in which they began. */
  ofSession(key: SessionKey): RunFeed[] {
    const session = sessionOf(key);
    return [...this.feeds.values()].filter((feed) => sessionOf(feed.key) === session && !feed.hasEnded);
  }

  /** Cancels the runs of a session, and waits for their ends. */
  async stopSession(key: SessionKey): Promise<void> {
    await stopped(this.ofSession(key));
  }

  /** Cancels the runs that have not ended, and waits for their ends. */
  async stopAll(): Promise<void> {
    await stopped([...this.feeds.values()].filter(({ hasEnded }) => !hasEnded));
  }
}

async function stopped(feeds: readonly RunFeed[]): Promise<void> {
  for (const feed of feeds) feed.stop();
  await Promise.all(feeds.map(({ ended }) => ended));
}

function sessionOf({ appName, userId, sessionId }: SessionKey): string {
  return composedKey(appName, userId, sessionId);
}
