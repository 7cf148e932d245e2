import type { AgentGraph } from '@adorn/core/compiler';

import { edgeKind, sidewaysTransfers, taintedWays, toolLine, type ToolPlace } from './graph-parts.js';

const LINE = 18;
const PADDING = 10;
const GAP = { across: 90, down: 24 };
const MARGIN = 20;
/** The width of a character of the 13 px font, at most. */
const CHARACTER = 7.9;

/** An agent with its place in the picture, in pixels. */
interface Box {
  readonly agent: AgentGraph;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A tree of agents as an SVG document: the root at the left, tools inside the boxes of their agents. */
export function toSvg(graph: AgentGraph): string {
  const boxes = new Map<string, Box>();
  const height = place(graph, columnsOf(graph), 0, MARGIN, boxes) + MARGIN;
  const all = [...boxes.values()];
  const width = Math.max(...all.map((box) => box.x + box.width)) + MARGIN + GAP.across / 2;
  const edges = all.flatMap((box) =>
    box.agent.subAgents.map((child) => treeEdge(box, boxOf(boxes, child.path))),
  );
  const transfers = sidewaysTransfers(graph).map(({ from, to }) =>
    transferLine(boxOf(boxes, from), boxOf(boxes, to)),
  );
  const ways = taintedWays(graph).map(({ from, to }) =>
    bow(rowOf(boxes, from), rowOf(boxes, to), 'untrusted'),
  );
  const size = `width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}"`;
  const drawn = [...edges, ...all.map(drawBox), ...transfers, ...ways];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${STYLE}\n${drawn.join('\n')}\n</svg>\n`;
}

const STYLE = `<style>
  text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #222 }
  .name { font-weight: bold } .box { fill: #f6f8fa; stroke: #57606a }
  path { fill: none; stroke: #57606a } .transfer { stroke-dasharray: 5 4 } .untrusted { stroke: #cf222e; stroke-width: 2 }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8"/></marker></defs>`;

function linesOf({ name, model, tools, toolsets }: AgentGraph): string[] {
  return [
    name,
    model ?? 'runs its sub-agents',
    ...tools.map(toolLine),
    ...toolsets.map((one) => `toolset ${one}`),
  ];
}

function widthOf(agent: AgentGraph): number {
  return Math.max(...linesOf(agent).map(({ length }) => length)) * CHARACTER + 2 * PADDING;
}

/** Where each level of the tree begins, in pixels from the left. */
function columnsOf(graph: AgentGraph): number[] {
  const columns: number[] = [];
  let x = MARGIN;
  for (let level = [graph]; level.length > 0; level = level.flatMap(({ subAgents }) => subAgents)) {
    columns.push(x);
    x += Math.max(...level.map(widthOf)) + GAP.across;
  }
  return columns;
}

/**
 * Places an agent beside the middle of those below it.
 *
 * @returns where the next agent of the level may begin, without the gap
 */
function place(
  agent: AgentGraph,
  columns: readonly number[],
  depth: number,
  top: number,
  boxes: Map<string, Box>,
): number {
  const lines = linesOf(agent);
  const height = lines.length * LINE + 2 * PADDING;
  let bottom = top;
  for (const child of agent.subAgents) {
    const start = bottom === top ? top : bottom + GAP.down;
    bottom = place(child, columns, depth + 1, start, boxes);
  }
  const y = Math.max(top, (top + bottom - height) / 2);
  boxes.set(agent.path, { agent, lines, x: columns[depth] ?? MARGIN, y, width: widthOf(agent), height });
  return Math.max(bottom, y + height);
}

function boxOf(boxes: ReadonlyMap<string, Box>, path: string): Box {
  return boxes.get(path) as Box;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function middle({ x, y, width }: Box): Point {
  return { x: x + width, y: y + PADDING + LINE / 2 };
}

/** The right end of the line of a tool. */
function rowOf(boxes: ReadonlyMap<string, Box>, { path, tool }: ToolPlace): Point {
  const { agent, x, y, width } = boxOf(boxes, path);
  const row = 2 + agent.tools.findIndex(({ name }) => name === tool);
  return { x: x + width, y: y + PADDING + (row + 0.5) * LINE };
}

function treeEdge(from: Box, to: Box): string {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  return line(start, end, { style: 'tree', title: edgeKind(from.agent, to.agent) });
}

/** Back to an agent further left from the bottom of the box; to another one around the right of both. */
function transferLine(from: Box, to: Box): string {
  if (to.x + to.width >= from.x) return bow(middle(from), middle(to), 'transfer');
  const start = { x: from.x, y: from.y + from.height - PADDING };
  const end = { x: to.x + to.width, y: to.y + to.height - PADDING };
  return line(start, end, { style: 'transfer', title: 'transfer' });
}

function line(
  from: Point,
  to: Point,
  { style, title }: { readonly style: string; readonly title: string },
): string {
  const turn = (from.x + to.x) / 2;
  const path = `M${px(from.x)} ${px(from.y)} C${px(turn)} ${px(from.y)} ${px(turn)} ${px(to.y)} ${px(to.x)} ${px(to.y)}`;
  return `<path class="${style}" d="${path}" marker-end="url(#tip)"><title>${title}</title></path>`;
}

/** A line that leaves and arrives at the right of two boxes. */
function bow(from: Point, to: Point, kind: 'transfer' | 'untrusted'): string {
  const out = Math.max(from.x, to.x) + GAP.across / 2;
  const path = `M${px(from.x)} ${px(from.y)} C${px(out)} ${px(from.y)} ${px(out)} ${px(to.y)} ${px(to.x)} ${px(to.y)}`;
  return `<path class="${kind}" d="${path}" marker-end="url(#tip)"><title>${kind}</title></path>`;
}

function drawBox({ lines, x, y, width, height }: Box): string {
  const texts = lines.map((line, index) => {
    const at = `x="${px(x + PADDING)}" y="${px(y + PADDING + (index + 0.75) * LINE)}"`;
    return `<text${index === 0 ? ' class="name"' : ''} ${at}>${escaped(line)}</text>`;
  });
  const rect = `<rect class="box" rx="6" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"/>`;
  return [rect, ...texts].join('\n');
}

function px(value: number): string {
  return String(Math.round(value));
}

function escaped(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (found) => `&#${String(found.codePointAt(0))};`);
}
