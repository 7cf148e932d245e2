/** A line of a plot. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

export interface LinePlot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
  readonly series: readonly Series[];
}

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 80;
const RIGHT = 170;
const TOP = 40;
const BOTTOM = 50;
const COLOURS = ['#1b6ca8', '#c0392b', '#2e8b57', '#8e44ad', '#d68910', '#34495e'];

/** Draws lines over two axes as an SVG. */
export function drawLines({ title, x, y, isLogX = false, isLogY = false, series }: LinePlot): string {
  const points = series.flatMap((each) => each.points);
  const across = new Axis(
    points.map(([value]) => value),
    isLogX,
    LEFT,
    WIDTH - RIGHT,
  );
  const up = new Axis(
    points.map(([, value]) => value),
    isLogY,
    HEIGHT - BOTTOM,
    TOP,
  );
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" font-family="sans-serif" font-size="12">`,
    `<rect width="${String(WIDTH)}" height="${String(HEIGHT)}" fill="white"/>`,
    text(LEFT, 22, title, 'font-size="15"'),
    ...across.ticks.map(({ at, label }) => {
      const line = `<path d="M${at} ${String(TOP)}V${String(HEIGHT - BOTTOM)}" stroke="#ddd"/>`;
      return line + text(Number(at), HEIGHT - BOTTOM + 18, label, 'text-anchor="middle"');
    }),
    ...up.ticks.map(({ at, label }) => {
      const line = `<path d="M${String(LEFT)} ${at}H${String(WIDTH - RIGHT)}" stroke="#ddd"/>`;
      return line + text(LEFT - 6, Number(at) + 4, label, 'text-anchor="end"');
    }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x, 'text-anchor="middle"'),
    text(16, middle, y, `text-anchor="middle" transform="rotate(-90 16 ${String(middle)})"`),
    ...series.map((each, index) => drawSeries(each, index, across, up)),
    '</svg>\n',
  ].join('\n');
}

function drawSeries({ name, points }: Series, index: number, across: Axis, up: Axis): string {
  const colour = COLOURS[index % COLOURS.length] ?? 'black';
  const path = points
    .map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${across.at(x)} ${up.at(y)}`)
    .join('');
  const height = TOP + 10 + index * 18;
  return (
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
    `<path d="M${String(WIDTH - RIGHT + 12)} ${String(height - 4)}h20" stroke="${colour}" stroke-width="2"/>` +
    text(WIDTH - RIGHT + 38, height, name)
  );
}

function text(x: number, y: number, words: string, more = ''): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${String(x)}" y="${String(y)}" ${more}>${escaped}</text>`;
}

/** From values to places. A linear axis begins at 0, a logarithmic one at the power of ten below its values. */
class Axis {
  private readonly least: number;
  private readonly most: number;

  constructor(
    values: readonly number[],
    private readonly isLog: boolean,
    private readonly from: number,
    private readonly to: number,
  ) {
    const largest = Math.max(...values);
    this.least = isLog ? Math.floor(Math.log10(Math.min(...values))) : 0;
    this.most = isLog ? Math.ceil(Math.log10(largest)) : largest * 1.05;
  }

  at(value: number): string {
    const part = ((this.isLog ? Math.log10(value) : value) - this.least) / (this.most - this.least);
    return (this.from + part * (this.to - this.from)).toFixed(1);
  }

  get ticks(): { readonly at: string; readonly label: string }[] {
    return this.values().map((value) => ({ at: this.at(value), label: value.toLocaleString('en-US') }));
  }

  private values(): number[] {
    if (this.isLog)
      return Array.from({ length: this.most - this.least + 1 }, (_, index) => 10 ** (this.least + index));
    const rough = this.most / 6;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
    return Array.from({ length: Math.floor(this.most / step) + 1 }, (_, index) => index * step);
  }
}
