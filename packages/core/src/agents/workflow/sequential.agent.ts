import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { AgentOptions } from '../agent.decorator.js';
import { escalation, runInOrder, WorkflowAgent } from './workflow.agent.js';

/**
 * Runs its sub-agents in their order; its result is that of the last. It ends early, with the result of that one, where a
 * sub-agent fails, or escalates: it then escalates itself.
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
