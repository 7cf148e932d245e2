import type { EventSink, ToolCall, ToolOutcome } from '../dispatch/tool-call.js';
import { isInBackground } from '../dispatch/tool-dispatcher.js';
import type { Event } from '../events/event.js';
import { InvocationCancelledError } from '../invocation/cancellation.js';
import { schedulingOf } from '../tools/tool.js';
import { type CallBatch, isOnItsWay } from './call-batch.js';
import { endsTurn, type EventSource, type NextStep, type Waiting } from './run-calls.js';

/** Calls with their outcomes, which one response event answers. */
export interface EndedCalls {
  readonly batch: CallBatch;
  /** The outcomes of the calls that reached their tool, in the order of the calls. */
  readonly outcomes: readonly ToolOutcome[];
}

/** A call whose tool runs in the background. */
interface BackgroundCall {
  readonly call: ToolCall;
  /** The event that holds the call. */
  readonly origins: readonly Event[];
  /** Set when the call has ended. */
  outcome?: ToolOutcome;
}

/**
 * The background calls of one agent run whose results have not been delivered. The run ends, pauses and hands over only
 * when there are none left.
 */
export class BackgroundCalls implements EventSink {
  private readonly calls = new Map<string, BackgroundCall>();
  private readonly waiting: Waiting[] = [];
  private wake: (() => void) | undefined;
  private isClosed = false;

  /** The background calls of a batch that is about to run; undefined if it has none. */
  static of({ calls }: CallBatch): BackgroundCalls | undefined {
    return calls.some((call) => isOnItsWay(call) && isInBackground(call)) ? new BackgroundCalls() : undefined;
  }

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** True if the result of a call leads to another call of the model. */
  get isAwaited(): boolean {
    return this.some(({ call }) => !isSilent(call));
  }

  emit(event: Event): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((taken) => {
      this.waiting.push({ event, taken });
      this.wake?.();
    });
  }

  /** Reads the events of a source, and those of the background calls as they come. */
  beside(source: EventSource): EventSource {
    let own: Promise<{ readonly event: Event | undefined }> | undefined;
    return {
      next: async () => {
        for (;;) {
          const waiting = this.take();
          if (waiting !== undefined) return waiting;
          own ??= source.next().then((event) => ({ event }));
          const first = await Promise.race([own, this.news()]);
          if (first === undefined) continue;
          own = undefined;
          return first.event;
        }
      },
    };
  }

  /**
   * Waits for the results that are due before the next step, and yields the events of the calls meanwhile. Before a model
   * call nothing is waited for.
   *
   * @returns the calls that have ended; undefined if no result is due
   */
  async *before(next: NextStep): AsyncGenerator<Event, EndedCalls | undefined, undefined> {
    if (next.kind === 'ask') return this.takeEnded(isDueBeforeIdle);
    const isAwaited = next.kind === 'answered' && this.isAwaited;
    yield* this.until(() => (isAwaited ? this.some(isEndedAwaited) : this.haveAllEnded));
    const ended = this.takeEnded(() => true);
    const isLast = !isAwaited && (next.kind !== 'end' || next.event === undefined);
    return ended && { ...ended, batch: { ...ended.batch, isLast } };
  }

  /**
   * Adds the calls of a batch that continue in the background. If a call of the batch ends or pauses the turn, waits for
   * all background calls instead, and yields their events meanwhile: one response answers them all, so that it is the
   * last event.
   */
  async *joinedWith({ batch, outcomes }: EndedCalls): AsyncGenerator<Event, EndedCalls, undefined> {
    const calls = batch.calls.filter(isOnItsWay);
    calls.forEach((call, index) => {
      const outcome = outcomes[index];
      if (outcome?.kind === 'running') this.add(call, batch, outcome.outcome);
    });
    const isOver = calls.some((call, index) => endsTurn(call, outcomes[index]));
    if (!isOver || this.isEmpty) return { batch, outcomes };
    yield* this.until(() => this.haveAllEnded);
    const own = outcomes.map((outcome, index) => this.calls.get(calls[index]?.id ?? '')?.outcome ?? outcome);
    for (const { id } of calls) this.calls.delete(id);
    const earlier = this.takeEnded(() => true);
    if (earlier === undefined) return { batch, outcomes: own };
    const origins = [...new Set([...earlier.batch.origins, ...batch.origins])];
    return {
      batch: { ...batch, origins, calls: [...batch.calls, ...earlier.batch.calls] },
      outcomes: [...own, ...earlier.outcomes],
    };
  }

  /** Aborts the calls: the reader has stopped. */
  close(): void {
    this.isClosed = true;
    for (const { call, outcome } of this.calls.values())
      if (outcome === undefined) call.context.abort(InvocationCancelledError.duringCall());
    for (const { taken } of this.waiting.splice(0)) taken();
  }

  private add(call: ToolCall, { origins }: CallBatch, running: Promise<ToolOutcome>): void {
    const { functionCallEventId } = call.context;
    const entry: BackgroundCall = { call, origins: origins.filter(({ id }) => id === functionCallEventId) };
    this.calls.set(call.id, entry);
    void running.then((outcome) => {
      entry.outcome = outcome;
      this.wake?.();
    });
  }

  private takeEnded(isDue: (one: BackgroundCall) => boolean): EndedCalls | undefined {
    const ended = [...this.calls.values()].filter((one) => one.outcome !== undefined && isDue(one));
    if (ended.length === 0) return undefined;
    for (const { call } of ended) this.calls.delete(call.id);
    return {
      batch: {
        origins: [...new Set(ended.flatMap(({ origins }) => origins))],
        calls: ended.map(({ call }) => call),
        running: [...this.calls.keys()],
        isSilent: ended.every(({ call }) => isSilent(call)),
      },
      outcomes: ended.map(({ outcome }) => outcome as ToolOutcome),
    };
  }

  private get haveAllEnded(): boolean {
    return !this.some(({ outcome }) => outcome === undefined);
  }

  private some(isMeant: (one: BackgroundCall) => boolean): boolean {
    for (const one of this.calls.values()) if (isMeant(one)) return true;
    return false;
  }

  /** Yields the events of the calls until the condition holds. */
  private async *until(isMet: () => boolean): AsyncGenerator<Event, void, undefined> {
    for (;;) {
      const event = this.take();
      if (event !== undefined) yield event;
      else if (isMet()) return;
      else await this.news();
    }
  }

  /** Resolves when another event waits, or another call ends. */
  private news(): Promise<undefined> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve(undefined);
      };
    });
  }

  private take(): Event | undefined {
    const first = this.waiting.shift();
    first?.taken();
    return first?.event;
  }
}

function isDueBeforeIdle({ call }: BackgroundCall): boolean {
  return schedulingOf(call.entry.tool.traits) !== 'when_idle';
}

function isEndedAwaited({ call, outcome }: BackgroundCall): boolean {
  return outcome !== undefined && !isSilent(call);
}

function isSilent({ entry }: ToolCall): boolean {
  return schedulingOf(entry.tool.traits) === 'silent';
}
