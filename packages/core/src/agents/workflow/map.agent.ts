import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { AgentOptions } from '../agent.decorator.js';
import {
  countFault,
  escalation,
  failure,
  type OptionFault,
  settingsOf,
  WorkflowAgent,
} from './workflow.agent.js';

/** The same default as for the tool calls of one answer. */
const DEFAULT_CONCURRENCY = 8;

/**
 * Runs its one sub-agent for each item of a list in the state, in parallel, at most `concurrency` at a time. Each run
 * has a branch of its own, and its item as the message: a string as it is, any other value as JSON. Its output is the
 * list of outputs in the order of the items. With `outputKey` the list is also written to the state, with null for a
 * failed run. A failed run does not stop the others; the agent fails if all runs fail.
 *
 * @example
 * ```ts
 * @agent({ subAgents: [Translator], itemsKey: 'sentences', outputKey: 'translations' })
 * class Translate extends MapAgent {}
 * ```
 */
export abstract class MapAgent<Output = readonly unknown[]> extends WorkflowAgent<Output> {
  /** @internal */
  static override readonly usedOptions: readonly (keyof AgentOptions)[] = [
    'concurrency',
    'itemsKey',
    'outputKey',
  ];

  /** @internal */
  static override faultOf(options: AgentOptions): OptionFault | undefined {
    return super.faultOf(options) ?? mapFault(options) ?? countFault('concurrency', options.concurrency);
  }

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const { itemsKey = '', outputKey, concurrency = DEFAULT_CONCURRENCY } = settingsOf(this);
    const [child] = context.agent.subAgents;
    const items: unknown = await context.once('items', () => context.findStored(itemsKey));
    if (!Array.isArray(items) || child === undefined) {
      yield failure(
        context,
        'ITEMS_INVALID',
        `the state key "${itemsKey}" must hold a list, but is ${kindOf(items)}`,
      );
      return;
    }
    const inputs = items.map((item: unknown) =>
      typeof item === 'string' ? item : JSON.stringify(item ?? null),
    );
    const results = yield* context.invokeAll(
      inputs.map(() => child),
      { inputs, concurrency },
    );
    const failed = results.filter(({ status }) => status === 'failed').length;
    if (failed > 0 && failed < results.length) {
      const { path, services } = context;
      services.logger.warn('some items of a list failed', { agent: path, failed, of: results.length });
    }
    if (outputKey !== undefined) {
      const outputs = results.map(({ output }) => output ?? null);
      yield context.event({ author: context.agent.name, actions: { stateDelta: { [outputKey]: outputs } } });
    }
    context.conclude(results);
    const escalated = results.find((result) => result.escalated);
    if (escalated !== undefined) yield escalation(context, escalated);
  }
}

function mapFault({ subAgents = [], itemsKey }: AgentOptions): OptionFault | undefined {
  if (subAgents.length > 1)
    return {
      fault: `it has ${String(subAgents.length)} sub-agents, and runs one for each item`,
      cure: 'Put them into one sequence: subAgents: [sequence(First, Second)].',
    };
  if (typeof itemsKey === 'string' && itemsKey !== '') return undefined;
  return { fault: 'it has no list to go through', cure: "Name its state key: itemsKey: 'sentences'." };
}

function kindOf(value: unknown): string {
  return value === null ? 'missing' : `of type ${typeof value}`;
}
