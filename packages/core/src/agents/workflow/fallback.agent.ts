import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { AgentOptions } from '../agent.metadata.js';
import { escalation, WorkflowAgent } from './workflow.agent.js';

/**
 * Runs its sub-agents in their order until one does not fail; its result is that one's. Where all fail, the last failure is
 * its own.
 *
 * @example
 * ```ts
 * @agent({ subAgents: [Fast, Thorough] })
 * class Answers extends FallbackAgent {}
 * ```
 */
export abstract class FallbackAgent<Output = string> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = [];

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (const child of context.agent.subAgents) {
      const result = yield* context.invoke(child);
      context.conclude(result);
      if (result.escalated) yield escalation(context, result);
      if (result.escalated || result.status === 'answered') return;
    }
  }
}
