import { setImmediate } from 'node:timers/promises';

import type { Content, Event, Session, SessionKey } from '@adorn/core';
import {
  Cancellation,
  compactionEvent,
  type CompactorParts,
  composedKey,
  keyOf,
  logOf,
  type LongRequest,
  type RunInProgress,
  type SessionCompactor,
  summaryContent,
} from '@adorn/core/backend';

import { LogContextKeeper } from './context-keeper.js';
import { appendCompaction } from './append-compaction.js';
import {
  type CompactionPlan,
  compactionReason,
  planCompaction,
  planForLength,
  planWithinRun,
} from './plan-compaction.js';

/** The settings and services of a compactor. */
export interface CompactorFields extends CompactorParts {
  /** How long `close` waits for running summaries, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /** How long one summary may take, in milliseconds. Default: 60,000. */
  readonly limitMs?: number;
}

const DEFAULT_GRACE_MS = 10_000;
const DEFAULT_LIMIT_MS = 60_000;

/**
 * Summarises in the background after a run; runs neither wait for it nor fail because of it. A failure is logged as a
 * warning, and retried when the next run ends. A run that grows beyond the token threshold waits for a summary before it asks
 * its model again.
 */
export class Compactor implements SessionCompactor {
  /** Absent if the application has switched it off. */
  readonly context: LogContextKeeper | undefined;
  private readonly tasks = new Map<string, CompactionTask>();
  private isClosed = false;
  /** The bytes that a summary may be made of, by the windows that requests have met. */
  private longest = Infinity;

  constructor(private readonly fields: CompactorFields) {
    const { context, services } = fields;
    if (!context) return;
    this.context = new LogContextKeeper({
      window: context.window,
      now: () => services.clock.now(),
      summarize: (plan, request, bytes) => this.summaryForLength(plan, request, bytes),
    });
  }

  /**
   * Starts a summary if one is due and none is running. Returns at once and never throws.
   *
   * @param isBusy whether a run of the session is active; its end starts the summary instead
   */
  consider(session: Session, isBusy: (key: SessionKey) => boolean): void {
    const key = keyOf(session);
    const address = addressOf(key);
    if (this.isClosed || this.tasks.has(address) || !this.isDue(session) || isBusy(key)) return;
    const scope = new Cancellation(this.fields.services.clock);
    const task = new CompactionTask(scope, () => this.compactDue(session, scope));
    this.tasks.set(address, task);
    task.done.then(
      () => this.tasks.delete(address),
      (error: unknown) => {
        this.tasks.delete(address);
        if (!task.isCancelled) this.warn(session, error);
      },
    );
  }

  isDueWithinRun(session: Session): boolean {
    const { threshold } = this.fields.rules;
    if (!threshold || this.isClosed || this.tasks.has(addressOf(keyOf(session)))) return false;
    return compactionReason(session, { threshold, interval: undefined }) !== undefined;
  }

  async summaryWithinRun(
    session: Session,
    run: RunInProgress & { readonly isAsked?: boolean },
    scope: Cancellation,
  ): Promise<Event | undefined> {
    const { rules, services } = this.fields;
    const { invocationId, isAsked } = run;
    const plan = isAsked ? planForLength(session, { withinRun: true }) : planWithinRun(session, rules);
    const content = plan && (await this.summaryOf(plan, { session, invocationId, scope }));
    if (!plan || !content) return undefined;
    return compactionEvent(plan.covered, plan.seqs, content, services.clock.now(), run);
  }

  /** A failure leaves a note in the place of the summary: the conversation has to become shorter. */
  private async summaryForLength(
    plan: CompactionPlan,
    { session, run: { invocationId }, scope }: LongRequest,
    bytes: number,
  ): Promise<Content | undefined> {
    this.longest = Math.min(this.longest, bytes);
    try {
      return await this.summaryOf(plan, { session, invocationId, scope });
    } catch (error) {
      this.fields.services.logger.warn(NOT_SUMMARISED, { sessionId: session.id, error });
      return undefined;
    }
  }

  async compact(session: Session): Promise<boolean> {
    const key = keyOf(session);
    await this.cancel(key);
    const plan = planForLength(session, { withinRun: false });
    if (!plan || this.isClosed) return false;
    const address = addressOf(key);
    const scope = new Cancellation(this.fields.services.clock);
    let isAppended = false;
    const task = new CompactionTask(scope, async () => {
      isAppended = await this.appendSummary(session, plan, scope);
    });
    this.tasks.set(address, task);
    try {
      await task.done;
    } finally {
      this.tasks.delete(address);
    }
    return isAppended;
  }

  /** Cancels the running summary of a session. Nothing is appended after that. */
  async cancel(key: SessionKey): Promise<void> {
    await this.tasks.get(addressOf(key))?.cancel();
  }

  /** Waits up to `graceMs` for running summaries, then cancels the rest. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { graceMs = DEFAULT_GRACE_MS } = this.fields;
    await Promise.all([...this.tasks.values()].map((task) => task.endWithin(graceMs)));
  }

  private isDue(session: Session): boolean {
    const { threshold, interval } = this.fields.rules;
    if (!threshold && !interval) return false;
    try {
      return compactionReason(session, this.fields.rules) !== undefined;
    } catch (error) {
      this.warn(session, error);
      return false;
    }
  }

  private async compactDue(session: Session, scope: Cancellation): Promise<void> {
    const plan = planCompaction(session, this.fields.rules);
    if (plan) await this.appendSummary(session, plan, scope);
  }

  private async appendSummary(session: Session, plan: CompactionPlan, scope: Cancellation): Promise<boolean> {
    const { services } = this.fields;
    const invocationId = logOf(session).at(-1)?.invocationId ?? '';
    const content = await this.summaryOf(plan, { session, invocationId, scope });
    if (!content) return false;
    const event = compactionEvent(plan.covered, plan.seqs, content, services.clock.now());
    return appendCompaction(services.sessions, session, event, plan, scope);
  }

  /** Undefined if the summarizer gave none that can be used. */
  private async summaryOf(
    { events }: CompactionPlan,
    { session, invocationId, scope }: SummaryPlace,
  ): Promise<Content | undefined> {
    const { askFor, limitMs = DEFAULT_LIMIT_MS } = this.fields;
    const summarizer = await this.fields.summarizer();
    if (!summarizer) return undefined;
    const ask = askFor?.({ ...keyOf(session), invocationId });
    const asking = new Cancellation(scope.clock);
    const watcher = {
      cancelled: () => {
        asking.cancel();
      },
    };
    scope.add(watcher);
    const late = (): Error => new Error(`There was no summary within ${String(limitMs)} ms.`);
    try {
      const content = await asking.wait(
        Promise.resolve(
          summarizer.summarize(events, { signal: asking.signal, longest: this.longest, ...(ask && { ask }) }),
        ),
        {
          limit: limitMs,
          late,
        },
      );
      return content && summaryContent(content) ? content : undefined;
    } finally {
      scope.remove(watcher);
      asking.cancel();
    }
  }

  private warn({ id: sessionId }: Session, error: unknown): void {
    this.fields.services.logger.warn(FAILED, { sessionId, error });
  }
}

/** What a summary belongs to. */
interface SummaryPlace {
  readonly session: Session;
  /** The run that the summary is made in, or the last one before it. */
  readonly invocationId: string;
  readonly scope: Cancellation;
}

const NOT_SUMMARISED =
  'a conversation that is too long could not be summarised; a note takes the place of its beginning';

const FAILED = 'a conversation could not be summarised; it is tried again when its next run ends';

function addressOf({ appName, userId, sessionId }: SessionKey): string {
  return composedKey(appName, userId, sessionId);
}

/** A running summary, which can be cancelled. */
class CompactionTask {
  /** Settles when the summary has ended; rejects if it failed or was cancelled. */
  readonly done: Promise<void>;

  /** @param work started after the current task of the event loop; it ends soon after the cancellation */
  constructor(
    private readonly scope: Cancellation,
    work: () => Promise<void>,
  ) {
    this.done = setImmediate()
      .then(() => scope.wait(NOTHING))
      .then(work);
  }

  get isCancelled(): boolean {
    return this.scope.isCancelled;
  }

  /** Resolves when the work has ended. */
  async cancel(): Promise<void> {
    this.scope.cancel();
    await this.done.catch(noop);
  }

  /** Waits up to `graceMs`, then cancels. */
  async endWithin(graceMs: number): Promise<void> {
    await this.scope.wait(this.done, { limit: graceMs }).catch(noop);
    await this.cancel();
  }
}

const NOTHING = Promise.resolve();

function noop(): void {
  // Whoever began the summary handles its error.
}
