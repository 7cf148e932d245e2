import {
  baseOf,
  type ClassReference,
  readOwnMetadata,
  type DerivedFunction,
  type FunctionRecord,
  sourceName,
  type ToolMethods,
  writtenRecord,
} from '@adorn/schema';
import { WrappedTool } from '../../tools/policies/wrapped.tool.js';
import { exitLoop, getUserChoice, transferToAgent } from '../../tools/builtin/control-flow.tools.js';
import { loadArtifacts } from '../../tools/builtin/load-artifacts.tool.js';
import { readResult } from '../../tools/builtin/read-result.tool.js';
import { loadMemory, preloadMemory } from '../../tools/builtin/memory.tools.js';
import {
  builtInCodeExecution,
  fileSearch,
  googleMaps,
  googleSearch,
  urlContext,
  vertexAiSearch,
} from '../../tools/builtin/provider.tools.js';
import {
  bareTool,
  builtTool,
  DefinedTool,
  isPlainFunction,
  type ToolFunction,
} from '../../tools/define-tool.js';
import { isThirdParty, thirdPartyFault, thirdPartyTools } from '../../tools/third-party/third-party-tools.js';
import { Tool } from '../../tools/tool.js';
import { hasTools, methodsToDerive } from '../../tools/tools-of-service.js';
import { Toolset } from '../../tools/toolsets/toolset.js';
import {
  AGENT,
  type AgentClass,
  type AgentOptions,
  agentOptionsOf,
  type ToolSource,
} from '../agent.decorator.js';
import { AgentToolSource } from '../agent.tool.js';
import { ClosedToolSource } from '../closed-tool.source.js';
import { BaseAgent } from '../base.agent.js';
import { checkOptions, checkPlaces } from './check-agent-options.js';
import {
  AgentCircleError,
  AgentConfigInvalidError,
  NotAnAgentError,
  NotAToolError,
  SubAgentTwiceError,
} from './errors.js';

/** An entry of an agent's tools. Functions, agents and tools of other libraries are converted already. */
type PlannedSource = ClassReference | AgentToolSource | Tool | Toolset;

/** An agent's options, with its tools as entries of the plan. */
export interface PlannedOptions extends Omit<AgentOptions, 'tools'> {
  /** Those of closed sources too. */
  readonly tools: readonly PlannedSource[];
  readonly closed: readonly PlannedClosed[];
}

/** Closed sources with their entries of the plan. */
interface PlannedClosed {
  readonly source: ClosedToolSource;
  readonly tools: ReadonlySet<PlannedSource>;
}

/** One agent of a tree as its decorators describe it: checked, and not built yet. */
export interface AgentPlan {
  readonly target: AgentClass<unknown>;
  readonly options: PlannedOptions;
  readonly children: readonly AgentPlan[];
  /** The agents among its tools, without duplicates. */
  readonly toolAgents: readonly AgentPlan[];
}

/**
 * Plans the tree of a root class.
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
  checkOptions(target, stated);
  checkTools(target, stated.tools ?? []);
  const options = { ...stated, ...plannedSources(target, stated.tools ?? []) };
  const subAgents = childrenOf(target, stated);
  const children = subAgents.map((child) => planAgent(child, line));
  const toolAgents = agentsAmong(options.tools, subAgents, target).map((tool) => planAgent(tool, line));
  return { target, options, children, toolAgents };
}

/** @throws {AgentConfigInvalidError} if an agent is a sub-agent and a tool: both would have the same path */
function agentsAmong(
  tools: readonly PlannedSource[],
  subAgents: readonly AgentClass<unknown>[],
  owner: AgentClass<unknown>,
): readonly AgentClass<unknown>[] {
  const agents = agentClassesOf(tools);
  const both = agents.find((one) => subAgents.includes(one));
  if (!both) return agents;
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

function extendsBaseAgent(candidate: unknown): candidate is AgentClass<unknown> {
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
  if (source instanceof ClosedToolSource) return closedFault(source, target);
  if (extendsBaseAgent(source)) return undefined;
  if (source instanceof AgentToolSource)
    return extendsBaseAgent(source.target) ? undefined : 'is agentTool of a value that is not an agent class';
  if (BUILT_IN_TOOLS.has(source)) {
    const { name } = source as { readonly name: string };
    return `is the function ${name}, not the tool that it returns: write ${name}(…)`;
  }
  if (isPlainFunction(source)) {
    // A minifier may have removed the name; the built record has it.
    const isNamed = source.name !== '' || writtenFunction(target, source) !== undefined;
    return isNamed ? undefined : 'is a function without a name: write defineTool({ name, run })';
  }
  if (typeof source === 'function') {
    const service = source as unknown as ClassReference;
    const isKnown = hasTools(service) || isToolClass(service);
    return isKnown ? undefined : `is ${sourceName(service)}, which has no @tool methods`;
  }
  if (isThirdParty(source)) return thirdPartyFault(source);
  if (source === undefined) return 'is undefined (is there a circular import?)';
  const made = typeof source === 'object' && source !== null ? source.constructor : undefined;
  if (typeof made !== 'function' || !hasTools(made as unknown as ClassReference))
    return `is a value of type ${typeof source}`;
  const name = sourceName(made as unknown as ClassReference);
  return `is an instance of ${name}, which has @tool methods: list the class ${name} itself`;
}

function closedFault({ label, sources }: ClosedToolSource, target: AgentClass<unknown>): string | undefined {
  for (const [place, source] of sources.entries()) {
    const fault =
      source instanceof ClosedToolSource ? `is ${source.label}(…) within another` : faultOf(source, target);
    if (fault !== undefined) return `is ${label}(…), whose entry ${String(place)} ${fault}`;
  }
  return undefined;
}

/** True for a class that extends `Tool` or `Toolset`, which the container constructs. */
function isToolClass({ prototype }: ClassReference): boolean {
  return prototype instanceof Tool || prototype instanceof Toolset;
}

type OpenSource = Exclude<ToolSource, ClosedToolSource>;

function isOpen(source: ToolSource): source is OpenSource {
  return !(source instanceof ClosedToolSource);
}

/** The tools of an agent. One that is listed itself, and in a closed source, is not closed. */
function plannedSources(
  target: ClassReference,
  listed: readonly ToolSource[],
): Pick<PlannedOptions, 'tools' | 'closed'> {
  const open = plannedTools(target, listed.filter(isOpen));
  const closed = listed
    .filter((source) => source instanceof ClosedToolSource)
    .map((source) => ({ source, tools: plannedTools(target, source.sources.filter(isOpen)) }))
    .map(({ source, tools }) => ({ source, tools: new Set(tools.filter((tool) => !open.includes(tool))) }));
  return { tools: [...open, ...closed.flatMap(({ tools }) => [...tools])], closed };
}

/**
 * Converts the functions, agents and tools of other libraries among an agent's tools. A function gets the record that
 * `adorn build` has written into the agent.
 */
function plannedTools(target: ClassReference, tools: readonly OpenSource[]): PlannedSource[] {
  return tools.flatMap((source) => {
    if (isPlainFunction(source)) return [plannedFunction(target, source)];
    if (extendsBaseAgent(source)) return [new AgentToolSource(source, {})];
    return isOwn(source) ? [source] : thirdPartyTools(source);
  });
}

/** True unless it is a tool of another library. */
function isOwn(source: OpenSource): source is ClassReference | AgentToolSource | Tool | Toolset {
  if (typeof source === 'function' || source instanceof AgentToolSource) return true;
  return source instanceof Tool || source instanceof Toolset;
}

function plannedFunction(target: ClassReference, work: ToolFunction): DefinedTool {
  const written = writtenFunction(target, work);
  return written ? builtTool(work, written) : bareTool(work);
}

/** The built record of a function that an agent or one of its base classes lists. */
export function writtenFunction(target: ClassReference, work: ToolFunction): DerivedFunction | undefined {
  const own = findWritten(writtenRecord(target)?.functions ?? [], work);
  const base = baseOf(target);
  return own ?? (base && writtenFunction(base, work));
}

/**
 * Compares the functions, because a minifier changes names; compares names if the build could not refer to the
 * function.
 */
function findWritten(written: readonly DerivedFunction[], work: ToolFunction): DerivedFunction | undefined {
  const itself = written.find((one) => one.function === work);
  return itself ?? written.find((one) => !('function' in one) && one.name === work.name);
}

/** The agents among tools, each once. */
export function agentClassesOf(tools: readonly PlannedSource[]): AgentClass<unknown>[] {
  const targets = tools.flatMap((source) => (source instanceof AgentToolSource ? [source.target] : []));
  return [...new Set(targets)];
}

/** All agents of a tree, the root first. */
export function placesOf(plan: AgentPlan): AgentPlan[] {
  const places: AgentPlan[] = [];
  const add = (place: AgentPlan): void => {
    places.push(place);
    belowOf(place).forEach(add);
  };
  add(plan);
  return places;
}

function belowOf({ children, toolAgents }: AgentPlan): AgentPlan[] {
  return [...children, ...toolAgents];
}

/** The classes with tool methods, each with the methods whose schema is derived. */
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

/** The records of the functions among the tools, which have to be derived. */
export function functionsOf(plan: AgentPlan): FunctionRecord[] {
  const tools = placesOf(plan).flatMap(({ options }) => options.tools);
  return [...new Set(tools.map(unwrapped))].flatMap((tool) =>
    tool instanceof DefinedTool && tool.record ? [tool.record] : [],
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

/** The functions that return built-in tools. Listing one without calling it is a mistake. */
const BUILT_IN_TOOLS: ReadonlySet<unknown> = new Set([
  builtInCodeExecution,
  exitLoop,
  fileSearch,
  getUserChoice,
  googleMaps,
  googleSearch,
  loadArtifacts,
  loadMemory,
  preloadMemory,
  readResult,
  transferToAgent,
  urlContext,
  vertexAiSearch,
]);
