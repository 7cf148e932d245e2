import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { AgentOptions } from '../agent.decorator.js';
import {
  countFault,
  escalation,
  type OptionFault,
  runInOrder,
  settingsOf,
  WorkflowAgent,
} from './workflow.agent.js';

/**
 * Runs its sub-agents in order, and has the result of the last one. It ends early, with that result, if a sub-agent
 * fails or escalates; after an escalation it escalates itself.
 *
 * @example
 * ```ts
 * @agent({ model: 'gemini-2.5-flash', subAgents: [Draft, Review] })
 * class Pipeline extends SequentialAgent {}
 * ```
 */
export abstract class SequentialAgent<Output = string> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = [];

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const last = yield* runInOrder(context);
    context.conclude(last);
    if (last?.escalated === true) yield escalation(context, last);
  }
}

/**
 * Runs its sub-agents in parallel, each on a branch of its own. Its text is the texts of all, in order, with blank
 * lines between them; its output is the list of their outputs. A failed sub-agent does not stop the others, and its
 * output is undefined; the agent fails if all fail. It escalates if one does.
 *
 * @example
 * ```ts
 * @agent({ model: 'gemini-2.5-flash', subAgents: [News, Prices, Weather], concurrency: 2 })
 * class Research extends ParallelAgent {}
 * ```
 */
export abstract class ParallelAgent<Output = readonly unknown[]> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = ['concurrency'];

  /** @internal */
  static override faultOf(options: AgentOptions): OptionFault | undefined {
    return super.faultOf(options) ?? countFault('concurrency', options.concurrency);
  }

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const { concurrency } = settingsOf(this);
    const results = yield* context.invokeAll(context.agent.subAgents, { concurrency });
    context.conclude(results);
    const escalated = results.find((result) => result.escalated);
    if (escalated !== undefined) yield escalation(context, escalated);
  }
}
