import type { Step } from './picture-steps.fixture.js';

/** A part of a picture with a heading of its own. */
export interface Scene {
  /** Default: no heading. */
  readonly title?: string;
  readonly steps: readonly Step[];
}

const LANE = 170;
const ROW = 40;
const MARGIN = 24;
const LONGEST = 64;
/** The width of a character of the 13 px font, at most. */
const CHARACTER = 7.9;

const STYLE = `<style>
  svg { --back: #fff; --ink: #1f2328; --faint: #8c959f; --stop: #cf222e; --wait: #fff3d6 }
  @media (prefers-color-scheme: dark) { svg { --back: #1b1b1f; --ink: #e6edf3; --faint: #7d8590; --stop: #ff7b72; --wait: #453507 } }
  text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); stroke: var(--back); stroke-width: 4px; paint-order: stroke }
  .back { fill: var(--back) } .name { font-weight: bold; text-anchor: middle } .title { font-weight: bold }
  .lane { stroke: var(--faint); stroke-dasharray: 2 4 } path { fill: none; stroke: var(--ink) } .answer { stroke-dasharray: 5 4 }
  .stopped { stroke: var(--stop) } .waits { fill: var(--wait) } .held { stroke: none }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8"/></marker></defs>`;

/** Draws who says what to whom, downwards in the order in which it happened. The same steps are the same text. */
export function drawScenes(title: string, scenes: readonly Scene[]): string {
  let top = 0;
  const drawn = scenes.map((scene) => {
    const { text, height } = drawScene(scene, top);
    top += height;
    return text;
  });
  const width = Math.max(...scenes.map(widthOf));
  const size = `width="${px(width)}" height="${px(top)}" viewBox="0 0 ${px(width)} ${px(top)}"`;
  const back = `<rect class="back" width="100%" height="100%" rx="8"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n<title>${escaped(title)}</title>\n${STYLE}\n${back}\n${drawn.join('\n')}\n</svg>\n`;
}

function drawScene({ title, steps }: Scene, top: number): { readonly text: string; readonly height: number } {
  const lanes = lanesOf(steps);
  const names = top + MARGIN + (title === undefined ? 0 : ROW);
  const bottom = names + (steps.length + 0.5) * ROW;
  const lines = lanes.map((name, index) => {
    const x = px(placeOf(index));
    const line = `<path class="lane" d="M${x} ${px(names + 8)}V${px(bottom)}"/>`;
    return `${line}<text class="name" x="${x}" y="${px(names)}">${escaped(name)}</text>`;
  });
  const rows = steps.map((step, index) => drawStep(step, lanes, names + (index + 1) * ROW));
  const heading = title === undefined ? [] : [label(title, MARGIN, top + MARGIN, 'title')];
  return { text: [...heading, ...lines, ...rows].join('\n'), height: bottom + MARGIN / 2 - top };
}

function drawStep({ from, to, text, kind = 'call' }: Step, lanes: readonly string[], y: number): string {
  const start = placeOf(lanes.indexOf(from));
  const end = kind === 'stopped' ? start + LANE / 2 : placeOf(lanes.indexOf(to));
  if (kind === 'waits') return drawWait(text, start, y);
  const words = label(shortened(text), Math.min(start, end) + 8, y - 6);
  if (start === end)
    return `<path class="answer" d="M${px(start)} ${px(y - 14)}h-14v14h14" marker-end="url(#tip)"/>${words}`;
  if (kind === 'stopped') {
    const cross = `m-5 -5l10 10m0 -10l-10 10`;
    return `<path class="stopped" d="M${px(start)} ${px(y)}h${px(LANE / 2)}${cross}"/>${words}`;
  }
  return `<path class="${kind}" d="M${px(start)} ${px(y)}H${px(end)}" marker-end="url(#tip)"/>${words}`;
}

function drawWait(text: string, x: number, y: number): string {
  const words = waiting(text);
  const width = px(words.length * CHARACTER + 16);
  return `<rect class="waits" rx="4" x="${px(x - 8)}" y="${px(y - 20)}" width="${width}" height="26"/>${label(words, x, y - 3, 'held')}`;
}

function waiting(text: string): string {
  return `waits, stored: ${shortened(text)}`;
}

/** People stand at the left. What was only asked for has no line. */
function lanesOf(steps: readonly Step[]): string[] {
  const agents = new Set(steps.filter(({ kind }) => kind === 'waits').map(({ from }) => from));
  const answers = steps.filter(({ from, kind, to }) => kind === undefined && agents.has(to) && from !== to);
  const all = steps.flatMap(({ from, to, kind }) => (kind === 'stopped' ? [from] : [from, to]));
  return [...new Set([...all.slice(0, 1), ...answers.map(({ from }) => from), ...all])];
}

function widthOf({ title = '', steps }: Scene): number {
  const lanes = lanesOf(steps);
  const ends = steps.map(({ from, to, text, kind }) => {
    const x = placeOf(
      kind === 'stopped' ? lanes.indexOf(from) : Math.min(lanes.indexOf(from), lanes.indexOf(to)),
    );
    return x + (kind === 'waits' ? waiting(text) : shortened(text)).length * CHARACTER + 16;
  });
  return Math.max(placeOf(lanes.length - 0.5), title.length * CHARACTER + MARGIN, ...ends) + MARGIN;
}

function placeOf(lane: number): number {
  return MARGIN + 40 + lane * LANE;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

function label(text: string, x: number, y: number, style?: string): string {
  return `<text${style === undefined ? '' : ` class="${style}"`} x="${px(x)}" y="${px(y)}">${escaped(text)}</text>`;
}

function px(value: number): string {
  return String(Math.round(value));
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (found) => `&#${String(found.codePointAt(0))};`);
}
