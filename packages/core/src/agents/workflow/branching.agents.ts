import type { Event } from '../../events/event.js';
import type { AgentResult } from '../../run/agent-result.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import { findSubAgent, type SubAgent } from '../../run/sub-agent.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { AgentOptions } from '../agent.decorator.js';
import { escalation, failure, WorkflowAgent } from './workflow.agent.js';

/**
 * Runs the sub-agent that `route` chooses, and has its result.
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
   * Chooses a sub-agent by its class or name. The choice is stored in the log, so a resumed run does not ask again.
   * If it is undefined, the agent fails with the code `NO_ROUTE`.
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

/**
 * Runs its sub-agents in order until one does not fail, and has its result. If all fail, it fails with the last
 * failure.
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

/**
 * Runs its sub-agents in parallel, each on a branch of its own, until one answers, and has its result. The others are
 * cancelled, also one that waits for a person. If all fail, it fails. If none has answered and one waits for a
 * person, it waits.
 *
 * @example
 * ```ts
 * @agent({ subAgents: [Cache, Search] })
 * class Lookup extends RaceAgent {}
 * ```
 */
export abstract class RaceAgent<Output = string> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = [];

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    let winner: AgentResult<unknown> | undefined;
    const until = (result: AgentResult<unknown>): boolean => {
      if (result.status === 'answered') winner ??= result;
      return winner !== undefined;
    };
    const results = yield* context.invokeAll(context.agent.subAgents, { until });
    const result = winner ?? results.at(-1);
    context.conclude(result);
    if (result?.escalated === true) yield escalation(context, result);
  }
}
