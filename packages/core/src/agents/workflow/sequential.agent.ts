import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { AgentOptions } from '../agent.decorator.js';
import { escalation, runInOrder, WorkflowAgent } from './workflow.agent.js';

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
