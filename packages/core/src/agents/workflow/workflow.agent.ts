import type { Event } from '../../events/event.js';
import type { AgentResult } from '../../run/agent-result.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { ClassReference } from '@adorn/schema';
import { EXITS } from '../../log/steering.js';
import { type AgentClass, type AgentOptions, agentOptionsOf } from '../agent.decorator.js';
import { BaseAgent } from '../base.agent.js';
import { shareClass } from '../../metadata/shared-class.js';

/** What is wrong with the options of a workflow agent. */
export interface OptionFault {
  /** What is wrong, as a sentence without its period. */
  readonly fault: string;
  /** What to do about it, as a sentence. */
  readonly cure: string;
}

/**
 * An agent that runs its sub-agents by a fixed pattern: the base of `SequentialAgent`, `ParallelAgent` and the
 * others. It keeps no state of its own: after a pause or a crash its `run` starts again, as that of every agent does.
 */
export abstract class WorkflowAgent<Output = string> extends BaseAgent<Output> {
  static {
    shareClass(this, 'WorkflowAgent');
  }

  /**
   * The options of `@agent` that it uses, besides those of all agents.
   *
   * @internal
   */
  static readonly usedOptions: readonly (keyof AgentOptions)[] = [];

  /**
   * True if it acts on the escalation of a sub-agent, instead of only passing it on.
   *
   * @internal
   */
  static readonly actsOnEscalation: boolean = false;

  /** @internal */
  static faultOf(options: AgentOptions): OptionFault | undefined {
    if (options.subAgents?.length) return undefined;
    return {
      fault: 'it has no sub-agents to run',
      cure: 'List them: @agent({ subAgents: [First, Second] }).',
    };
  }
}

const settings = new WeakMap<object, AgentOptions>();

/** The options of `@agent` of an agent's class. */
export function settingsOf({ constructor }: WorkflowAgent<unknown>): AgentOptions {
  let options = settings.get(constructor);
  if (options === undefined)
    settings.set(constructor, (options = agentOptionsOf(constructor as ClassReference)));
  return options;
}

/** The workflow class of Adorn that a class extends; undefined for other agents. */
export function workflowOf(target: AgentClass<unknown>): typeof WorkflowAgent | undefined {
  return target.prototype instanceof WorkflowAgent
    ? patternOf(target as unknown as typeof WorkflowAgent)
    : undefined;
}

/** The class of Adorn itself: the nearest one with `usedOptions` of its own. */
function patternOf(target: typeof WorkflowAgent): typeof WorkflowAgent {
  let pattern = target;
  while (!Object.hasOwn(pattern, 'usedOptions'))
    pattern = Object.getPrototypeOf(pattern) as typeof WorkflowAgent;
  return pattern;
}

/** The fault of an option that is not a whole number of at least 1. */
export function countFault(name: string, value: unknown): OptionFault | undefined {
  if (value === undefined || value === Infinity) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return undefined;
  const found = typeof value === 'number' ? String(value) : `of type ${typeof value}`;
  return {
    fault: `${name} is ${found}`,
    cure: 'Pass a whole number of at least 1, or Infinity for no limit.',
  };
}

/** Runs the sub-agents one after another, up to one that escalates or fails. Returns the result of the last that ran. */
export async function* runInOrder(
  context: InvocationContext,
): AsyncGenerator<Event, AgentResult<unknown> | undefined, undefined> {
  let last: AgentResult<unknown> | undefined;
  for (const child of context.agent.subAgents) {
    last = yield* context.invoke(child);
    if (last.escalated || last.status === 'failed') break;
  }
  return last;
}

/** The event that passes on the escalation of a sub-agent. */
export function escalation(
  context: InvocationContext,
  { exits }: Pick<AgentResult<unknown>, 'exits'>,
): Event {
  return context.event({
    author: context.agent.name,
    actions: { escalate: true },
    ...(exits !== undefined && { customMetadata: { [EXITS]: exits } }),
  });
}

/** The event of a failed agent. */
export function failure(context: InvocationContext, errorCode: string, errorMessage: string): Event {
  return context.event({ author: context.agent.name, errorCode, errorMessage, turnComplete: true });
}

/** Workflows whose name was derived. */
const derived = new WeakSet<object>();

/** Records that the name of a class was derived: it gets a number if another agent has the same name. */
export function noteDerivedName(target: AgentClass<unknown>): void {
  derived.add(target);
}

export function hasDerivedName(target: AgentClass<unknown>): boolean {
  return derived.has(target);
}
