import type { PendingRequest } from '@adorn/core';

import { seededRandom } from '../seeded-random.js';
import { APPROVERS } from './approver.js';
import type { Death } from './life.js';
import type { Rescue, Way } from './rescue.js';
import { TREE_NAMES, type TreeName, UNDONE } from './trees.js';

/** The ways of a rescue, the likely ones several times. */
const WAYS: readonly Way[] = [
  ...([
    'recover',
    'recover',
    'recover',
    'message',
    'message',
    'answer',
    'answer',
    'answer',
    'resume',
  ] as const),
  ...(['cancelled message', 'cancelled resume'] as const),
];
/** How many processes take up a session. */
const RESCUES = [1, 2, 2, 3, 3] as const;
/** The part of the rounds in which two processes give one answer at the same moment, if something is asked. */
const ANSWERED_TWICE = 0.4;
/** The latest begin of a rescue, in milliseconds. */
const LATEST_MS = 9;
const LATEST_CANCEL_MS = 25;
/** One round of so many has processes of its own, which are killed. */
const REAL_EVERY = 5;

/** What happens in a round. */
export interface Plan {
  readonly seed: number;
  readonly sessionId: string;
  readonly death: Death;
  /** The rescues, once it is known what the dead process left to answer. */
  readonly rescuesOf: (pending: readonly PendingRequest[]) => readonly Rescue[];
  /** True if each process is one of the operating system. */
  readonly isReal: boolean;
}

/** @param writes how many writes a conversation with the tree makes that nobody disturbs */
export function planOf(seed: number, tree: TreeName, writes: number): Plan {
  const random = seededRandom(seed * TREE_NAMES.length + TREE_NAMES.indexOf(tree));
  const pick = (count: number): number => Math.floor(random() * count);
  const behind = 1 + pick(writes);
  const moment = pick(2) === 0 ? 'at once' : 'before the next';
  const isAnsweredTwice = random() < ANSWERED_TWICE;
  const drawn = Array.from({ length: RESCUES[pick(RESCUES.length)] ?? 1 }, (_, index) => ({
    way: WAYS[pick(WAYS.length)] ?? 'recover',
    at: pick(LATEST_MS + 1),
    cancelledAfter: pick(LATEST_CANCEL_MS + 1),
    message: `Are you there, ${String(index)}?`,
    place: random(),
    turn: pick(APPROVERS.length),
  }));
  const [first] = drawn;
  const rescuesOf = (pending: readonly PendingRequest[]): Rescue[] =>
    drawn.map(({ place, ...own }, index) => {
      const isTwin = isAnsweredTwice && index < 2 && pending.length > 0;
      const { way: drawnWay, at } = isTwin ? { way: 'answer' as const, at: first?.at ?? 0 } : own;
      const way = tree === UNDONE && drawnWay === 'message' ? 'undo' : drawnWay;
      if (way !== 'answer') return { ...own, way, at };
      const request = pending[Math.floor((isTwin ? (first?.place ?? 0) : place) * pending.length)];
      return { ...own, way: request ? way : 'recover', at, request };
    });
  return {
    seed,
    sessionId: `s${String(seed)}`,
    death: { behind, moment },
    rescuesOf,
    isReal: isReal(seed),
  };
}

/** True if the round of a seed has processes of its own. */
export function isReal(seed: number): boolean {
  return seed % REAL_EVERY === 0;
}
