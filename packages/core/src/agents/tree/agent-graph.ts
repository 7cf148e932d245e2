import type { AgentNode } from '../../run/agent-node.js';
import { WrappedTool } from '../../tools/policies/wrapped.tool.js';
import { TRANSFER_TO_AGENT } from '../../tools/builtin/control-flow.tools.js';
import type { Tool } from '../../tools/tool.js';
import { namesOthers, type ToolTraits } from '../../tools/tool-traits.js';
import { nameOfToolset } from '../../tools/toolsets/wrapped.toolset.js';
import { transferTargets } from '../../turn/resolve-transfers.js';
import type { LlmAgentNode } from '../agent-nodes.js';

/** An agent of a tree, as a diagram shows it. */
export interface AgentGraph {
  /** The name of the agent; `path` identifies it. */
  readonly name: string;
  /** The names from the root down, joined by `/`; unique in a tree. */
  readonly path: string;
  /** The name of its model; undefined for an agent with a `run` of its own. */
  readonly model: string | undefined;
  /** Without `transfer_to_agent`: see `transfers`. */
  readonly tools: readonly GraphTool[];
  /** The classes of its toolsets, whose tools are known only at run time; `X in Y` for one whose tools are found by `Y`. */
  readonly toolsets: readonly string[];
  /** True if its parent calls it, and then continues the conversation. */
  readonly isCalled: boolean;
  /** The paths of the agents that it may transfer to or call. */
  readonly transfers: readonly string[];
  /** In the order of the option `subAgents`; empty for a leaf. */
  readonly subAgents: readonly AgentGraph[];
}

/** A tool of an agent, as a diagram shows it. */
export interface GraphTool {
  /** The name that the model calls. */
  readonly name: string;
  /** The toolbox that has to be opened first, or the function that finds the tool. */
  readonly box: string | undefined;
  /** The gates and policies of its calls: `confirm` (`confirm?` if it depends on the call), `auth`, `retry` and so on. */
  readonly gates: readonly string[];
  /** Who answers the confirmations of its calls, in words. Absent if the tool does not say it. */
  readonly approvers?: string;
  /** True if its results taint the conversation. */
  readonly untrusted: boolean;
  /** True if its calls are restricted once the conversation is tainted. */
  readonly sensitive: boolean;
  /** True if its results hold values that must not leave. */
  readonly confidential: boolean;
  /** True if its calls hand their arguments to others. */
  readonly outside: boolean;
}

/** Describes an agent and all agents below it. Toolsets are not asked for their tools. */
export function agentGraph(node: AgentNode): AgentGraph {
  const { name, path } = node;
  const subAgents = node.subAgents.map(agentGraph);
  const { isCalled } = node.transfer;
  if (!node.isLlmAgent)
    return { name, path, model: undefined, tools: [], toolsets: [], isCalled, transfers: [], subAgents };
  const { model, tools, toolsets, boxes } = node as LlmAgentNode;
  return {
    name,
    path,
    model: model.name,
    tools: tools.callable
      .filter((tool) => tool.name !== TRANSFER_TO_AGENT)
      .map((tool) => graphTool(tool, tools.find(tool.name)?.box?.name)),
    toolsets: toolsets.map((toolset) => {
      const box = boxes.find((one) => one.toolsets.includes(toolset));
      return box ? `${nameOfToolset(toolset)} in ${box.name}` : nameOfToolset(toolset);
    }),
    isCalled,
    transfers: transferTargets(node).map((target) => target.path),
    subAgents,
  };
}

function graphTool(tool: Tool, box: string | undefined): GraphTool {
  const { auth, longRunning, background, cache, retry, rateLimit, concurrency } = tool.traits;
  const { untrusted, sensitive, confidential, outside } = tool.traits;
  const policies = { background, cache, retry, 'rate limit': rateLimit, concurrency };
  const isOn = { auth, 'long-running': longRunning, ...policies };
  const gates = Object.entries(isOn)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([gate]) => gate);
  const confirm = confirmGate(tool);
  const graph = {
    name: tool.name,
    box,
    gates: confirm === undefined ? gates : [confirm, ...gates],
    untrusted: untrusted === true,
    sensitive: sensitive === true,
    confidential: confidential === true,
    outside: outside === true,
  };
  const { approvers } = tool.traits;
  return approvers === undefined ? graph : { ...graph, approvers: approversInWords(approvers) };
}

function approversInWords(approvers: NonNullable<ToolTraits['approvers']>): string {
  if (typeof approvers === 'function') return 'decided for each call';
  if (approvers === 'requester') return 'the requester';
  if (approvers === 'others') return 'anybody but the requester';
  const { role, of, count = 1, self, escalate } = approvers;
  return [
    count > 1 ? `${String(count)} with the role ${role}` : `the role ${role}`,
    of !== undefined && `of ${String(of)}`,
    self === true && 'or the requester with it',
    escalate && `after ${String(escalate.after)} ${approversInWords(escalate.to)}`,
  ]
    .filter((part) => part !== false && part !== undefined)
    .join(', ');
}

/** A function decides for each call. A wrapper asks in addition to the tool that it wraps. */
function confirmGate(tool: Tool): 'confirm' | 'confirm?' | undefined {
  const own: unknown = Reflect.get(tool, 'confirm');
  if (own === true || typeof own === 'string') return 'confirm';
  const inner = tool instanceof WrappedTool ? confirmGate(tool.inner) : undefined;
  if (inner === 'confirm') return inner;
  if (typeof own === 'function') return 'confirm?';
  const isDefault = own === undefined && !(tool instanceof WrappedTool);
  return isDefault && (tool.traits.effect === 'destructive' || namesOthers(tool.traits)) ? 'confirm' : inner;
}

/** An agent of a tree, reduced to what decides whether untrusted results can reach sensitive calls. */
export interface TaintedAgent<Tool extends TaintedTool> {
  /** The name of the agent, for messages. */
  readonly name: string;
  /** Its own tools, without those of its sub-agents. */
  readonly tools: readonly Tool[];
  /** The agents below it, to which it may transfer. */
  readonly subAgents: readonly TaintedAgent<Tool>[];
}

/** The traits of a tool that decide whether untrusted results can reach a sensitive call. */
export interface TaintedTool {
  /** The name that the model calls. */
  readonly name: string;
  /** True if its results taint the conversation. Default: false. */
  readonly untrusted?: boolean | undefined;
  /** True if its calls are restricted in a tainted conversation. Default: false. */
  readonly sensitive?: boolean | undefined;
}

/** A tool of an agent in a tree. */
export interface TaintedOffer<Tool extends TaintedTool> {
  /** The tool as its agent lists it. */
  readonly tool: Tool;
  /** The name of the agent that lists the tool. */
  readonly agent: string;
  /** The sub-agent of the tree's root below which it is; undefined for the root's own tools. */
  readonly branch: TaintedAgent<Tool> | undefined;
}

/** A path from the results of an `untrusted` tool to the calls of a `sensitive` one. */
export interface UntrustedPath<Tool extends TaintedTool> {
  /** The untrusted tool, where the data enters. */
  readonly source: TaintedOffer<Tool>;
  /** The sensitive tool, which the data can reach. */
  readonly target: TaintedOffer<Tool>;
}

/** The paths whose ends first meet in this agent. A pair within one branch is reported for that branch. */
export function untrustedPaths<Tool extends TaintedTool>(root: TaintedAgent<Tool>): UntrustedPath<Tool>[] {
  const offers = offersIn(root);
  const sources = offers.filter(({ tool }) => tool.untrusted === true);
  const targets = offers.filter(({ tool }) => tool.sensitive === true);
  return sources.flatMap((source) =>
    targets
      .filter((target) => source.branch === undefined || source.branch !== target.branch)
      .map((target) => ({ source, target })),
  );
}

function offersIn<Tool extends TaintedTool>(root: TaintedAgent<Tool>): TaintedOffer<Tool>[] {
  const own = root.tools.map((tool) => ({ tool, agent: root.name, branch: undefined }));
  const below = root.subAgents.flatMap((branch) => offersIn(branch).map((offer) => ({ ...offer, branch })));
  return [...own, ...below];
}
