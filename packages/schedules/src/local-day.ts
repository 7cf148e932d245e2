/** A day in a time zone. */
export interface LocalDay {
  /** Its date there, such as `2026-11-30`. */
  readonly date: string;
  /** When it begins: midnight, or the first moment after it where clocks are set forward at midnight. */
  readonly from: Date;
  /** When the next one begins: 23, 24 or 25 hours later in most zones. It does not belong to the day. */
  readonly until: Date;
}

const MINUTE_MS = 60_000;
/** Longer than any day, also where clocks are changed by a day. In minutes. */
const LONGEST_DAY = 50 * 60;

/** The day of a time in a time zone, and the day before that one. */
export function localDaysOf(time: Date, timeZone: string): { day: LocalDay; dayBefore: LocalDay } {
  const dateOf = dateReader(timeZone);
  // Days begin at whole minutes, in every time zone since 1972.
  const minute = Math.floor(time.getTime() / MINUTE_MS);
  const date = dateOf(minute);
  const from = firstMinute(minute - LONGEST_DAY, minute, (other) => dateOf(other) >= date);
  const until = firstMinute(minute, minute + LONGEST_DAY, (other) => dateOf(other) > date);
  // Not 24 hours before: a day may have 23 hours, or be missing.
  const dateBefore = dateOf(from - 1);
  const fromBefore = firstMinute(from - 1 - LONGEST_DAY, from - 1, (other) => dateOf(other) >= dateBefore);
  return {
    day: { date, from: timeOf(from), until: timeOf(until) },
    dayBefore: { date: dateBefore, from: timeOf(fromBefore), until: timeOf(from) },
  };
}

/** The first minute for which a condition holds, which does not hold at `before` and holds at `after`. */
function firstMinute(before: number, after: number, holds: (minute: number) => boolean): number {
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** @param minute in minutes since 1970 */
function timeOf(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}

/** @returns a function that tells the date of a minute since 1970 */
function dateReader(timeZone: string): (minute: number) => string {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (minute) => {
    const read = new Map(parts.formatToParts(timeOf(minute)).map(({ type, value }) => [type, value]));
    return `${read.get('year') ?? ''}-${read.get('month') ?? ''}-${read.get('day') ?? ''}`;
  };
}
