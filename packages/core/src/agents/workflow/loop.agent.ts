/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- until is optional, so the class promises nothing that it lacks */
import { describeThrown } from '@adorn/schema';
import type { Event } from '../../events/event.js';
import type { AgentNode } from '../../run/agent-node.js';
import type { AgentResult } from '../../run/agent-result.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { AgentOptions } from '../agent.decorator.js';
import {
  countFault,
  escalation,
  failure,
  type OptionFault,
  runInOrder,
  settingsOf,
  WorkflowAgent,
} from './workflow.agent.js';

/** The limit of a loop without `maxIterations`. A further round is an error. */
const DEFAULT_MAX_ITERATIONS = 50;

/**
 * Runs its sub-agents in order, round after round, until one escalates (the tool `exitLoop`), one fails, `until`
 * returns true, or `maxIterations` rounds are done. It has the result of the sub-agent that ran last. An
 * escalation ends only this loop, unless it names an outer one: `exitLoop('outer')`. Without `maxIterations`, the
 * 51st round is the error `MAX_ITERATIONS`.
 *
 * @example
 * ```ts
 * @agent({ subAgents: [Writer, Critic], maxIterations: 3 })
 * class Newsroom extends LoopAgent {
 *   until({ text }: AgentResult) {
 *     return text === 'good';
 *   }
 * }
 * ```
 */
export abstract class LoopAgent<Output = string> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = ['maxIterations'];

  /** @internal */
  static override readonly actsOnEscalation = true;

  /** @internal */
  static override faultOf(options: AgentOptions): OptionFault | undefined {
    return super.faultOf(options) ?? countFault('maxIterations', options.maxIterations);
  }

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const { maxIterations } = settingsOf(this);
    for (let round = 1; ; round++) {
      const last = yield* runInOrder(context);
      context.conclude(last);
      if (last === undefined || last.status === 'failed') return;
      if (last.escalated) {
        if (isForLoopAbove(context.agent, last)) yield escalation(context, last);
        return;
      }
      if (this.until !== undefined) {
        const isDone = await this.decide(round, last, context);
        if (isDone === true) return;
        if (isDone !== false) {
          context.conclude(undefined);
          yield failure(context, 'UNTIL_FAILED', isDone.message);
          return;
        }
      }
      if (round === maxIterations) return;
      if (round === DEFAULT_MAX_ITERATIONS && maxIterations === undefined) {
        context.conclude(undefined);
        yield failure(context, 'MAX_ITERATIONS', TOO_MANY);
        return;
      }
    }
  }

  /** The decision after a round, or the error that `until` threw. */
  private async decide(
    round: number,
    last: AgentResult<unknown>,
    context: InvocationContext,
  ): Promise<boolean | Error> {
    try {
      return await context.once(`until ${String(round)}`, () => this.holds(last, context));
    } catch (error) {
      const { invocation, path, services } = context;
      if (context.cancellation.isCancelled || invocation.log.isFailure(error)) throw error;
      services.logger.error('until of a loop failed', { agent: path, error });
      return new Error(`until of the loop "${context.agent.name}" failed: ${describeThrown(error).message}`);
    }
  }

  private async holds(result: AgentResult<unknown>, context: InvocationContext): Promise<boolean> {
    return (await this.until?.(result as AgentResult<Output>, context)) === true;
  }
}

const TOO_MANY =
  `the loop has run ${String(DEFAULT_MAX_ITERATIONS)} times without an end. ` +
  'Set maxIterations, write until, or give an agent in it the tool exitLoop().';

/** `until`, which a subclass may have as a method. */
export interface LoopAgent<Output = string> {
  /**
   * Decides after each round whether the loop is done. The decision is stored in the log, so a resumed run does not
   * ask again.
   *
   * @param result the result of the sub-agent that ran last
   */
  until?(result: AgentResult<Output>, context: InvocationContext): Awaitable<boolean>;
}

/** True if the escalation names another loop, and an agent above has that name. */
function isForLoopAbove({ name, parentAgent }: AgentNode, { exits }: AgentResult<unknown>): boolean {
  if (exits === undefined || exits === name) return false;
  for (let node = parentAgent; node !== undefined; node = node.parentAgent)
    if (node.name === exits) return true;
  return false;
}
