import type { Event } from '../../events/event.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { AgentOptions } from '../agent.decorator.js';
import {
  countFault,
  escalation,
  failure,
  type OptionFault,
  settingsOf,
  WorkflowAgent,
} from './workflow.agent.js';

/** As many as the tool calls of one answer. */
const DEFAULT_CONCURRENCY = 8;

/**
 * Runs its one sub-agent for each item of a list in the state, side by side, at most `concurrency` at a time. Each run is on
 * a branch of its own, and its item is the message that it works on: a text as it is, any other value as JSON. The
 * outputs, in the order of the items, are its output, and are written to `outputKey` if it is set; that of a run that
 * failed is null there. An item that fails stops none of the others; it fails where all fail.
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
      yield failure(context, 'ITEMS_INVALID', `the state key "${itemsKey}" is no list, but ${kindOf(items)}`);
      return;
    }
    const inputs = items.map((item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item)));
    const results = yield* context.invokeAll(
      inputs.map(() => child),
      { inputs, concurrency },
    );
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
