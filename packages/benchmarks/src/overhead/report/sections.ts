import { GROWTH_POINTS } from '../measures/growth.js';
import type { MeasureName } from '../measures/measures.js';
import type { Sample } from '../sample.js';
import { TURN_KINDS } from '../script.js';
import { chunkMicros, growthRatio } from './derived-figures.js';
import { findFigure } from './find-figure.js';
import { formatNumber, formatRatio, formatTable } from './format.js';

/** One table of the report: it stands for one measure and is left out where that was not taken. */
interface Section {
  readonly title: string;
  readonly measure: MeasureName;
  readonly columns: readonly string[];
  readonly cells: (samples: readonly Sample[], adapter: string) => string[];
}

const SECTIONS: readonly Section[] = [
  turns('One turn in a fresh session, steady, µs (beside bare)', 'micros'),
  turns('The same, its quietest block', 'minMicros'),
  turns('The same after a full collection', 'collectedMicros'),
  turns('The same cold: turns 1 to 50 of a process', 'coldMicros'),
  turns('CPU of one steady turn, all threads, µs (beside bare)', 'cpuMicros'),
  {
    title: 'Streaming',
    measure: 'overhead',
    columns: ['first chunk µs', 'µs per chunk (E less A)'],
    cells: (samples, adapter) => [
      formatNumber(
        findFigure(samples, { adapter, measure: 'overhead', key: 'E', figure: 'firstChunkMicros' }),
      ),
      formatNumber(chunkMicros(samples, adapter)),
    ],
  },
  {
    title: 'Growth: turns of kind B in one session, µs each',
    measure: 'growth',
    columns: [
      ...GROWTH_POINTS.map((point) => `turn ${String(point)}`),
      'last ÷ turn 10',
      'turns',
      'KB per event',
    ],
    cells: growthCells,
  },
  plain('A workflow that goes on after an answer, behind finished steps, ms', 'replay', {
    'no step': 'ms0',
    '100 steps': 'ms100',
    'µs per step': 'microsPerStep',
  }),
  plain('Eight parallel tools of 20 ms', 'parallel-tools', { 'turn ms': 'ms' }),
  plain('Cold import', 'import-time', { ms: 'ms', 'RSS before MB': 'rssBeforeMb', 'RSS after MB': 'rssMb' }),
  plain('From the start of a process to the end of its first turn with a call', 'first-turn', { ms: 'ms' }),
  {
    title: 'Allocated per turn, KB',
    measure: 'allocation',
    columns: TURN_KINDS,
    cells: (samples, adapter) =>
      TURN_KINDS.map((key) =>
        formatNumber(findFigure(samples, { adapter, measure: 'allocation', key, figure: 'kb' })),
      ),
  },
  plain('1,000 sessions at once, a model of 20 ms', 'concurrency', {
    'wall ms': 'wallMs',
    'CPU ms': 'cpuMs',
    'turns per s': 'turnsPerSecond',
    'peak RSS MB': 'peakRssMb',
  }),
  plain('Verified: events kept per kind, model calls after bad arguments', 'verify', {
    ...Object.fromEntries(TURN_KINDS.map((kind) => [kind, `events${kind}`])),
    'bad arguments': 'badArgumentsModelCalls',
    'history at turn 3': 'history3',
  }),
];

/** The tables of what was measured, one row an adapter. */
export function writeSections(samples: readonly Sample[], adapters: readonly string[]): string {
  return SECTIONS.filter(({ measure }) => samples.some((sample) => sample.measure === measure))
    .map(({ title, columns, cells }) => {
      const rows = adapters.map((adapter) => [adapter, ...cells(samples, adapter)]);
      return `### ${title}\n\n${formatTable(['adapter', ...columns], rows)}`;
    })
    .join('\n\n');
}

function growthCells(samples: readonly Sample[], adapter: string): string[] {
  const figure = (name: string): string =>
    formatNumber(findFigure(samples, { adapter, measure: 'growth', figure: name }));
  return [
    ...GROWTH_POINTS.map((point) => figure(`turn${String(point)}`)),
    formatRatio(growthRatio(samples, adapter)),
    figure('turns'),
    figure('heldKbPerEvent'),
  ];
}

function turnCell(samples: readonly Sample[], adapter: string, key: string, figure: string): string {
  const own = findFigure(samples, { adapter, measure: 'overhead', key, figure });
  const bare = findFigure(samples, { adapter: 'bare', measure: 'overhead', key, figure });
  if (own === undefined || bare === undefined || adapter === 'bare') return formatNumber(own);
  return `${formatNumber(own)} (${formatRatio(own / bare)})`;
}

function turns(title: string, figure: string): Section {
  return {
    title,
    measure: 'overhead',
    columns: TURN_KINDS,
    cells: (samples, adapter) => TURN_KINDS.map((kind) => turnCell(samples, adapter, kind, figure)),
  };
}

/** A table whose columns are figures as they are. */
function plain(title: string, measure: MeasureName, figures: Readonly<Record<string, string>>): Section {
  return {
    title,
    measure,
    columns: Object.keys(figures),
    cells: (samples, adapter) =>
      Object.values(figures).map((figure) => formatNumber(findFigure(samples, { adapter, measure, figure }))),
  };
}
