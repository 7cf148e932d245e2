import { guardrailsOf } from '../guardrails/guardrail-callbacks.js';
import { chainCallbacks } from '../../gates/callbacks/callback-chain.js';
import type { Plugin } from '../../gates/callbacks/plugin.js';
import type { ToolDispatcher } from '../../gates/tool-dispatcher.js';
import {
  schemaCompiler,
  describeThrown,
  type DerivedRecords,
  sourceName,
  type JsonSchema,
  isStandardSchema,
  type StandardSchema,
  toJsonSchema,
} from '@adorn/schema';
import type { AgentNode, TransferPolicy } from '../../run/agent-node.js';
import type { Model } from '../../models/model.js';
import { PROCESSORS } from '../../turn/processors.js';
import { ModelRequestPlan } from '../../turn/model-request.js';
import type { LlmSettings } from '../../turn/turn-agent.js';
import { BaseAgentNode, LlmAgentNode } from '../agent-nodes.js';
import { type AgentClass, agentNameOf, type AgentOptions, isDeclaredAgent } from '../agent.decorator.js';
import { sharedBase } from '../../metadata/shared-class.js';
import { LlmAgent } from '../llm.agent.js';
import { hasDerivedName } from '../workflow/workflow.agent.js';
import { type AgentPlan, placesOf } from './agent-plan.js';
import { toolsOf } from './agent-tools.js';
import {
  AgentConfigInvalidError,
  AgentNameInvalidError,
  AgentNameTakenError,
  AgentNotDeclaredError,
} from './errors.js';
import type { ModelResolver, TreeResolver } from './model-resolver.js';

/** The dependencies of `assembleTree`. */
export interface TreeMaterials {
  readonly records: DerivedRecords;
  readonly resolve: TreeResolver;
  readonly models: ModelResolver;
  readonly dispatcher: ToolDispatcher;
  readonly plugins: readonly Plugin[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Builds the agents of a tree, one instance for each place, and prepares them for runs. */
export async function assembleTree(plan: AgentPlan, materials: TreeMaterials): Promise<BaseAgentNode> {
  const above = { path: '', parentAgent: undefined };
  const root = await placeAgent(plan, above, { ...materials, names: namesOf(plan) });
  await readyTree(root, plan, { ...materials, globalInstruction: plan.options.globalInstruction });
  return root;
}

/** The names of the agent classes of a tree. A derived name that another class has gets a number. */
function namesOf(plan: AgentPlan): ReadonlyMap<AgentClass<unknown>, string> {
  const owners = new Map<string, AgentClass<unknown>>();
  const places = [...placesOf(plan)].sort(
    (a, b) => Number(hasDerivedName(a.target)) - Number(hasDerivedName(b.target)),
  );
  for (const { target, options } of places) {
    const stated = agentNameOf(target, options);
    if (!NAME.test(stated) || stated === 'user') throw new AgentNameInvalidError(sourceName(target), stated);
    let name = stated;
    const isTaken = (): boolean => (owners.get(name) ?? target) !== target;
    for (let number = 2; hasDerivedName(target) && isTaken(); number++) name = `${stated}_${String(number)}`;
    const owner = owners.get(name) ?? target;
    if (owner !== target) throw new AgentNameTakenError(name, sourceName(owner), sourceName(target));
    owners.set(name, owner);
  }
  return new Map([...owners].map(([name, target]) => [target, name]));
}

/** The position of an agent. An agent that is a tool is below the agent that lists it, and has no parent. */
interface Above {
  /** Empty for the root. */
  readonly path: string;
  readonly parentAgent: BaseAgentNode | undefined;
}

/** Creates the nodes of an agent and of all agents below it, without models and tools. */
async function placeAgent(
  plan: AgentPlan,
  { path: above, parentAgent }: Above,
  materials: TreeMaterials & { readonly names: ReadonlyMap<AgentClass<unknown>, string> },
): Promise<BaseAgentNode> {
  const { target, options, children, toolAgents } = plan;
  const definition = await materials.resolve(target, sourceName(target));
  if (definition instanceof LlmAgent && isBare(definition, target))
    throw new AgentNotDeclaredError(sourceName(target));
  const name = materials.names.get(target) ?? agentNameOf(target, options);
  const Node = definition instanceof LlmAgent ? LlmAgentNode : BaseAgentNode;
  const node = new Node(definition, {
    name,
    description: options.description ?? materials.records.get(target)?.description ?? '',
    path: above === '' ? name : `${above}/${name}`,
    parentAgent,
    callbacks: chainCallbacks([...guardrailsOf(name, options), ...materials.plugins, definition]),
    transfer: transferPolicy(options, parentAgent),
  });
  const subAgents: BaseAgentNode[] = [];
  const { path } = node;
  for (const child of children)
    subAgents.push(await placeAgent(child, { path, parentAgent: node }, materials));
  node.subAgents = subAgents;
  const tools: BaseAgentNode[] = [];
  for (const tool of toolAgents)
    tools.push(await placeAgent(tool, { path, parentAgent: undefined }, materials));
  node.toolAgents = tools;
  return node;
}

/** True without `@agent` and without a member besides those of `LlmAgent`. */
function isBare(definition: LlmAgent<unknown>, target: AgentClass<unknown>): boolean {
  if (isDeclaredAgent(target) || Object.keys(definition).length > 0) return false;
  const base: unknown = sharedBase(LlmAgent, definition).prototype;
  let prototype: unknown = target.prototype;
  for (; prototype !== base; prototype = Object.getPrototypeOf(prototype))
    if (Object.getOwnPropertyNames(prototype).length > 1) return false;
  return true;
}

function transferPolicy(options: AgentOptions, parentAgent: AgentNode | undefined): TransferPolicy {
  const isCalled = options.delegation === 'call' && parentAgent?.isLlmAgent === true;
  return {
    disabled: options.disableTransfer ?? false,
    toParent: options.disallowTransferToParent !== true && !isCalled,
    toPeers: options.disallowTransferToPeers !== true && !isCalled,
    isCalled,
  };
}

/** The dependencies of `readyTree`. The global instruction is that of the root. */
interface ReadyMaterials extends TreeMaterials {
  readonly globalInstruction: AgentOptions['globalInstruction'];
}

/** Sets models and tools, from the root down, because an agent may inherit its parent's model. */
async function readyTree(
  node: AgentNode,
  plan: AgentPlan,
  materials: ReadyMaterials,
  inherited?: Model,
): Promise<void> {
  const model = await materials.models.find(plan, inherited);
  const own = node instanceof LlmAgentNode ? materials.models.require(plan, model) : undefined;
  // The declaration of a tool may tell what the agent behind it can do.
  for (const [index, tool] of plan.toolAgents.entries()) {
    await readyTree(node.toolAgents[index] as AgentNode, tool, materials, model);
  }
  if (node instanceof LlmAgentNode && own) await readyLlmAgent(node, plan, materials, own);
  for (const [index, child] of plan.children.entries()) {
    await readyTree(node.subAgents[index] as AgentNode, child, materials, model);
  }
}

async function readyLlmAgent(
  node: LlmAgentNode,
  plan: AgentPlan,
  materials: ReadyMaterials,
  model: Model,
): Promise<void> {
  const { dispatcher, globalInstruction } = materials;
  const turn = { ...(await llmSettingsOf(node.definition, plan)), globalInstruction };
  for (const other of (node.definition as LlmAgent<unknown>).otherModels ?? [])
    materials.models.other(sourceName(plan.target), other);
  Object.assign(node, { model, turn, dispatcher });
  Object.assign(node, await toolsOf(node, plan.options, materials));
  node.requests = new ModelRequestPlan(node, PROCESSORS);
  (node.definition as LlmAgent<unknown>).checkTools?.({
    names: [...node.tools.tools, ...node.tools.callable].map(({ name }) => name),
    isComplete: node.toolsets.length === 0,
  });
}

/**
 * The model settings of an agent, with a library's output schema converted to JSON Schema.
 *
 * @throws {AgentConfigInvalidError} if the schema is not valid, or a part of it has no JSON Schema equivalent
 */
async function llmSettingsOf(
  { instruction }: LlmAgent<unknown>,
  { target, options }: AgentPlan,
): Promise<LlmSettings> {
  const { outputSchema, ...settings } = options;
  return {
    ...settings,
    ...(instruction !== undefined && { instruction }),
    ...(outputSchema !== undefined && (await formOf(outputSchema, sourceName(target)))),
  };
}

async function formOf(
  schema: JsonSchema | StandardSchema,
  className: string,
): Promise<Pick<LlmSettings, 'outputSchema' | 'outputCheck'>> {
  try {
    const outputSchema = isStandardSchema(schema) ? await toJsonSchema(schema) : schema;
    (await schemaCompiler(outputSchema))();
    return isStandardSchema(schema) ? { outputSchema, outputCheck: schema } : { outputSchema };
  } catch (cause) {
    const words = describeThrown(cause).message;
    throw new AgentConfigInvalidError(
      className,
      `its outputSchema cannot be used: ${words}`,
      'Correct the schema.',
      {
        cause,
      },
    );
  }
}
