import { chainCallbacks } from '../../gates/callbacks/callback-chain.js';
import type { Plugin } from '../../gates/callbacks/plugin.js';
import type { ToolDispatcher } from '../../gates/tool-dispatcher.js';
import type { AgentNode } from '../../run/agent-node.js';
import { type ClassReference, readMetadata, type DerivedRecords, sourceName } from '@adorn/schema';
import type { Logger } from '../../runtime/logger.js';
import { ProviderTool } from '../../tools/builtin/provider.tools.js';
import { transferToAgent } from '../../tools/builtin/control-flow.tools.js';
import type { ClosedTools } from '../../tools/closed-tools.js';
import { snakeCase, ToolTable } from '../../tools/tool-table.js';
import { Tool } from '../../tools/tool.js';
import { toolsOfService } from '../../tools/tools-of-service.js';
import { ToolsetInvalidError } from '../../tools/toolsets/errors.js';
import { TOOLBOX, Toolbox } from '../../tools/toolsets/toolbox.js';
import { Toolset } from '../../tools/toolsets/toolset.js';
import { PrefixedTool } from '../../tools/toolsets/wrapped.toolset.js';
import { PROCESSORS } from '../../turn/processors.js';
import { checkProviderTools, mixesProviderTools } from '../../turn/provider-tools.js';
import { ModelRequestPlan } from '../../turn/model-request.js';
import { canTransfer } from '../../turn/resolve-transfers.js';
import { givesOutputByTool, SetModelResponseTool } from '../../turn/structured-output.js';
import { LlmAgentNode } from '../agent-nodes.js';
import { AgentTool, AgentToolSource } from '../agent.tool.js';
import type { ClosedToolSource } from '../closed-tool.source.js';
import { LlmAgent } from '../llm.agent.js';
import { agentClassesOf, type PlannedOptions } from './agent-plan.js';
import type { TreeResolver } from './model-resolver.js';

/** The tools of an agent. */
interface AgentTools {
  readonly tools: ToolTable;
  readonly toolsets: readonly Toolset[];
  readonly boxes: readonly ClosedTools[];
}

/** The dependencies of `toolsOf`. */
interface ToolMaterials extends ProviderAgentMaterials {
  readonly records: DerivedRecords;
  readonly resolve: TreeResolver;
}

/**
 * Makes the tools of an agent: its own `@tool` methods, those it lists, and those that its place in the tree adds. A
 * provider tool that its model does not accept together with functions becomes an agent of its own.
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

/** The listed tools, with their classes resolved from the container. */
interface ListedTools {
  readonly tools: readonly Tool[];
  readonly toolsets: readonly Toolset[];
  readonly boxes: readonly ClosedTools[];
}

async function listedTools(
  agent: LlmAgentNode,
  options: PlannedOptions,
  materials: ToolMaterials,
): Promise<ListedTools> {
  const toolsets: Toolset[] = [];
  const boxes: ClosedTools[] = [];
  const listed: Tool[] = [];
  const agents = agentClassesOf(options.tools);
  const closed = options.closed.map(({ source, tools: own }) => ({ source, own, ...noTools() }));
  for (const source of new Set(options.tools)) {
    const among = closed.find(({ own }) => own.has(source));
    const tools = among?.tools ?? listed;
    if (source instanceof AgentToolSource) {
      const node = agent.toolAgents[agents.indexOf(source.target)] as AgentNode;
      tools.push(source.toolOf(node));
      continue;
    }
    const made = typeof source === 'function' ? await materials.resolve(source, sourceName(source)) : source;
    if (made instanceof Toolset) {
      toolsets.push(made);
      among?.toolsets.push(made);
    } else if (made instanceof Tool) tools.push(made);
    else {
      const methods = offeredMethods(made, materials.records);
      const box = among ? undefined : toolboxOf(agent, made, methods, materials.records);
      if (!box) tools.push(...methods);
      else boxes.push(box);
    }
  }
  boxes.push(...closed.map(({ source, ...given }) => closedTools(agent, source, given)));
  const own = toolsOfService(agent.definition, materials.records);
  refuseToolbox(agent.definition.constructor as ClassReference);
  return { tools: [...own, ...listed], toolsets, boxes };
}

/** The tools of closed sources. */
interface GivenTools {
  readonly tools: Tool[];
  readonly toolsets: Toolset[];
}

function noTools(): GivenTools {
  return { tools: [], toolsets: [] };
}

function closedTools(
  agent: LlmAgentNode,
  source: ClosedToolSource,
  { tools, toolsets }: GivenTools,
): ClosedTools {
  const lists = new WeakMap<ToolTable, readonly Tool[]>();
  const box: ClosedTools = source.boxOf({
    agentName: agent.name,
    tools,
    toolsets,
    list: async (context) => {
      const { table, unavailable } = await agent.listClosed(context);
      const known = lists.get(table) ?? table.in(box);
      lists.set(table, known);
      return { tools: known, unavailable };
    },
  });
  return box;
}

async function tableOf(
  agent: LlmAgentNode,
  { tools: listed, toolsets, boxes }: ListedTools,
): Promise<ToolTable> {
  const { name, model, turn } = agent;
  const transfer = transferToAgent();
  const handOver = canTransfer(agent) && !listed.includes(transfer) ? [transfer] : [];
  const openers = boxes.map(({ openingTool }) => openingTool);
  let tools = await ToolTable.build(name, [...listed, ...openers, ...handOver]);
  if (givesOutputByTool({ turn, model, tools, toolsets }))
    tools = await ToolTable.build(name, [new SetModelResponseTool(turn)], tools);
  for (const box of boxes) {
    tools = await ToolTable.build(name, box.tools, tools, { box });
    refusePassive(name, box, tools);
  }
  return tools;
}

/** @throws {ToolsetInvalidError} for a tool that is part of requests, which nothing can open */
function refusePassive(agentName: string, { opener, tools }: ClosedTools, table: ToolTable): void {
  const passive = tools.find(({ name }) => table.isPassive(name));
  if (passive)
    throw new ToolsetInvalidError(
      `The agent ${agentName} has ${passive.name} among the tools of ${opener}, and it is no function that a model calls`,
      'List it under tools itself.',
    );
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

/** The toolbox of a service whose class has `@toolbox({ unfold: true })`. */
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

/** The agent of a provider tool, for a model that does not accept such a tool together with functions. */
class ProviderToolAgent extends LlmAgent {}

const INSTRUCTION =
  'You are asked by another agent, which cannot use your tool itself. Use the tool, and answer from what it gives you, ' +
  'with its sources.';

const ALONE = { disabled: true, toParent: false, toPeers: false, isCalled: false };

/** The dependencies of `agentOfProviderTool`. */
interface ProviderAgentMaterials {
  readonly dispatcher: ToolDispatcher;
  readonly plugins: readonly Plugin[];
}

/**
 * Makes an agent that has only this provider tool. Its owner calls the agent as a tool of the same name; each call
 * costs one more model call.
 *
 * @throws {ProviderToolUnsupportedError} if the model does not support the tool
 */
async function agentOfProviderTool(
  tool: ProviderTool,
  owner: LlmAgentNode,
  { dispatcher, plugins }: ProviderAgentMaterials,
): Promise<AgentTool> {
  const { name, description } = tool;
  const { model } = owner;
  const tools = await ToolTable.build(name, [tool]);
  checkProviderTools({ name: owner.name, model, tools, toolsets: [] });
  const definition = new ProviderToolAgent();
  const node = new LlmAgentNode(definition, {
    name,
    description,
    path: `${owner.path}/${name}`,
    parentAgent: undefined,
    transfer: ALONE,
    callbacks: chainCallbacks([...plugins, definition]),
  });
  const turn = { instruction: INSTRUCTION };
  Object.assign(node, { model, turn, dispatcher, tools, toolsets: [], boxes: [] });
  node.requests = new ModelRequestPlan(node, PROCESSORS);
  owner.toolAgents = [...owner.toolAgents, node];
  return new AgentTool(node, {});
}

/**
 * Warns once of tools and agents without a description, which a model chooses by their names alone. Not in production.
 */
export function reportUndescribed(root: AgentNode, logger: Logger): void {
  if (process.env['NODE_ENV'] === 'production') return;
  const names = [...new Set(undescribedIn(root))];
  if (names.length === 0) return;
  logger.warn(
    `no description: ${names.join(', ')}. The model chooses a tool or an agent without one by its name alone. ` +
      'Write a doc comment that says when to use it, or the option description.',
  );
}

function undescribedIn(agent: AgentNode): string[] {
  const below = [...agent.subAgents, ...agent.toolAgents];
  const agents = agent.isLlmAgent
    ? agent.subAgents.filter(({ description }) => description.trim() === '')
    : [];
  const tools = agent instanceof LlmAgentNode ? agent.tools.callable.filter(isUndescribed) : [];
  return [
    ...tools.map(({ name, origin }) => (origin.includes('.') ? origin : `tool ${name}`)),
    ...agents.map(({ name }) => `agent ${name}`),
    ...below.flatMap(undescribedIn),
  ];
}

function isUndescribed(tool: Tool): boolean {
  return (tool.declaration()?.description ?? '').trim() === '';
}

/** Logs a warning for each provider tool that became an agent. */
export function reportProviderAgents(agent: AgentNode, logger: Logger): void {
  for (const node of agent.toolAgents) {
    if (!(node.definition instanceof ProviderToolAgent)) continue;
    const { model } = node as LlmAgentNode;
    logger.warn(
      'a model does not take a tool of its provider beside functions: an agent of its own has the tool, and each use is one ' +
        'more model call',
      { agent: agent.path, tool: node.name, model: model.name },
    );
  }
  for (const below of [...agent.subAgents, ...agent.toolAgents]) reportProviderAgents(below, logger);
}
