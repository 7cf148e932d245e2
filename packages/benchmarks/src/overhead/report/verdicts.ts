import type { MeasureName } from '../measures/measures.js';
import type { Sample } from '../sample.js';
import { TURN_KINDS, type TurnKind } from '../script.js';
import { bestMicros, growthRatio, ratio, turnMicros } from './derived-figures.js';
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

/** A turn takes microseconds and a model half a second, so a smaller share would be no gain for anybody. */
const SHARE_OF_BEST_PEER = 0.333;
/** 130 ms where the bare loop took 56. */
const SESSIONS_TIMES_BARE = 2.32;

/** The goals that this run can tell of: what was not measured is not judged. */
export function judge(samples: readonly Sample[], peers: readonly string[]): Verdict[] {
  return [...peerGoals(samples, peers), ...ownGoals(samples)].flatMap(({ goal, limit, found }) =>
    found === undefined ? [] : { goal, limit, found, met: found <= limit },
  );
}

function peerGoals(samples: readonly Sample[], peers: readonly string[]): Goal[] {
  const turns = JUDGED.map((kind) => ({
    goal: `${kind} ÷ best peer`,
    limit: SHARE_OF_BEST_PEER,
    found: ratio(turnMicros(samples, SUBJECT, kind), bestMicros(samples, peers, kind)),
  }));
  const firstTurn = (adapter: string) =>
    findFigure(samples, { adapter, measure: 'first-turn', figure: 'ms' });
  const best = Math.min(...peers.map((peer) => firstTurn(peer) ?? Infinity));
  const found = best === Infinity ? undefined : ratio(firstTurn(SUBJECT), best);
  return [...turns, { goal: 'first turn of a process ÷ best peer', limit: 1, found }];
}

function ownGoals(samples: readonly Sample[]): Goal[] {
  const own = (measure: MeasureName, figure: string, key = '', adapter = SUBJECT): number | undefined =>
    findFigure(samples, { adapter, measure, key, figure });
  const sessions = (adapter: string) => own('concurrency', 'wallMs', '', adapter);
  return [
    { goal: 'last turn ÷ turn 10', limit: 1.5, found: growthRatio(samples, SUBJECT) },
    { goal: 'KB kept per event', limit: 0.8, found: own('growth', 'heldKbPerEvent') },
    { goal: 'eight parallel tools, ms', limit: 22, found: own('parallel-tools', 'ms') },
    {
      goal: '1,000 sessions ÷ bare',
      limit: SESSIONS_TIMES_BARE,
      found: ratio(sessions(SUBJECT), sessions('bare')),
    },
    { goal: 'cold import, ms', limit: 50, found: own('import-time', 'ms') },
  ];
}
