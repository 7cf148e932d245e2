import { GROWTH_POINTS } from '../measures/growth.js';
import type { Sample } from '../sample.js';
import { CHUNKS, type TurnKind } from '../script.js';
import { findFigure } from './find-figure.js';

/** A turn's median time in µs: when it is warm, or as another figure of `overhead` says. */
export function turnMicros(
  samples: readonly Sample[],
  adapter: string,
  key: TurnKind,
  figure: 'micros' | 'coldMicros' | 'collectedMicros' = 'micros',
): number | undefined {
  return findFigure(samples, { adapter, measure: 'overhead', key, figure });
}

/** What streaming adds to a turn of text, in µs per piece. */
export function chunkMicros(samples: readonly Sample[], adapter: string): number | undefined {
  const streamed = turnMicros(samples, adapter, 'E');
  const whole = turnMicros(samples, adapter, 'A');
  return streamed === undefined || whole === undefined ? undefined : (streamed - whole) / CHUNKS;
}

/** How many times the tenth turn the last measured one costs. */
export function growthRatio(samples: readonly Sample[], adapter: string): number | undefined {
  const points = GROWTH_POINTS.flatMap(
    (point) => findFigure(samples, { adapter, measure: 'growth', figure: `turn${String(point)}` }) ?? [],
  );
  const [tenth] = points;
  return points.length < 2 ? undefined : ratio(points.at(-1), tenth);
}

/** The fastest of several adapters at one kind of turn, in µs. */
export function bestMicros(
  samples: readonly Sample[],
  adapters: readonly string[],
  kind: TurnKind,
): number | undefined {
  const times = adapters.flatMap((adapter) => turnMicros(samples, adapter, kind) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

export function ratio(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined ? undefined : part / whole;
}
