import type { AgentNode } from '../../invocation/agent-node.js';
import { WrappedTool } from '../../policies/wrapped.tool.js';
import { TRANSFER_TO_AGENT } from '../../tools/builtin/transfer-to-agent.tool.js';
import type { Tool } from '../../tools/tool.js';
import { nameOfToolset } from '../../toolsets/wrapped.toolset.js';
import { transferTargets } from '../../turn/resolve-transfers.js';
import type { LlmAgentNode } from '../agent-nodes.js';

/** An agent in its place in a tree, as a picture shows it. */
export interface AgentGraph {
  readonly name: string;
  readonly path: string;
  /** The name of its model; undefined for an agent with a `run` of its own. */
  readonly model: string | undefined;
  /** Without `transfer_to_agent`, which `transfers` tells of. */
  readonly tools: readonly GraphTool[];
  /** The classes of its toolsets, whose tools are known only at run time. */
  readonly toolsets: readonly string[];
  /** Its parent calls it, and gets the conversation back. */
  readonly isCalled: boolean;
  /** The paths of the agents that it may hand over to, or calls. */
  readonly transfers: readonly string[];
  readonly subAgents: readonly AgentGraph[];
}

/** A tool of an agent, as a picture shows it. */
export interface GraphTool {
  readonly name: string;
  /** The box that has to be opened first. */
  readonly box: string | undefined;
  /** What holds its calls up or limits them: `confirm` (`confirm?` if it depends on the call), `auth`, policies. */
  readonly gates: readonly string[];
  readonly untrusted: boolean;
  readonly sensitive: boolean;
}

/** Describes an agent and all below it. No toolset is listed. */
export function agentGraph(node: AgentNode): AgentGraph {
  const { name, path } = node;
  const subAgents = node.subAgents.map(agentGraph);
  const { isCalled } = node.transfer;
  if (!node.isLlmAgent)
    return { name, path, model: undefined, tools: [], toolsets: [], isCalled, transfers: [], subAgents };
  const { model, tools, toolsets } = node as LlmAgentNode;
  return {
    name,
    path,
    model: model.name,
    tools: tools.callable
      .filter((tool) => tool.name !== TRANSFER_TO_AGENT)
      .map((tool) => graphTool(tool, tools.find(tool.name)?.box?.name)),
    toolsets: toolsets.map(nameOfToolset),
    isCalled,
    transfers: transferTargets(node).map((target) => target.path),
    subAgents,
  };
}

function graphTool(tool: Tool, box: string | undefined): GraphTool {
  const { auth, longRunning, cache, retry, rateLimit, concurrency, untrusted, sensitive } = tool.traits;
  const isOn = { auth, 'long-running': longRunning, cache, retry, 'rate limit': rateLimit, concurrency };
  const gates = Object.entries(isOn)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([gate]) => gate);
  const confirm = confirmGate(tool);
  return {
    name: tool.name,
    box,
    gates: confirm === undefined ? gates : [confirm, ...gates],
    untrusted: untrusted === true,
    sensitive: sensitive === true,
  };
}

/** A function decides for each call; a wrapper asks beside what it wraps. */
function confirmGate(tool: Tool): 'confirm' | 'confirm?' | undefined {
  const own: unknown = Reflect.get(tool, 'confirm');
  if (own === true || typeof own === 'string') return 'confirm';
  const inner = tool instanceof WrappedTool ? confirmGate(tool.inner) : undefined;
  if (inner === 'confirm') return inner;
  if (typeof own === 'function') return 'confirm?';
  const isDefault = own === undefined && !(tool instanceof WrappedTool);
  return isDefault && tool.traits.effect === 'destructive' ? 'confirm' : inner;
}
