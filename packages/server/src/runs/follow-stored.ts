import { setTimeout } from 'node:timers/promises';

import type { Event, PendingRequest, Runner, RunResult, Session, SessionKey } from '@adorn/core';
import { isReadWithin, isRetried, RunInterruptedError } from '@adorn/core/backend';

import { NotFoundError } from '../errors.js';
import type { RunEnding } from '../frames/to-wire.js';
import { ReaderNotes } from './readers-elsewhere.js';
import type { RunItem, RunReader } from './run-reader.js';

/** Milliseconds between two looks at the log of a run of another process. */
const POLL_MS = 500;

/** The run to follow, and the last event that the reader has. */
export interface StoredRun {
  readonly invocationId: string;
  readonly afterEventId: string | undefined;
  /** Milliseconds to wait for the recovery of the run if its process has died; 0 for none. */
  readonly recoveryMs: number;
}

/**
 * Follows a run by its log: one that has ended, or one of another process, whose log is read again until it has ended. The
 * process of the run is told that it has a reader. If that process dies and the run is not recovered in time, the reading ends with
 * `RUN_INTERRUPTED`.
 *
 * @throws {NotFoundError} if the session or the run does not exist
 */
export async function followStored(
  runner: Runner<unknown>,
  key: SessionKey,
  run: StoredRun,
): Promise<RunReader> {
  const session = await runner.sessions.getSession(key);
  if (session === undefined) throw new NotFoundError(`Session not found: ${key.sessionId}`);
  const { invocationId } = run;
  if (!session.events.some((event) => event.invocationId === invocationId))
    throw new NotFoundError(`Run not found: ${invocationId}`);
  return new StoredRunReader(runner, key, session, run);
}

/** True for events of a run, and for the requests of agents that run as its tools: what a reader of the run gets. */
export function isShown(event: Event, invocationId: string): boolean {
  if ((event.author === 'user' && !isReadWithin(event)) || !isOf(event, invocationId)) return false;
  return event.invocationId === invocationId || event.pending.length > 0;
}

/** True for what belongs to a run, or to an agent that runs as one of its tools. */
function isOf(made: { readonly invocationId: string }, invocationId: string): boolean {
  return made.invocationId === invocationId || made.invocationId.startsWith(`${invocationId}.sub.`);
}

class StoredRunReader implements RunReader {
  private readonly left = new AbortController();
  private readonly notes: ReaderNotes;
  private items: RunItem[] = [];
  private hasEnded = false;
  private isInterrupted = false;
  /** When the run was first seen without a process, in milliseconds since 1970. */
  private diedAt: number | undefined;
  private readonly invocationId: string;
  private readonly recoveryMs: number;
  private seq: number;
  private readonly events: Event[];

  constructor(
    private readonly runner: Runner<unknown>,
    private readonly key: SessionKey,
    private session: Session,
    { invocationId, afterEventId, recoveryMs }: StoredRun,
  ) {
    this.invocationId = invocationId;
    this.recoveryMs = recoveryMs;
    this.notes = new ReaderNotes(runner.sessions);
    this.seq = session.nextSeq;
    this.events = session.events.filter((event) => this.isOfRun(event));
    const seen = this.events.findIndex(({ id }) => id === afterEventId);
    this.items = this.events.slice(seen + 1).map((event) => ({ kind: 'event', event }));
  }

  async next(): Promise<RunItem | undefined> {
    while (!this.left.signal.aborted && !this.hasEnded) {
      const item = this.items.shift();
      if (item !== undefined) return item;
      if (this.isOpen && !this.isInterrupted) await this.poll();
      else {
        this.hasEnded = true;
        return { kind: 'end', ending: await this.ending() };
      }
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
    const { lastRun } = this.session;
    if (lastRun) await this.notes.note(this.key, lastRun);
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
    this.diedAt =
      added.length === 0 && this.isOpen && (await this.hasDied()) ? (this.diedAt ?? Date.now()) : undefined;
    this.isInterrupted = this.diedAt !== undefined && Date.now() - this.diedAt >= this.recoveryMs;
  }

  /** True if nobody runs the run any more, and nobody has recovered it. */
  private async hasDied(): Promise<boolean> {
    const { userId, sessionId } = this.key;
    const open = await this.runner.findOpenRun({ userId, sessionId });
    return open?.invocationId === this.invocationId && open.place !== 'here' && open.place !== 'elsewhere';
  }

  private isOfRun(event: Event): boolean {
    return isShown(event, this.invocationId);
  }

  /** The requests with which the run waits, also those of runs that it continues. */
  private async pending(): Promise<readonly PendingRequest[]> {
    const { userId, sessionId } = this.key;
    const { lastRun } = this.session;
    const all = await this.runner.pending({ userId, sessionId });
    if (lastRun?.id === this.invocationId) return lastRun.status === 'paused' ? all : [];
    return all.filter((request) => isOf(request, this.invocationId));
  }

  private async ending(): Promise<RunEnding> {
    const { appName, userId, sessionId } = this.key;
    if (this.isInterrupted) {
      const error = new RunInterruptedError(this.invocationId);
      return { error, invocationId: this.invocationId, sessionId };
    }
    const pending = await this.pending();
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
