import type { Event } from '../../events/event.js';
import type { AgentResult } from '../../invocation/agent-result.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { AgentOptions } from '../agent.metadata.js';
import { escalation, WorkflowAgent } from './workflow.agent.js';

/**
 * Runs its sub-agents side by side, each on a branch of its own, until one answers; its result is that one's. The others
 * are cancelled, also one that waits for a person. Where all fail, so does the race. Where none has answered and one
 * waits, the race waits.
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
