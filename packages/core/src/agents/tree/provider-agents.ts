import { chainCallbacks } from '../../callbacks/callback-chain.js';
import type { Plugin } from '../../callbacks/plugin.js';
import type { ToolDispatcher } from '../../dispatch/tool-dispatcher.js';
import type { AgentNode } from '../../invocation/agent-node.js';
import type { Logger } from '../../runtime/logger.js';
import type { ProviderTool } from '../../tools/builtin/provider.tool.js';
import { ToolTable } from '../../tools/tool-table.js';
import { PROCESSORS } from '../../turn/processors.js';
import { checkProviderTools } from '../../turn/provider-tools.js';
import { RequestPlan } from '../../turn/request-plan.js';
import { LlmAgentNode } from '../agent-nodes.js';
import { AgentTool } from '../agent.tool.js';
import { LlmAgent } from '../llm.agent.js';

/** The agent of a tool that the provider runs, where a model does not take such a tool beside functions. */
class ProviderToolAgent extends LlmAgent {}

const INSTRUCTION =
  'You are asked by another agent, which cannot use your tool itself. Use the tool, and answer from what it gives you, ' +
  'with its sources.';

const ALONE = { disabled: true, toParent: false, toPeers: false, isCalled: false };

/** What the agents of a provider's tools are made with. */
export interface ProviderAgentMaterials {
  readonly dispatcher: ToolDispatcher;
  readonly plugins: readonly Plugin[];
}

/**
 * Makes a tool of the provider an agent with that tool alone, which its owner asks as a tool of the same name. Each question
 * costs a model call more.
 *
 * @throws {ProviderToolUnsupportedError} if the model does not have it at all
 */
export async function agentOfProviderTool(
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
  node.requests = new RequestPlan(node, PROCESSORS);
  owner.toolAgents = [...owner.toolAgents, node];
  return new AgentTool(node, {});
}

/** Says in the log which tools of the provider became agents. */
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
