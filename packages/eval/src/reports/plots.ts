import type { Interval } from '../statistics/intervals.js';

const WIDTH = 300;
const HEIGHT = 90;
const BASE = HEIGHT - 16;
const BINS = 20;

/** A bar from 0 to 1 with the whisker of its interval, as SVG. */
export function rateBar(rate: number, { low, high }: Interval): string {
  const at = (share: number): string => fixed(share * WIDTH);
  const label = `${fixed(rate * 100)} %, between ${fixed(low * 100)} % and ${fixed(high * 100)} %`;
  return svg(
    18,
    label,
    `<rect class="bar" x="0" y="4" width="${at(rate)}" height="10"/>` +
      `<line class="whisker" x1="${at(low)}" x2="${at(high)}" y1="9" y2="9"/>` +
      `<line class="axis" x1="${String(WIDTH)}" x2="${String(WIDTH)}" y1="0" y2="18"/>`,
  );
}

/** How often values occur, as SVG; with a line at a threshold. */
export function histogram(values: readonly number[], threshold?: number): string {
  const shown = threshold === undefined ? values : [...values, threshold];
  const low = shown.reduce((least, one) => Math.min(least, one), Infinity);
  const high = shown.reduce((most, one) => Math.max(most, one), -Infinity);
  const span = high > low ? high - low : 1;
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor(((value - low) / span) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const width = WIDTH / BINS;
  const bars = counts.map((count, bin) => {
    const height = (count / most) * (BASE - 4);
    const place = `x="${fixed(bin * width)}" y="${fixed(BASE - height)}"`;
    return count === 0
      ? ''
      : `<rect class="bar" ${place} width="${fixed(width - 1)}" height="${fixed(height)}"/>`;
  });
  const limit = threshold === undefined ? '' : verticalLine(((threshold - low) / span) * WIDTH);
  const axis = `<line class="axis" x1="0" x2="${String(WIDTH)}" y1="${String(BASE)}" y2="${String(BASE)}"/>`;
  const texts =
    `<text x="0" y="${String(HEIGHT - 3)}">${shortNumber(low)}</text>` +
    `<text x="${String(WIDTH)}" y="${String(HEIGHT - 3)}" text-anchor="end">${shortNumber(low + span)}</text>`;
  const label = `${String(values.length)} values from ${shortNumber(low)} to ${shortNumber(high)}`;
  return svg(HEIGHT, label, `${bars.join('')}${axis}${limit}${texts}`);
}

function verticalLine(x: number): string {
  return `<line class="limit" x1="${fixed(x)}" x2="${fixed(x)}" y1="0" y2="${String(BASE)}"/>`;
}

function svg(height: number, label: string, content: string): string {
  const size = `width="${String(WIDTH)}" height="${String(height)}" viewBox="0 0 ${String(WIDTH)} ${String(height)}"`;
  return `<svg ${size} role="img" aria-label="${label}">${content}</svg>`;
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
