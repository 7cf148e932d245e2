import type { AgentGraph, GraphTool } from '@adorn/core/compiler';

import {
  agentsIn,
  edgeKind,
  sidewaysTransfers,
  taintedWays,
  toolLine,
  type ToolPlace,
} from './graph-parts.js';

/** How many tools of one agent are named. */
const MOST_TOOLS = 15;

/**
 * A tree of agents as a Mermaid flowchart. Agents are boxes, and their tools a box beside each; tools that are untrusted or
 * sensitive have nodes of their own, with the ways between them.
 */
export function toMermaid(graph: AgentGraph): string {
  const agents = agentsIn(graph);
  const ids = new Map(agents.map(({ path }, index) => [path, `a${String(index)}`]));
  const idOf = (path: string): string => ids.get(path) ?? 'a0';
  const toolIds = new Map<string, string>();
  const toolId = ({ path, tool }: ToolPlace): string => {
    const key = `${path}/${tool}`;
    const id = toolIds.get(key) ?? `t${String(toolIds.size)}`;
    toolIds.set(key, id);
    return id;
  };
  const lines = agents.flatMap((agent) => {
    const id = idOf(agent.path);
    const marked = agent.tools.filter(isMarked);
    const children = agent.subAgents.map(
      (child) => `${id} -->|${edgeKind(agent, child)}| ${idOf(child.path)}`,
    );
    return [
      `${id}["${label(agent.name, agent.model ?? 'runs its sub-agents')}"]`,
      ...listOf(agent, id),
      ...marked.map((tool) => {
        const own = toolId({ path: agent.path, tool: tool.name });
        return `${id} --- ${own}(["${label(toolLine(tool))}"])`;
      }),
      ...children,
    ];
  });
  const transfers = sidewaysTransfers(graph).map(
    ({ from, to }) => `${idOf(from)} -.->|transfer| ${idOf(to)}`,
  );
  const ways = taintedWays(graph).map(({ from, to }) => `${toolId(from)} ==>|untrusted| ${toolId(to)}`);
  return ['flowchart LR', ...[...lines, ...transfers, ...ways].map((line) => `  ${line}`), ''].join('\n');
}

function isMarked({ untrusted, sensitive }: GraphTool): boolean {
  return untrusted || sensitive;
}

/** The tools that are not marked, and the toolsets, in one node. */
function listOf({ tools, toolsets }: AgentGraph, id: string): string[] {
  const plain = tools.filter((tool) => !isMarked(tool)).map(toolLine);
  const shown = plain.slice(0, MOST_TOOLS);
  const more = plain.length - shown.length;
  const texts = [
    ...shown,
    ...(more > 0 ? [`and ${String(more)} more`] : []),
    ...toolsets.map((name) => `toolset ${name}`),
  ];
  return texts.length === 0 ? [] : [`${id} --- ${id}t[/"${label(...texts)}"/]`];
}

/** Lines of a label; characters that Mermaid or HTML would read are written as their codes. */
function label(...texts: readonly string[]): string {
  return texts
    .map((text) => text.replace(/[^\p{L}\p{N} _.,:/?[\]-]/gu, (found) => `#${String(found.codePointAt(0))};`))
    .join('<br/>');
}
