import { type ClassReference, readOwnMetadata } from '../../metadata/class-metadata.js';
import { WrappedTool } from '../../policies/wrapped.tool.js';
import type { ToolMethods } from '../../schema/derived-records.js';
import type { FunctionRecord } from '../../schema/function-record.js';
import { shownValue } from '../../schema/describe-problems.js';
import { unknownOption } from '../../schema/nearest-names.js';
import { sourceName } from '../../schema/source-name.js';
import { BUILT_IN_TOOLS } from '../../tools/builtin/built-in-tools.js';
import { DefinedTool } from '../../tools/defined.tool.js';
import { isThirdParty, thirdPartyFault } from '../../tools/third-party/third-party-tools.js';
import { isPlainFunction } from '../../tools/tool-of-function.js';
import { Tool } from '../../tools/tool.js';
import { hasTools, methodsToDerive } from '../../tools/tools-of-service.js';
import { Toolset } from '../../toolsets/toolset.js';
import {
  AGENT,
  AGENT_OPTIONS,
  type AgentClass,
  type AgentOptions,
  agentOptionsOf,
  LLM_OPTIONS,
  type ToolSource,
  WORKFLOW_OPTIONS,
} from '../agent.metadata.js';
import { AgentToolSource } from '../agent.tool.js';
import { BaseAgent } from '../base.agent.js';
import { LlmAgent } from '../llm.agent.js';
import { workflowOf } from '../workflow/workflow.agent.js';
import {
  AgentCircleError,
  AgentConfigInvalidError,
  NotAnAgentError,
  NotAToolError,
  SubAgentTwiceError,
} from './errors.js';
import { agentClassesOf, type PlannedSource, plannedTools, writtenFunction } from './planned-tools.js';

/** An agent's options, the functions among its tools made tools. */
export interface PlannedOptions extends Omit<AgentOptions, 'tools'> {
  readonly tools: readonly PlannedSource[];
}

/** One place of a tree as the decorators describe it, checked, before anything is built. */
export interface AgentPlan {
  readonly target: AgentClass<unknown>;
  readonly options: PlannedOptions;
  readonly children: readonly AgentPlan[];
  /** The agents among its tools, each once. */
  readonly toolAgents: readonly AgentPlan[];
}

/**
 * Reads a tree off its root class.
 *
 * @throws {NotAnAgentError | NotAToolError | SubAgentTwiceError | AgentCircleError | AgentConfigInvalidError}
 */
export function planTree(root: unknown): AgentPlan {
  if (!extendsBaseAgent(root)) throw new NotAnAgentError(root, 'the root agent');
  const plan = planAgent(root, []);
  checkPlaces(plan.options, belowOf(plan).flatMap(placesOf));
  return plan;
}

function planAgent(target: AgentClass<unknown>, above: readonly AgentClass<unknown>[]): AgentPlan {
  const line = [...above, target];
  if (above.includes(target)) throw new AgentCircleError(line.map(sourceName));
  const stated = agentOptionsOf(target);
  checkTools(target, stated.tools ?? []);
  checkOptions(target, stated);
  const options = { ...stated, tools: plannedTools(target, stated.tools ?? []) };
  const subAgents = childrenOf(target, stated);
  const children = subAgents.map((child) => planAgent(child, line));
  const toolAgents = agentsAmong(options.tools, subAgents, target).map((tool) => planAgent(tool, line));
  return { target, options, children, toolAgents };
}

/** @throws {AgentConfigInvalidError} for one that is a sub-agent too: both would have one path */
function agentsAmong(
  tools: readonly PlannedSource[],
  subAgents: readonly AgentClass<unknown>[],
  owner: AgentClass<unknown>,
): readonly AgentClass<unknown>[] {
  const agents = agentClassesOf(tools);
  const both = agents.find((one) => subAgents.includes(one));
  if (both === undefined) return agents;
  throw new AgentConfigInvalidError(
    sourceName(owner),
    `${sourceName(both)} is among its subAgents and among its tools`,
    'List it in one of them, or write a subclass with its own name for the other.',
  );
}

function childrenOf(
  target: AgentClass<unknown>,
  { subAgents = [] }: AgentOptions,
): readonly AgentClass<unknown>[] {
  const seen = new Set<unknown>();
  for (const child of subAgents as readonly unknown[]) {
    if (!extendsBaseAgent(child)) throw new NotAnAgentError(child, `a sub-agent of ${sourceName(target)}`);
    if (seen.has(child)) throw new SubAgentTwiceError(sourceName(target), sourceName(child));
    seen.add(child);
  }
  return subAgents;
}

export function extendsBaseAgent(candidate: unknown): candidate is AgentClass<unknown> {
  return typeof candidate === 'function' && candidate.prototype instanceof BaseAgent;
}

function checkTools(target: AgentClass<unknown>, tools: readonly ToolSource[]): void {
  for (const [place, source] of (tools as readonly unknown[]).entries()) {
    const fault = faultOf(source, target);
    if (fault !== undefined) throw new NotAToolError(sourceName(target), place, fault);
  }
}

function faultOf(source: unknown, target: AgentClass<unknown>): string | undefined {
  if (source instanceof Tool || source instanceof Toolset) return undefined;
  if (extendsBaseAgent(source)) return undefined;
  if (source instanceof AgentToolSource)
    return extendsBaseAgent(source.target) ? undefined : 'is agentTool of what is no agent class';
  if (BUILT_IN_TOOLS.has(source)) {
    const { name } = source as { readonly name: string };
    return `is the function ${name}, not the tool that it returns: write ${name}(…)`;
  }
  if (isPlainFunction(source)) {
    // A minifier may have taken the name, of which the record that was built knows.
    const isNamed = source.name !== '' || writtenFunction(target, source) !== undefined;
    return isNamed ? undefined : 'is a function without a name: write defineTool({ name, run })';
  }
  if (typeof source === 'function') {
    const service = source as unknown as ClassReference;
    const isKnown = hasTools(service) || isToolClass(service);
    return isKnown ? undefined : `is ${sourceName(service)}, which has no @tool methods`;
  }
  if (isThirdParty(source)) return thirdPartyFault(source);
  return source === undefined
    ? 'is undefined (is there a circular import?)'
    : `is a value of type ${typeof source}`;
}

/** True for a class of tools or toolsets, which the container constructs. */
function isToolClass({ prototype }: ClassReference): boolean {
  return prototype instanceof Tool || prototype instanceof Toolset;
}

/** Every place of a tree, the root first. */
export function placesOf(plan: AgentPlan): AgentPlan[] {
  return [plan, ...belowOf(plan).flatMap(placesOf)];
}

function belowOf({ children, toolAgents }: AgentPlan): AgentPlan[] {
  return [...children, ...toolAgents];
}

/** The classes with tool methods, and which methods need a schema of each. */
export function toolMethodsOf(plan: AgentPlan): ToolMethods {
  const methods = new Map<ClassReference, string[]>();
  const classes = placesOf(plan).flatMap(({ target, options }) => [target, ...options.tools]);
  for (const source of new Set(classes)) {
    if (typeof source !== 'function') continue;
    for (const [target, method] of methodsToDerive(source)) {
      const known = methods.get(target) ?? [];
      methods.set(target, known.includes(method) ? known : [...known, method]);
    }
  }
  return methods;
}

/** What the functions among the tools still have to be derived to. */
export function functionsOf(plan: AgentPlan): FunctionRecord[] {
  const tools = placesOf(plan).flatMap(({ options }) => options.tools);
  return [...new Set(tools.map(unwrapped))].flatMap((tool) =>
    tool instanceof DefinedTool && tool.record !== undefined ? [tool.record] : [],
  );
}

function unwrapped(source: PlannedSource): PlannedSource {
  return source instanceof WrappedTool ? unwrapped(source.inner) : source;
}

/** The agents whose doc comment is their description. */
export function undescribedOf(plan: AgentPlan): ClassReference[] {
  return placesOf(plan)
    .filter(
      ({ target, options }) =>
        options.description === undefined && readOwnMetadata(target, AGENT) !== undefined,
    )
    .map(({ target }) => target);
}

/**
 * Refuses options of an agent that do not exist, have no effect on it, or have a value that cannot be used.
 *
 * @throws {AgentConfigInvalidError}
 */
function checkOptions(target: AgentClass<unknown>, options: AgentOptions): void {
  const unknown = unknownOption(options, AGENT_OPTIONS);
  if (unknown !== undefined)
    throw new AgentConfigInvalidError(sourceName(target), unknown.fault, unknown.cure);
  checkUse(target, options);
  checkValues(target, options);
}

/**
 * Refuses a global instruction below the root, unless it is the root's own, as where all agents extend one class.
 *
 * @throws {AgentConfigInvalidError}
 */
function checkPlaces(
  { globalInstruction }: AgentOptions,
  below: readonly {
    readonly target: AgentClass<unknown>;
    readonly options: { globalInstruction?: unknown };
  }[],
): void {
  for (const { target, options } of below) {
    const { globalInstruction: own = globalInstruction } = options;
    if (own === globalInstruction) continue;
    throw new AgentConfigInvalidError(
      sourceName(target),
      'globalInstruction has no effect below the root',
      'Set it on the root agent, or use instruction.',
    );
  }
}

/** Refuses options without an effect. An agent without a model takes a `model` only for the agents below it. */
function checkUse(target: AgentClass<unknown>, options: AgentOptions): void {
  if (target.prototype instanceof LlmAgent) {
    refuseOptions(target, options, WORKFLOW_OPTIONS, 'extends LlmAgent');
    return;
  }
  const workflow = workflowOf(target);
  const unused: Record<string, true> = {
    ...LLM_OPTIONS,
    ...WORKFLOW_OPTIONS,
    ...(!options.subAgents?.length && { model: true as const }),
  };
  for (const used of workflow?.usedOptions ?? []) Reflect.deleteProperty(unused, used);
  const why = workflow === undefined ? 'does not extend LlmAgent' : `extends ${workflow.name}`;
  refuseOptions(target, options, unused, why);
  const fault = workflow?.faultOf(options);
  if (fault !== undefined) throw new AgentConfigInvalidError(sourceName(target), fault.fault, fault.cure);
}

function refuseOptions(
  target: AgentClass<unknown>,
  options: AgentOptions,
  unused: Readonly<Record<string, true>>,
  why: string,
): void {
  for (const name of Object.keys(unused)) {
    const value: unknown = options[name as keyof AgentOptions];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    throw new AgentConfigInvalidError(
      sourceName(target),
      `${name} has no effect, because the class ${why}`,
      why.endsWith('not extend LlmAgent') ? 'Extend LlmAgent, or remove the option.' : 'Remove the option.',
    );
  }
}

/** Options of `generateContentConfig` that have a place of their own. */
const ELSEWHERE = {
  systemInstruction: 'instruction',
  responseSchema: 'outputSchema',
  responseJsonSchema: 'outputSchema',
};

function checkValues(
  target: AgentClass<unknown>,
  { generateContentConfig, maxIterations, delegation = 'handoff' }: AgentOptions,
): void {
  if (!['handoff', 'call'].includes(delegation)) {
    throw new AgentConfigInvalidError(
      sourceName(target),
      `delegation is ${shownValue(delegation)}`,
      "Pass 'handoff' or 'call'.",
    );
  }
  // A comparison with NaN is never true: it would be no limit.
  if (maxIterations !== undefined && !(typeof maxIterations === 'number' && maxIterations >= 0)) {
    throw new AgentConfigInvalidError(
      sourceName(target),
      `maxIterations is ${typeof maxIterations === 'number' ? String(maxIterations) : `of type ${typeof maxIterations}`}`,
      'Pass a number of at least 0, or Infinity for no limit.',
    );
  }
  for (const [key, option] of Object.entries(ELSEWHERE)) {
    if (generateContentConfig === undefined || !(key in generateContentConfig)) continue;
    throw new AgentConfigInvalidError(
      sourceName(target),
      `generateContentConfig contains ${key}`,
      `Use the option ${option} instead.`,
    );
  }
  checkModelTools(target, generateContentConfig?.tools);
}

/** Tools that the model's provider runs may stand in `generateContentConfig`; functions may not. */
function checkModelTools(target: AgentClass<unknown>, tools: unknown): void {
  if (tools === undefined) return;
  const isRunByProvider = (tool: unknown): boolean =>
    typeof tool === 'object' &&
    tool !== null &&
    !(tool instanceof Tool || tool instanceof Toolset) &&
    !('functionDeclarations' in tool || 'callTool' in tool);
  if (Array.isArray(tools) && tools.every(isRunByProvider)) return;
  throw new AgentConfigInvalidError(
    sourceName(target),
    'generateContentConfig.tools may only contain tools that the provider runs, such as { googleSearch: {} }',
    'List functions under the option tools.',
  );
}
