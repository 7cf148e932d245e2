import { baseOf, type ClassReference, readMetadata } from '../../metadata/class-metadata.js';
import type { DerivedFunction } from '../../schema/derived-class.js';
import { type DerivedRecords, writtenRecord } from '../../schema/derived-records.js';
import type { AgentNode } from '../../invocation/agent-node.js';
import { sourceName } from '../../schema/source-name.js';
import { ProviderTool } from '../../tools/builtin/provider.tool.js';
import { transferToAgent } from '../../tools/builtin/transfer-to-agent.tool.js';
import type { DefinedTool } from '../../tools/defined.tool.js';
import { thirdPartyTools } from '../../tools/third-party/third-party-tools.js';
import { bareTool, builtTool, isPlainFunction, type ToolFunction } from '../../tools/tool-of-function.js';
import { snakeCase } from '../../tools/tool-name.js';
import { ToolTable } from '../../tools/tool-table.js';
import { Tool } from '../../tools/tool.js';
import { toolsOfService } from '../../tools/tools-of-service.js';
import { ToolsetInvalidError } from '../../toolsets/errors.js';
import { TOOLBOX } from '../../toolsets/toolbox.decorator.js';
import { Toolbox } from '../../toolsets/toolbox.js';
import { Toolset } from '../../toolsets/toolset.js';
import { PrefixedTool } from '../../toolsets/wrapped.toolset.js';
import { checkProviderTools, mixesProviderTools } from '../../turn/provider-tools.js';
import { answersThroughTool, SetModelResponseTool } from '../../turn/structured-answer.js';
import { transferTargets } from '../../turn/resolve-transfers.js';
import type { LlmAgentNode } from '../agent-nodes.js';
import type { AgentClass, ToolSource } from '../agent.metadata.js';
import { AgentTool, AgentToolSource } from '../agent.tool.js';
import { BaseAgent } from '../base.agent.js';
import type { PlannedOptions } from './agent-plan.js';
import { agentOfProviderTool, type ProviderAgentMaterials } from './provider-agents.js';
import type { TreeResolver } from './tree-resolver.js';

/** What stands among an agent's tools, functions, agents and tools of other libraries made tools. */
export type PlannedSource = ClassReference | AgentToolSource | Tool | Toolset;

/**
 * Makes the functions, the agents and the tools of other libraries among an agent's tools tools of Adorn, functions with
 * what `adorn build` wrote about them into the agent.
 */
export function plannedTools(target: ClassReference, tools: readonly ToolSource[]): PlannedSource[] {
  return tools.flatMap((source) => {
    if (isPlainFunction(source)) return [plannedFunction(target, source)];
    if (isAgentClass(source)) return [new AgentToolSource(source, {})];
    return isOwn(source) ? [source] : thirdPartyTools(source);
  });
}

function isAgentClass(source: ToolSource): source is AgentClass<unknown> {
  return typeof source === 'function' && (source as ClassReference).prototype instanceof BaseAgent;
}

/** True for what is no tool of another library. */
function isOwn(source: ToolSource): source is ClassReference | AgentToolSource | Tool | Toolset {
  if (typeof source === 'function' || source instanceof AgentToolSource) return true;
  return source instanceof Tool || source instanceof Toolset;
}

function plannedFunction(target: ClassReference, work: ToolFunction): DefinedTool {
  const written = writtenFunction(target, work);
  return written === undefined ? bareTool(work) : builtTool(work, written);
}

/** What was built for a function among the tools of an agent, or of a class that it extends. */
export function writtenFunction(target: ClassReference, work: ToolFunction): DerivedFunction | undefined {
  const own = findWritten(writtenRecord(target)?.functions ?? [], work);
  const base = baseOf(target);
  return own ?? (base && writtenFunction(base, work));
}

/** By the function itself, for a minifier changes names; where the build had no name for it, by its own. */
function findWritten(written: readonly DerivedFunction[], work: ToolFunction): DerivedFunction | undefined {
  const itself = written.find((one) => one.function === work);
  return itself ?? written.find((one) => !('function' in one) && one.name === work.name);
}

/** What an agent can call. */
export interface AgentTools {
  readonly tools: ToolTable;
  readonly toolsets: readonly Toolset[];
  readonly boxes: readonly Toolbox[];
}

/** What an agent's tools are made with. */
export interface ToolMaterials extends ProviderAgentMaterials {
  readonly records: DerivedRecords;
  readonly resolve: TreeResolver;
}

/**
 * What an agent can call: its own `@tool` methods, what it lists, and what its place in the tree adds. A tool of the provider
 * that its model does not take beside functions is an agent of its own.
 */
export async function toolsOf(
  agent: LlmAgentNode,
  options: PlannedOptions,
  materials: ToolMaterials,
): Promise<AgentTools> {
  const listed = await listedTools(agent, options, materials);
  const { model } = agent;
  const { toolsets, boxes } = listed;
  let tools = await tableOf(agent, listed);
  if (mixesProviderTools({ name: agent.name, model, tools, toolsets })) {
    const agents: Tool[] = [];
    for (const tool of tools.provided) agents.push(await agentOfProviderTool(tool, agent, materials));
    const others = listed.tools.filter((tool) => !(tool instanceof ProviderTool));
    tools = await tableOf(agent, { ...listed, tools: [...others, ...agents] });
  }
  checkProviderTools({ name: agent.name, model, tools, toolsets });
  return { tools, toolsets, boxes };
}

/** What stands among an agent's tools, with what it needs from the container. */
interface ListedTools {
  readonly tools: readonly Tool[];
  readonly toolsets: readonly Toolset[];
  readonly boxes: readonly Toolbox[];
}

async function listedTools(
  agent: LlmAgentNode,
  options: PlannedOptions,
  materials: ToolMaterials,
): Promise<ListedTools> {
  const toolsets: Toolset[] = [];
  const boxes: Toolbox[] = [];
  const listed: Tool[] = [];
  const agents = agentClassesOf(options.tools);
  for (const source of new Set(options.tools)) {
    if (source instanceof AgentToolSource) {
      const node = agent.toolAgents[agents.indexOf(source.target)] as AgentNode;
      listed.push(new AgentTool(node, source.options));
      continue;
    }
    const made = typeof source === 'function' ? await materials.resolve(source, sourceName(source)) : source;
    if (made instanceof Toolset) toolsets.push(made);
    else if (made instanceof Tool) listed.push(made);
    else {
      const methods = offeredMethods(made, materials.records);
      const box = toolboxOf(agent, made, methods, materials.records);
      if (box === undefined) listed.push(...methods);
      else boxes.push(box);
    }
  }
  const own = toolsOfService(agent.definition, materials.records);
  refuseToolbox(agent.definition.constructor as ClassReference);
  return { tools: [...own, ...listed], toolsets, boxes };
}

async function tableOf(
  agent: LlmAgentNode,
  { tools: listed, toolsets, boxes }: ListedTools,
): Promise<ToolTable> {
  const { name, model, turn } = agent;
  const transfer = transferToAgent();
  const handOver = transferTargets(agent).length > 0 && !listed.includes(transfer) ? [transfer] : [];
  const openers = boxes.map(({ openingTool }) => openingTool);
  let tools = await ToolTable.build(name, [...listed, ...openers, ...handOver]);
  if (answersThroughTool({ turn, model, tools, toolsets }))
    tools = await ToolTable.build(name, [new SetModelResponseTool(turn)], tools);
  for (const box of boxes) tools = await ToolTable.build(name, box.tools, tools, { box });
  return tools;
}

/** The tools of a service, under the prefix of its `@toolbox`. */
function offeredMethods(service: object, records: DerivedRecords): readonly Tool[] {
  const { prefix } = readMetadata(service.constructor as ClassReference, TOOLBOX);
  const methods = toolsOfService(service, records);
  return prefix === undefined ? methods : methods.map((method) => new PrefixedTool(method, prefix));
}

/** @throws {ToolsetInvalidError} for an agent class: `@toolbox` is for services */
function refuseToolbox(target: ClassReference): void {
  const { unfold, prefix } = readMetadata(target, TOOLBOX);
  if (unfold !== true && prefix === undefined) return;
  const option = unfold === true ? 'unfold: true' : 'prefix';
  throw new ToolsetInvalidError(
    `@toolbox({ ${option} }) has no effect on the agent class ${sourceName(target)}`,
    'Move its tools to a service class, and list that class under tools.',
  );
}

/** The box of a service whose class says `@toolbox({ unfold: true })`. */
function toolboxOf(
  agent: LlmAgentNode,
  service: object,
  tools: readonly Tool[],
  records: DerivedRecords,
): Toolbox | undefined {
  const target = service.constructor as ClassReference;
  const { unfold, description = records.get(target)?.description ?? '' } = readMetadata(target, TOOLBOX);
  if (unfold !== true) return undefined;
  return new Toolbox({ agentName: agent.name, name: snakeCase(sourceName(target)), description, tools });
}

/** The agents among tools, each once. */
export function agentClassesOf(tools: readonly PlannedSource[]): AgentClass<unknown>[] {
  const targets = tools.flatMap((source) => (source instanceof AgentToolSource ? [source.target] : []));
  return [...new Set(targets)];
}
