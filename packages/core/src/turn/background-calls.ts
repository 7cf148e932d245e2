import type { ToolCall, ToolOutcome } from '../gates/tool-call.js';
import type { Event } from '../events/event.js';
import { InvocationCancelledError } from '../run/cancellation.js';
import { Condition } from '../runtime/condition.js';
import { schedulingOf } from '../tools/tool-traits.js';
import { type CallBatch, isToolCall } from './call-batch.js';
import { endsTurn } from './run-calls.js';
import type { Step } from './step.js';

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
 * when there are none left. Their events go to the reader as they come.
 */
export class BackgroundCalls {
  private readonly calls = new Map<string, BackgroundCall>();
  private readonly ended = new Condition();

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** True if the result of a call leads to another call of the model. */
  get isAwaited(): boolean {
    return this.some(({ call }) => !isSilent(call));
  }

  /**
   * Waits for the results that are due before the next step. Before a model call nothing is waited for.
   *
   * @returns the step that delivers them, or else the next step
   */
  async before(next: Step): Promise<Step> {
    if (next.kind === 'calls' || next.kind === 'results') return next;
    const isAwaited = next.kind === 'answered' && this.isAwaited;
    if (next.kind !== 'ask')
      await this.ended.until(() => (isAwaited ? this.some(isEndedAwaited) : this.haveAllEnded));
    const ended = this.takeEnded(next.kind === 'ask' ? isDueBeforeIdle : isAny);
    if (!ended) return next;
    if (next.kind === 'ask') return { kind: 'results', ended, due: next };
    const isLast = !isAwaited && (next.kind !== 'end' || next.event === undefined);
    return { kind: 'results', ended: { ...ended, batch: { ...ended.batch, isLast } }, due: next };
  }

  /**
   * Adds the calls of a batch that continue in the background. If a call of the batch ends or pauses the turn, waits for
   * all background calls instead: one response answers them all, so that it is the last event.
   */
  async joinedWith(own: EndedCalls): Promise<EndedCalls> {
    const { batch, outcomes } = own;
    const calls = batch.calls.filter(isToolCall);
    calls.forEach((call, index) => {
      const outcome = outcomes[index];
      if (outcome?.kind === 'running') this.add(call, batch, outcome.outcome);
    });
    if (this.isEmpty || !calls.some((call, index) => endsTurn(call, outcomes[index]))) return own;
    await this.ended.until(() => this.haveAllEnded);
    return this.joined(own, calls);
  }

  private joined({ batch, outcomes }: EndedCalls, calls: readonly ToolCall[]): EndedCalls {
    const own = outcomes.map((outcome, index) => this.calls.get(calls[index]?.id ?? '')?.outcome ?? outcome);
    for (const { id } of calls) this.calls.delete(id);
    const earlier = this.takeEnded(isAny);
    if (!earlier) return { batch, outcomes: own };
    const origins = [...new Set([...earlier.batch.origins, ...batch.origins])];
    return {
      batch: { ...batch, origins, calls: [...batch.calls, ...earlier.batch.calls], running: [] },
      outcomes: [...own, ...earlier.outcomes],
    };
  }

  /** Aborts the calls: the run is over. */
  close(): void {
    for (const { call, outcome } of this.calls.values())
      if (!outcome) call.context.abort(InvocationCancelledError.duringCall());
  }

  private add(call: ToolCall, { origins }: CallBatch, running: Promise<ToolOutcome>): void {
    const { functionCallEventId } = call.context;
    const entry: BackgroundCall = { call, origins: origins.filter(({ id }) => id === functionCallEventId) };
    this.calls.set(call.id, entry);
    void running.then((outcome) => {
      entry.outcome = outcome;
      this.ended.notify();
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
}

function isAny(): boolean {
  return true;
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
