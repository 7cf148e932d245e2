import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import { findSubAgent, type SubAgent } from '../../invocation/sub-agent.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { AgentOptions } from '../agent.metadata.js';
import { escalation, failure, WorkflowAgent } from './workflow.agent.js';

/**
 * Runs the one sub-agent that `route` chooses; its result is that one's.
 *
 * @example
 * ```ts
 * @agent({ subAgents: [Billing, Support] })
 * class Desk extends RouteAgent {
 *   route({ stored }: InvocationContext) {
 *     return stored['topic'] === 'money' ? Billing : Support;
 *   }
 * }
 * ```
 */
export abstract class RouteAgent<Output = string> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = [];

  /**
   * Chooses a sub-agent: its class or its name. The choice is kept in the log, and is not asked for again when the run goes
   * on after a pause. Undefined is a failure, with the code `NO_ROUTE`.
   */
  abstract route(context: InvocationContext): Awaitable<SubAgent<unknown> | undefined>;

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const name = await context.once('route', async () => {
      const chosen = await this.route(context);
      return chosen === undefined ? undefined : findSubAgent(context.agent, chosen).name;
    });
    if (typeof name !== 'string') {
      yield failure(context, 'NO_ROUTE', 'route chose none of the sub-agents. Return one in every case.');
      return;
    }
    const result = yield* context.invoke(name);
    context.conclude(result);
    if (result.escalated) yield escalation(context, result);
  }
}
