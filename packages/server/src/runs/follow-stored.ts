import { setTimeout } from 'node:timers/promises';

import type { Event, Runner, RunResult, Session, SessionKey } from '@adorn/core';
import { isRetried } from '@adorn/core/backend';

import { NotFoundError } from '../errors.js';
import type { RunEnding } from '../frames/to-wire.js';
import type { RunItem, RunReader } from './run-reader.js';

/** Milliseconds between two looks at the log of a run of another process. */
const POLL_MS = 500;

/** The run to follow, and the last event that the reader has. */
export interface StoredRun {
  readonly invocationId: string;
  readonly afterEventId: string | undefined;
}

/**
 * Follows a run by its log: one that has ended, or one of another process, whose log is read again until it has ended.
 *
 * @throws {NotFoundError} if the session or the run does not exist
 */
export async function followStored(
  runner: Runner<unknown>,
  key: SessionKey,
  { invocationId, afterEventId }: StoredRun,
): Promise<RunReader> {
  const session = await runner.sessions.getSession(key);
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  const events = session.events.filter((event) => event.invocationId === invocationId);
  if (events.length === 0) throw new NotFoundError(`Run not found: ${invocationId}`);
  return new StoredRunReader(runner, key, invocationId, session, afterEventId);
}

class StoredRunReader implements RunReader {
  private readonly left = new AbortController();
  private items: RunItem[] = [];
  private hasEnded = false;
  private seq: number;
  private readonly events: Event[];

  constructor(
    private readonly runner: Runner<unknown>,
    private readonly key: SessionKey,
    private readonly invocationId: string,
    private session: Session,
    afterEventId: string | undefined,
  ) {
    this.seq = session.nextSeq;
    this.events = session.events.filter((event) => this.isOfRun(event));
    const seen = this.events.findIndex(({ id }) => id === afterEventId);
    this.items = this.events.slice(seen + 1).map((event) => ({ kind: 'event', event }));
  }

  async next(): Promise<RunItem | undefined> {
    while (!this.left.signal.aborted && !this.hasEnded) {
      const item = this.items.shift();
      if (item !== undefined) return item;
      if (!this.isOpen) {
        this.hasEnded = true;
        return { kind: 'end', ending: await this.ending() };
      }
      await this.poll();
    }
    return undefined;
  }

  leave(): void {
    this.left.abort();
  }

  private get isOpen(): boolean {
    const { lastRun } = this.session;
    return lastRun?.id === this.invocationId && lastRun.status === 'open';
  }

  private async poll(): Promise<void> {
    try {
      await setTimeout(POLL_MS, undefined, { signal: this.left.signal, ref: false });
    } catch {
      return;
    }
    const session = await this.runner.sessions.getSession(this.key, { afterSeq: this.seq - 1 });
    if (session === undefined) throw new NotFoundError(`Session not found: ${this.key.sessionId}`);
    const added = session.events.filter((event) => this.isOfRun(event));
    this.session = session;
    this.seq = session.nextSeq;
    this.events.push(...added);
    this.items = added.map((event) => ({ kind: 'event', event }));
  }

  private isOfRun(event: Event): boolean {
    return event.invocationId === this.invocationId && event.author !== 'user';
  }

  private async ending(): Promise<RunEnding> {
    const { appName, userId, sessionId } = this.key;
    const all = await this.runner.pending(this.key);
    const pending = all.filter(({ invocationId }) => invocationId === this.invocationId);
    const answer = this.events.findLast(({ isFinalResponse, text }) => isFinalResponse && text !== '');
    const failed = this.events.findLast((event) => event.errorCode !== undefined && !isRetried(event));
    const isFailed = failed !== undefined && pending.length === 0 && answer === undefined;
    const { events, invocationId } = this;
    const status = pending.length > 0 ? 'paused' : isFailed ? 'failed' : 'answered';
    const text = answer?.text ?? '';
    const result = {
      status,
      text,
      output: text,
      pending,
      error: undefined,
      events,
      appName,
      userId,
      sessionId,
      invocationId,
    };
    return { result: result as RunResult<unknown> };
  }
}
