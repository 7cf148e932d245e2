import type { AgentGraph } from '@adorn/core/compiler';

interface Palette {
  readonly background: string;
  readonly text: string;
  readonly fill: string;
  readonly line: string;
  readonly accent: string;
}

const LIGHT: Palette = {
  background: '#F8FAFC',
  text: '#0F172A',
  fill: '#FFFFFF',
  line: '#64748B',
  accent: '#15803D',
};
const DARK: Palette = {
  background: '#0F172A',
  text: '#F1F5F9',
  fill: '#1E293B',
  line: '#94A3B8',
  accent: '#4ADE80',
};

/** How a graph is drawn. */
export interface GraphStyle {
  readonly isDark?: boolean;
  /** The path of the agent, or `path#tool`, that made an event. */
  readonly highlighted?: readonly string[];
}

/** The agents and tools of a tree as Graphviz source, which adk-web draws in the browser. */
export function graphSource(
  graph: AgentGraph,
  { isDark = false, highlighted = [] }: GraphStyle = {},
): string {
  const palette = isDark ? DARK : LIGHT;
  const { background, line, text, fill, accent } = palette;
  const marked = new Set(highlighted);
  const node = (id: string, label: string, style: string): string => {
    const border = marked.has(id) ? `, color=${quoted(accent)}, penwidth=3` : '';
    return `  ${quoted(id)} [label=${quoted(label)}, style=${quoted(style)}${border}];`;
  };
  const lines = agentsIn(graph).flatMap((agent) => [
    node(agent.path, `✦ ${agent.name}`, 'rounded,filled'),
    ...agent.tools.map(({ name }) => node(`${agent.path}#${name}`, `🔧 ${name}`, 'rounded,filled,dashed')),
    ...agent.tools.map(
      ({ name }) => `  ${quoted(agent.path)} -> ${quoted(`${agent.path}#${name}`)} [style=dashed];`,
    ),
    ...agent.subAgents.map(({ path }) => `  ${quoted(agent.path)} -> ${quoted(path)};`),
  ]);
  return [
    `digraph ${quoted(graph.name)} {`,
    `  bgcolor=${quoted(background)}; rankdir="TB"; fontname="Helvetica";`,
    `  edge [color=${quoted(line)}, arrowsize=0.7];`,
    `  node [shape="rect", fillcolor=${quoted(fill)}, color=${quoted(line)}, fontcolor=${quoted(text)}, fontname="Helvetica", fontsize=12];`,
    ...lines,
    '}',
  ].join('\n');
}

function agentsIn(graph: AgentGraph): AgentGraph[] {
  return [graph, ...graph.subAgents.flatMap(agentsIn)];
}

/** Graphviz's quoted string: only quotes and backslashes are special. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"`;
}
