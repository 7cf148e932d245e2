import {
  type AgentGraph,
  type GraphTool,
  labelsOf,
  type TaintedAgent,
  untrustedPaths,
} from '@adorn/core/compiler';

/** An agent and all below it, the agent first. */
export function agentsIn(graph: AgentGraph): AgentGraph[] {
  return [graph, ...graph.subAgents.flatMap(agentsIn)];
}

/** Where a tool is: the path of its agent, and its name. */
export interface ToolPlace {
  readonly path: string;
  readonly tool: string;
}

/** A way from the results of an untrusted tool to the calls of a sensitive one. */
export interface TaintedWay {
  readonly from: ToolPlace;
  readonly to: ToolPlace;
}

/** The ways of the whole tree, as the rule `untrusted-path` of `adorn check` finds them. */
export function taintedWays(graph: AgentGraph): TaintedWay[] {
  const own = untrustedPaths(tainted(graph)).map(({ source, target }) => ({
    from: { path: source.agent, tool: source.tool.name },
    to: { path: target.agent, tool: target.tool.name },
  }));
  return [...own, ...graph.subAgents.flatMap(taintedWays)];
}

function tainted({ path, tools, subAgents }: AgentGraph): TaintedAgent<GraphTool> {
  return { name: path, tools, subAgents: subAgents.map(tainted) };
}

/** A hand-over between two agents that are not parent and child. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
}

/** The transfers other than from a parent to its child. */
export function sidewaysTransfers(graph: AgentGraph): Transfer[] {
  return agentsIn(graph).flatMap(({ path, transfers, subAgents }) =>
    transfers.filter((to) => subAgents.every((child) => child.path !== to)).map((to) => ({ from: path, to })),
  );
}

/** How an agent gives work to one below it. */
export function edgeKind({ transfers }: AgentGraph, child: AgentGraph): 'call' | 'transfer' | 'runs' {
  if (!transfers.includes(child.path)) return 'runs';
  return child.isCalled ? 'call' : 'transfer';
}

/** A tool in one line: its name, its box, its gates and its labels. */
export function toolLine(tool: GraphTool): string {
  const { name, box, gates } = tool;
  const marks = [...gates, ...labelsOf(tool)];
  const place = box === undefined ? '' : ` in ${box}`;
  return `${name}${place}${marks.length > 0 ? ` [${marks.join(', ')}]` : ''}`;
}
