import { seededRandom } from '../seeded-random.js';

/** What the messages of a step ask for; each kind is a tool of the desk, but for `say`. */
export const KINDS = [
  'say',
  'note',
  'book',
  'pay',
  'archive',
  'order',
  'both',
  'later',
  'sign',
  'bills',
  'release',
  'file',
] as const;
export type Kind = (typeof KINDS)[number];

/** Messages that are sent behind one another, and what is answered to the last one. */
export interface Step {
  readonly messages: readonly StepMessage[];
  /** The decision about a payment. */
  readonly isApproved: boolean;
  /** True if what the message did is undone behind its end. */
  readonly isUndone: boolean;
  /** True if the last message is submitted once more behind its end. */
  readonly isRepeated: boolean;
}

export interface StepMessage {
  /** Also the id of its invocation; those of the answers to it end with `.a` and `.b`, that of its undo with `.u`. */
  readonly id: string;
  readonly text: string;
  /** Milliseconds before it may begin. */
  readonly delay: number;
}

const LATER_MS = 1500;

/** A step of a session, which the seed decides. Only messages that ask nobody are sent behind one another. */
export function stepOf(seed: number, session: number, step: number): Step {
  const random = seededRandom(seed * 1_000_003 + session * 1009 + step);
  const pick = (count: number): number => Math.floor(random() * count);
  const kind = KINDS[pick(KINDS.length)] ?? 'say';
  const isBatch = kind === 'say' || kind === 'note' || kind === 'book';
  const messages = Array.from({ length: isBatch ? 1 + pick(3) : 1 }, (_, index) => {
    const id = `${String(session)}.${String(step)}.${String(index)}`;
    return { id, text: `${kind} ${id}`, delay: kind === 'later' ? LATER_MS : 0 };
  });
  return { messages, isApproved: random() < 0.7, isUndone: kind === 'file', isRepeated: random() < 0.1 };
}

export function sessionIdOf(session: number): string {
  return `s${String(session)}`;
}

/** The message to which an invocation belongs: itself, or that of the answer or the undo. */
export function messageOf(invocationId: string): string {
  return invocationId.replace(/\.[abu]$/, '');
}

/** The steps of which a log has a message; the last of them may not have ended. */
export function stepsIn(invocationIds: Iterable<string>): number {
  let steps = 0;
  for (const id of invocationIds) steps = Math.max(steps, Number(id.split('.')[1]) + 1);
  return steps;
}
