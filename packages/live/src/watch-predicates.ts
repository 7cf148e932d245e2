import type { Event } from '@adorn/core';

/** What a watcher compares. */
export interface Observation {
  /** The value of the key at the end of the turn before, and now; undefined for a watcher without a key. */
  readonly before: unknown;
  readonly now: unknown;
  /** Milliseconds since the condition has held without a break; undefined if it does not hold. */
  readonly heldMs: number | undefined;
  /** What the predicate has counted, with this turn. Empty if it counts nothing. */
  readonly counted: readonly number[];
  /** When the turn ended, in seconds since 1970. */
  readonly at: number;
}

/** A turn that has ended, for predicates that count. */
export interface EndedTurn {
  /** What the turn has added to the conversation. */
  readonly events: readonly Event[];
  readonly state: Record<string, unknown>;
}

/** How a watched value has to change. */
export interface WatchPredicate {
  readonly isMet: (seen: Observation) => boolean;
  /** The tool whose responses are counted. It is one of the agent's. */
  readonly tool?: string;
  /** The condition over the state whose duration is measured. */
  readonly condition?: (state: Record<string, unknown>) => boolean;
  /** Milliseconds that the condition has to hold: in a live session, it is looked at again when they are over. */
  readonly least?: number;
  /** Goes on counting at the end of a turn: what was counted before, which is stored, and what is from now on. */
  readonly count?: (before: readonly number[], turn: EndedTurn) => readonly number[];
}

/** The value is another one. */
export function changed(): WatchPredicate {
  return { isMet: ({ before, now }) => !isSame(before, now) };
}

/** The value has become this one. */
export function changedTo(value: unknown): WatchPredicate {
  return { isMet: ({ before, now }) => !isSame(before, now) && isSame(now, value) };
}

/** The value was this one, and is not any more. */
export function changedFrom(value: unknown): WatchPredicate {
  return { isMet: ({ before, now }) => !isSame(before, now) && isSame(before, value) };
}

/** The number was below the threshold, or absent, and is not below it now. */
export function crossedAbove(threshold: number): WatchPredicate {
  return {
    isMet: ({ before, now }) =>
      isNumber(now) && now >= threshold && !(isNumber(before) && before >= threshold),
  };
}

/** The number was not below the threshold, or absent, and is below it now. */
export function crossedBelow(threshold: number): WatchPredicate {
  return {
    isMet: ({ before, now }) => isNumber(now) && now < threshold && !(isNumber(before) && before < threshold),
  };
}

/** The value has become true; an absent value was not true. */
export function becameTrue(): WatchPredicate {
  return { isMet: ({ before, now }) => before !== true && now === true };
}

/** The value was true, and is not any more. */
export function becameFalse(): WatchPredicate {
  return { isMet: ({ before, now }) => before === true && now !== true };
}

/**
 * The condition has held for a while without a break, from the end of the first turn at which it was true. It is looked at
 * when a turn ends, and in a live session when the while is over, also in silence.
 *
 * @param duration milliseconds, or a text such as `20s`
 */
export function sustained<State extends object = Record<string, unknown>>(
  condition: (state: Partial<State>) => boolean,
  duration: number | string,
): WatchPredicate {
  const least = millisecondsOf(duration);
  return {
    condition: condition as (state: Record<string, unknown>) => boolean,
    least,
    isMet: ({ heldMs = NaN }) => heldMs >= least,
  };
}

/** The condition has held at the ends of so many turns in a row. */
export function turns<State extends object = Record<string, unknown>>(
  condition: (state: Partial<State>) => boolean,
  count: number,
): WatchPredicate {
  return {
    count: ([before = 0], { state }) => [condition(state as Partial<State>) ? before + 1 : 0],
    isMet: ({ counted: [inARow = 0] }) => inARow >= count,
  };
}

/**
 * So many events of a kind have come within a while, such as three refusals in a minute.
 *
 * @param isCounted whether an event of the conversation counts
 * @param window milliseconds, or a text such as `1m`
 */
export function rate(
  isCounted: (event: Event) => boolean,
  count: number,
  window: number | string,
): WatchPredicate {
  const seconds = millisecondsOf(window) / 1000;
  return {
    count: (before, { events }) =>
      [...before, ...events.filter(isCounted).map(({ timestamp }) => timestamp)].slice(-count),
    isMet: ({ counted: [first = 0, ...others], at }) => others.length === count - 1 && at - first <= seconds,
  };
}

/** A tool has failed so many times in a row, in the background too. */
export function failures(tool: string, count: number): WatchPredicate {
  return {
    tool,
    count: ([before = 0], { events }) => {
      const responses = events.flatMap(({ functionResponses }) => functionResponses);
      // What says that the call goes on is no result.
      const own = responses.filter(({ name, willContinue }) => name === tool && willContinue !== true);
      return [own.reduce((inARow, { response = {} }) => ('error' in response ? inARow + 1 : 0), before)];
    },
    isMet: ({ counted: [inARow = 0] }) => inARow >= count,
  };
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** @throws {RangeError} for a text that is no duration */
export function millisecondsOf(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration);
  if (!match)
    throw new RangeError(
      `"${duration}" is no duration. Write a number of milliseconds, or a text such as '20s' or '1m'.`,
    );
  const [, amount, unit] = match as readonly string[] as readonly [string, string, keyof typeof UNITS];
  return Number(amount) * UNITS[unit];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
