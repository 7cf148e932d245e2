import type { Run, SessionKey } from '@adorn/core';

import { LimitReachedError } from '../errors.js';
import { type IsReadElsewhere, RunFeed } from './run-feed.js';

/** Milliseconds for which the feed of a run that has ended is kept, for readers that come back. */
const KEPT_MS = 60_000;

/** The runs that this server has begun, until shortly after they end. */
export class ActiveRuns {
  private readonly feeds = new Map<string, RunFeed>();
  private readonly streams = new Map<string, number>();

  /**
   * @param maxStreams how many streams a user may read at once
   * @param isReadElsewhere whether a run has a reader at another server
   */
  constructor(
    private readonly maxStreams: number,
    private readonly isReadElsewhere?: IsReadElsewhere,
  ) {}

  /** Registers a run. @param graceMs how long it goes on without a reader */
  add(key: SessionKey, run: Run<unknown>, graceMs: number): RunFeed {
    const feed = new RunFeed(key, run, graceMs, this.isReadElsewhere);
    const address = addressOf(key, run.invocationId);
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
    return this.feeds.get(addressOf(key, invocationId));
  }

  /** The runs of a session that have not ended, in the order in which they began. */
  ofSession(key: SessionKey): RunFeed[] {
    const prefix = addressOf(key, '');
    return [...this.feeds]
      .filter(([address, feed]) => address.startsWith(prefix) && !feed.hasEnded)
      .map(([, feed]) => feed);
  }

  /**
   * Counts a stream of a user.
   *
   * @returns a function that ends the count
   * @throws {LimitReachedError} if the user reads too many
   */
  openStream(userId: string): () => void {
    const count = this.streams.get(userId) ?? 0;
    if (count >= this.maxStreams) {
      const fault = `the user reads ${String(count)} streams`;
      throw new LimitReachedError(fault, 'Close one, or raise limits.streams of the server.');
    }
    this.streams.set(userId, count + 1);
    return () => {
      const left = (this.streams.get(userId) ?? 1) - 1;
      if (left === 0) this.streams.delete(userId);
      else this.streams.set(userId, left);
    };
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

/** JSON, because ids may contain any character. */
function addressOf({ appName, userId, sessionId }: SessionKey, invocationId: string): string {
  const session = JSON.stringify([appName, userId, sessionId]);
  return invocationId === '' ? `${session} ` : `${session} ${invocationId}`;
}
