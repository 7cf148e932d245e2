import type { MeasureName } from '../measures/measures.js';
import type { Sample } from '../sample.js';
import { TURN_KINDS, type TurnKind } from '../script.js';
import { bestMicros, chunkMicros, growthRatio, ratio, turnMicros } from './derived-figures.js';
import { findFigure } from './find-figure.js';

/** A goal of Adorn beside what this run found. */
export interface Verdict {
  readonly goal: string;
  readonly limit: number;
  readonly found: number;
  readonly met: boolean;
}

interface Goal {
  readonly goal: string;
  readonly limit: number;
  readonly found: number | undefined;
}

const SUBJECT = 'adorn';
/** Kind G has none: `layers` and the peers forget what the agents below said, and Adorn keeps it. */
type JudgedKind = Exclude<TurnKind, 'G'>;
const JUDGED = TURN_KINDS.filter((kind): kind is JudgedKind => kind !== 'G');

/** A fifteenth; of a streamed turn a tenth. */
const SHARE_OF_BEST_PEER: Readonly<Record<JudgedKind, number>> = {
  A: 0.067,
  B: 0.067,
  C: 0.067,
  D: 0.067,
  E: 0.1,
  F: 0.067,
};
const TIMES_LAYERS: Readonly<Record<JudgedKind, number>> = { A: 1.5, B: 1.5, C: 2, D: 1.5, E: 1, F: 2 };
const COLD_TIMES_LAYERS = 2;
const COLLECTED_TIMES_STEADY = 1.3;
/** 130 ms where the bare loop took 56. */
const SESSIONS_TIMES_BARE = 2.32;

/** The goals that this run can tell of: what was not measured is not judged. */
export function judge(samples: readonly Sample[], peers: readonly string[]): Verdict[] {
  return [...peerGoals(samples, peers), ...layerGoals(samples), ...ownGoals(samples)].flatMap(
    ({ goal, limit, found }) => (found === undefined ? [] : { goal, limit, found, met: found <= limit }),
  );
}

function peerGoals(samples: readonly Sample[], peers: readonly string[]): Goal[] {
  const turns = JUDGED.map((kind) => ({
    goal: `${kind} ÷ best peer`,
    limit: SHARE_OF_BEST_PEER[kind],
    found: ratio(turnMicros(samples, SUBJECT, kind), bestMicros(samples, peers, kind)),
  }));
  const firstTurn = (adapter: string) =>
    findFigure(samples, { adapter, measure: 'first-turn', figure: 'ms' });
  const best = Math.min(...peers.map((peer) => firstTurn(peer) ?? Infinity));
  const found = best === Infinity ? undefined : ratio(firstTurn(SUBJECT), best);
  return [...turns, { goal: 'first turn of a process ÷ best peer', limit: 1, found }];
}

function layerGoals(samples: readonly Sample[]): Goal[] {
  return JUDGED.flatMap((kind) => {
    const steady = turnMicros(samples, SUBJECT, kind);
    const cold = turnMicros(samples, SUBJECT, kind, 'coldMicros');
    return [
      {
        goal: `${kind} ÷ layers`,
        limit: TIMES_LAYERS[kind],
        found: ratio(steady, turnMicros(samples, 'layers', kind)),
      },
      {
        goal: `${kind} cold ÷ layers cold`,
        limit: COLD_TIMES_LAYERS,
        found: ratio(cold, turnMicros(samples, 'layers', kind, 'coldMicros')),
      },
      {
        goal: `${kind} after a collection ÷ steady`,
        limit: COLLECTED_TIMES_STEADY,
        found: ratio(turnMicros(samples, SUBJECT, kind, 'collectedMicros'), steady),
      },
    ];
  });
}

function ownGoals(samples: readonly Sample[]): Goal[] {
  const own = (measure: MeasureName, figure: string, key = '', adapter = SUBJECT): number | undefined =>
    findFigure(samples, { adapter, measure, key, figure });
  const sessions = (adapter: string) => own('concurrency', 'wallMs', '', adapter);
  return [
    { goal: 'last turn ÷ turn 10', limit: 1.5, found: growthRatio(samples, SUBJECT) },
    { goal: 'KB kept per event', limit: 0.8, found: own('growth', 'heldKbPerEvent') },
    { goal: 'eight parallel tools, ms', limit: 22, found: own('parallel-tools', 'ms') },
    { goal: 'per chunk, µs', limit: 1.5, found: chunkMicros(samples, SUBJECT) },
    { goal: 'first chunk, µs', limit: 10, found: own('overhead', 'firstChunkMicros', 'E') },
    {
      goal: '1,000 sessions ÷ bare',
      limit: SESSIONS_TIMES_BARE,
      found: ratio(sessions(SUBJECT), sessions('bare')),
    },
    { goal: 'cold import, ms', limit: 50, found: own('import-time', 'ms') },
  ];
}
