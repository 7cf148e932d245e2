import { setImmediate } from 'node:timers/promises';

import { keyOf, type Session, type SessionKey } from '../events/session.js';
import { summaryContent } from '../log/compaction-event.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import { appendCompaction, compactionEvent } from './append-compaction.js';
import { CompactionTracker } from './compaction-tracker.js';
import type { EventSummarizer } from './event-summarizer.js';
import type { CompactionRules } from './events-compaction-config.js';
import { planCompaction } from './plan-compaction.js';
import { unlessAborted } from './unless-aborted.js';

/** What a compactor works with. */
export interface CompactorFields {
  readonly rules: CompactionRules;
  readonly summarizer: EventSummarizer;
  readonly services: Pick<InvocationServices, 'sessions' | 'clock' | 'logger'>;
  /** How long `close` waits for summaries that are under way, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /** How long one summary may take, in milliseconds. Default: 60,000. */
  readonly limitMs?: number;
}

const DEFAULT_GRACE_MS = 10_000;
const DEFAULT_LIMIT_MS = 60_000;

/**
 * Summarises conversations when their runs are over, behind everybody's back: no run waits for it, and none fails
 * by it. What goes wrong is a warning in the log, and is tried again when the next run ends.
 */
export class Compactor {
  private readonly tasks = new Map<string, CompactionTask>();
  private isClosed = false;

  constructor(private readonly fields: CompactorFields) {}

  /**
   * Begins a summary where one is due and none is under way. Returns at once, and never throws.
   *
   * @param isBusy whether a run of the conversation goes on: when that ends is time enough
   */
  consider(session: Session, isBusy: (key: SessionKey) => boolean): void {
    const key = keyOf(session);
    const address = addressOf(key);
    if (this.isClosed || this.tasks.has(address) || !this.isDue(session) || isBusy(key)) return;
    const { limitMs = DEFAULT_LIMIT_MS } = this.fields;
    const task = new CompactionTask((signal) => this.compact(session, signal), limitMs);
    this.tasks.set(address, task);
    task.done.then(
      () => this.tasks.delete(address),
      (error: unknown) => {
        this.tasks.delete(address);
        if (!task.isCancelled) this.warn(session, error);
      },
    );
  }

  /** Gives up what is under way for a conversation; nothing of it is written from then on. */
  async cancel(key: SessionKey): Promise<void> {
    await this.tasks.get(addressOf(key))?.cancel();
  }

  /** Waits a while for what is under way, and gives up the rest. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { graceMs = DEFAULT_GRACE_MS } = this.fields;
    await Promise.all([...this.tasks.values()].map((task) => task.endWithin(graceMs)));
  }

  private isDue(session: Session): boolean {
    try {
      return CompactionTracker.of(session).reason(this.fields.rules) !== undefined;
    } catch (error) {
      this.warn(session, error);
      return false;
    }
  }

  private async compact(session: Session, signal: AbortSignal): Promise<void> {
    const { rules, summarizer, services } = this.fields;
    const plan = planCompaction(session, rules);
    if (plan === undefined) return;
    const content = await unlessAborted(summarizer.summarize(plan.events, { signal }), signal);
    if (content === undefined || summaryContent(content) === undefined) return;
    const event = compactionEvent(plan.covered, plan.seqs, content, services.clock.now());
    await appendCompaction(services.sessions, session, event, plan, signal);
  }

  private warn({ id: sessionId }: Session, error: unknown): void {
    this.fields.services.logger.warn(FAILED, { sessionId, error });
  }
}

const FAILED = 'a conversation could not be summarised; it is tried again when its next run ends';

function addressOf({ appName, userId, sessionId }: SessionKey): string {
  return JSON.stringify([appName, userId, sessionId]);
}

/** One summary under way, which can be given up. */
class CompactionTask {
  /** When it is over, however it ended; rejects where it failed or was given up. */
  readonly done: Promise<void>;
  private readonly controller = new AbortController();
  private cancelled = false;

  /**
   * @param work begun after whoever is running now; it ends soon after the signal is aborted
   * @param limitMs when the signal is aborted at the latest
   */
  constructor(work: (signal: AbortSignal) => Promise<void>, limitMs: number) {
    this.done = this.run(work, limitMs);
  }

  get isCancelled(): boolean {
    return this.cancelled;
  }

  /** Resolves when nothing of it goes on any more. */
  async cancel(): Promise<void> {
    this.cancelled = true;
    this.controller.abort(new Error('The summary is not wanted any more.'));
    await this.ended();
  }

  /** Waits for it, but no longer than that; then gives it up. */
  async endWithin(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.ended(), grace]);
    clearTimeout(timer);
    await this.cancel();
  }

  private ended(): Promise<void> {
    return this.done.catch(() => undefined);
  }

  private async run(work: (signal: AbortSignal) => Promise<void>, limitMs: number): Promise<void> {
    await setImmediate();
    const { signal } = this.controller;
    const timer = setTimeout(() => {
      this.controller.abort(new Error(`There was no summary within ${String(limitMs)} ms.`));
    }, limitMs);
    timer.unref();
    try {
      signal.throwIfAborted();
      await work(signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
