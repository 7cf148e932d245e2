import type { AgentResult } from '../../run/agent-result.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { ClassReference } from '@adorn/schema';
import type { Awaitable } from '../../runtime/awaitable.js';
import { agent, type AgentClass, agentNameOf, type AgentOptions, isAgentClass } from '../agent.decorator.js';
import { FallbackAgent, RaceAgent, RouteAgent } from './branching.agents.js';
import { LoopAgent } from './loop.agent.js';
import { MapAgent } from './map.agent.js';
import { ParallelAgent, SequentialAgent } from './ordered.agents.js';
import { noteDerivedName } from './workflow.agent.js';

/** The agents of a workflow, in their order. */
export type Agents = readonly AgentClass<unknown>[];

/** The type of the answer of an agent class. */
export type Output<Agent> = Agent extends AgentClass<infer Answer> ? Answer : never;

/** The output of the last of several agents. */
export type LastOutput<All extends Agents> = All extends readonly [...Agents, infer Last]
  ? Output<Last>
  : Output<All[number]>;

/** The outputs of several agents, in their order; undefined for one that failed. */
export type Outputs<All extends Agents> = { -readonly [Index in keyof All]: Output<All[Index]> | undefined };

/** The options of all workflows that are made by a function. */
export interface WorkflowOptions extends Pick<AgentOptions, 'model' | 'description'> {
  /** Default: the names of its agents and the kind, such as `draft_review_sequence`. */
  readonly name?: string;
}

/** The options of {@link parallel}. */
export type ParallelOptions = Pick<AgentOptions, 'concurrency'> & WorkflowOptions;

/** The options of {@link map}. */
export type MapOptions = Pick<AgentOptions, 'concurrency' | 'outputKey'> &
  Required<Pick<AgentOptions, 'itemsKey'>> &
  WorkflowOptions;

/** The options of {@link loop}. */
export interface LoopOptions<Answer> extends WorkflowOptions, Pick<AgentOptions, 'maxIterations'> {
  /** Decides after each round whether the loop is done, from the result of the agent that ran last. */
  readonly until?: (result: AgentResult<Answer>, context: InvocationContext) => Awaitable<boolean>;
}

/** One case of a {@link route}. */
export interface RouteCase<Answer = unknown> {
  /** Decides whether the agent runs. Default: always, for the last case. */
  readonly when?: (context: InvocationContext) => Awaitable<boolean>;
  /** The agent to run if `when` returns true, or has been left out. */
  readonly agent: AgentClass<Answer>;
}

/**
 * Runs agents one after another: a {@link SequentialAgent} without a class statement. The options, if any, come last.
 *
 * @example
 * ```ts
 * const Pipeline = sequence(Draft, parallel(Facts, Style), Review);
 * ```
 */
export function sequence<const All extends Agents>(...agents: All): AgentClass<LastOutput<All>>;
/** With options behind the agents, such as a name: a separate signature, because a rest parameter comes last. */
export function sequence<const All extends Agents>(
  ...args: [...All, WorkflowOptions]
): AgentClass<LastOutput<All>>;
export function sequence(...args: (AgentClass<unknown> | WorkflowOptions)[]): AgentClass<unknown> {
  return workflow(class extends SequentialAgent<unknown> {}, 'sequence', args);
}

/** Runs agents in parallel: a {@link ParallelAgent} without a class statement. The options, if any, come last. */
export function parallel<const All extends Agents>(...agents: All): AgentClass<Outputs<All>>;
/** With options behind the agents, such as a name: a separate signature, because a rest parameter comes last. */
export function parallel<const All extends Agents>(
  ...args: [...All, ParallelOptions]
): AgentClass<Outputs<All>>;
export function parallel(...args: (AgentClass<unknown> | ParallelOptions)[]): AgentClass<unknown> {
  return workflow(class extends ParallelAgent<unknown> {}, 'parallel', args);
}

/** Runs agents again and again: a {@link LoopAgent} without a class statement. The options, if any, come last. */
export function loop<const All extends Agents>(...agents: All): AgentClass<LastOutput<All>>;
/** With options behind the agents, such as `until`: a separate signature, because a rest parameter comes last. */
export function loop<const All extends Agents>(
  ...args: [...All, LoopOptions<LastOutput<All>>]
): AgentClass<LastOutput<All>>;
export function loop(...args: (AgentClass<unknown> | LoopOptions<never>)[]): AgentClass<unknown> {
  const { until } = optionsIn<LoopOptions<never>>(args);
  const made = class extends LoopAgent<unknown> {};
  if (until !== undefined) Object.defineProperty(made.prototype, 'until', { value: until });
  return workflow(made, 'loop', args);
}

/** Runs the first agent that does not fail: a {@link FallbackAgent} without a class statement. The options come last. */
export function fallback<const All extends Agents>(...agents: All): AgentClass<Output<All[number]>>;
/** With options behind the agents, such as a name: a separate signature, because a rest parameter comes last. */
export function fallback<const All extends Agents>(
  ...args: [...All, WorkflowOptions]
): AgentClass<Output<All[number]>>;
export function fallback(...args: (AgentClass<unknown> | WorkflowOptions)[]): AgentClass<unknown> {
  return workflow(class extends FallbackAgent<unknown> {}, 'fallback', args);
}

/**
 * Runs agents in parallel and takes the first answer: a {@link RaceAgent} without a class statement. The options come
 * last.
 */
export function race<const All extends Agents>(...agents: All): AgentClass<Output<All[number]>>;
/** With options behind the agents, such as a name: a separate signature, because a rest parameter comes last. */
export function race<const All extends Agents>(
  ...args: [...All, WorkflowOptions]
): AgentClass<Output<All[number]>>;
export function race(...args: (AgentClass<unknown> | WorkflowOptions)[]): AgentClass<unknown> {
  return workflow(class extends RaceAgent<unknown> {}, 'race', args);
}

/**
 * Runs the agent of the first case whose `when` holds: a {@link RouteAgent} without a class statement. The options, if any,
 * come last.
 *
 * @example
 * ```ts
 * const Desk = route({ when: ({ stored }) => stored['topic'] === 'money', agent: Billing }, { agent: Support });
 * ```
 */
export function route<const Cases extends readonly RouteCase[]>(
  ...cases: Cases
): AgentClass<Output<Cases[number]['agent']>>;
/** With options behind the cases, such as a name: a separate signature, because a rest parameter comes last. */
export function route<const Cases extends readonly RouteCase[]>(
  ...args: [...Cases, WorkflowOptions]
): AgentClass<Output<Cases[number]['agent']>>;
export function route(...args: (RouteCase | WorkflowOptions)[]): AgentClass<unknown> {
  const cases = args.filter((one): one is RouteCase => 'agent' in one);
  const made = class extends RouteAgent<unknown> {
    async route(context: InvocationContext) {
      for (const { when, agent: chosen } of cases)
        if (when === undefined || (await when(context))) return chosen;
      return undefined;
    }
  };
  const options = args.filter((one): one is WorkflowOptions => !('agent' in one));
  return workflow(made, 'route', [...new Set(cases.map((one) => one.agent)), ...options]);
}

/** Runs an agent for each item of a list in the state: a {@link MapAgent} without a class statement. */
export function map<Answer>(
  agent: AgentClass<Answer>,
  options: MapOptions,
): AgentClass<(Answer | undefined)[]> {
  const made = workflow(class extends MapAgent<unknown> {}, 'map', [agent, options]);
  return made as AgentClass<(Answer | undefined)[]>;
}

/** Declares the class of a workflow with the options of `@agent`. */
function workflow(
  made: ClassReference<SequentialAgent<unknown>>,
  kind: string,
  args: readonly unknown[],
): AgentClass<unknown> {
  const { until: _until, name, ...options } = optionsIn<LoopOptions<never>>(args);
  const subAgents = args.filter((one): one is AgentClass<unknown> => typeof one !== 'object');
  const stated = name ?? derivedName(kind, subAgents);
  Object.defineProperty(made, 'name', { value: stated });
  agent({ description: '', ...options, name: stated, subAgents })(made);
  if (name === undefined) noteDerivedName(made);
  return made;
}

/** The last argument, unless it is an agent. */
function optionsIn<Options extends object>(args: readonly unknown[]): Partial<Options> {
  const last = args.at(-1);
  return typeof last === 'object' && last !== null ? last : {};
}

/** The maximal length of a derived name. */
const MAX_LENGTH = 64;

/** Derives the name of a workflow from its agents, such as `draft_review_sequence`; `sequence` if that is too long. */
function derivedName(kind: string, subAgents: readonly AgentClass<unknown>[]): string {
  const names = subAgents.filter(isAgentClass).map((one) => agentNameOf(one));
  const name = [...names, kind].join('_');
  return name.length > MAX_LENGTH ? kind : name;
}
