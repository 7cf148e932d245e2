import { InvocationCancelledError } from '../invocation/invocation-cancelled.error.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { CallNotSettledError } from './call-not-settled.error.js';
import { completionAfter } from './completion.js';
import { failureOf } from './failure.js';
import { type Interception, interceptCall } from './intercept-call.js';
import { runSideBySide } from './run-side-by-side.js';
import type { EventSink, ToolCall, ToolOutcome } from './tool-call.js';
import type { ToolGate } from './tool-gate.js';

/** Where the gates are bound, in their order. */
export const ToolGates = Symbol.for('adorn:ToolGates');

/** Walks each call through the gates, in the order that `dispatch.module.ts` lists them. */
export class ToolDispatcher {
  constructor(private readonly gates: readonly ToolGate[]) {}

  /** The calls of one model turn run side by side; the outcomes keep the order of the calls. Never rejects. */
  dispatchAll(calls: readonly ToolCall[], sink: EventSink, concurrency: number): Promise<ToolOutcome[]> {
    const [lone] = calls;
    if (lone !== undefined && calls.length === 1) return this.dispatch(lone, sink).then(inList);
    return runSideBySide(calls, concurrency, isSequential, (call) => this.dispatch(call, sink));
  }

  /**
   * One call through all gates. A call whose arguments `beforeTool` changed enters the first gate again, because no
   * gate has seen them. Whatever goes wrong on the way is its outcome.
   */
  async dispatch(call: ToolCall, sink: EventSink): Promise<ToolOutcome> {
    const { gates } = this;
    try {
      refuseCancelled(call);
      for (let index = 0; index < gates.length;) {
        const entered = gates[index]?.enter(call, sink) ?? 'open';
        const verdict = isPromiseLike(entered) ? await entered : entered;
        if (verdict === 'open') index++;
        else if (verdict !== 'intercept') return verdict;
        else {
          const interception = await intercept(call);
          if (interception.kind === 'answered') return await completionAfter(call, interception.result);
          if (interception.kind === 'changed') index = 0;
        }
      }
      throw new CallNotSettledError(call.entry.tool.name);
    } catch (error) {
      return failureOf(call, error);
    }
  }
}

async function intercept(call: ToolCall): Promise<Interception> {
  if (call.isIntercepted) throw new CallNotSettledError(call.entry.tool.name);
  const interception = await interceptCall(call);
  refuseCancelled(call);
  return interception;
}

function refuseCancelled({ invocation }: ToolCall): void {
  if (invocation.cancellation.isCancelled) throw new InvocationCancelledError();
}

function isSequential({ entry }: ToolCall): boolean {
  return entry.tool.traits.sequential === true;
}

function inList(outcome: ToolOutcome): ToolOutcome[] {
  return [outcome];
}
