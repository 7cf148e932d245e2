import { type OptionFault, shown } from '@adorn/core/backend';
import { Cron } from 'croner';

/** A pattern, and the time zone in which it is read. */
export interface TimedPattern {
  readonly pattern: string;
  readonly timeZone: string;
}

/** Five parts, six with seconds, or a name such as `@daily`. */
const FORM = /^(@[a-z]+|\S+(\s+\S+){4,5})$/;

/** What is wrong with a pattern or its time zone. */
export function patternFault(pattern: unknown, timeZone: string): OptionFault | undefined {
  const cure = "Pass a cron pattern, such as '0 9 * * 1-5'.";
  if (typeof pattern !== 'string' || !FORM.test(pattern.trim()))
    return { fault: `its pattern is ${shown(pattern)}`, cure };
  if (!isTimeZone(timeZone))
    return { fault: `there is no time zone ${shown(timeZone)}`, cure: "Pass one such as 'Europe/Berlin'." };
  try {
    if (nextAfter({ pattern, timeZone }, Date.now()) !== undefined) return undefined;
    return { fault: `the pattern ${shown(pattern)} never comes`, cure };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    return { fault: `the pattern ${shown(pattern)} cannot be read: ${why.replace(/\.$/, '')}`, cure };
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The first time of a pattern after another time, both in milliseconds since 1970; undefined if there is none.
 *
 * Where clocks are set forward, a time that does not exist comes as much later. Where they are set back, a fixed time such as
 * `30 2 * * *` comes once, at the first of its two times, and a repeated one such as `0 * * * *` in each hour that passes.
 */
export function nextAfter(pattern: TimedPattern, after: number): number | undefined {
  return cronOf(pattern).nextRun(new Date(after))?.getTime();
}

/** The times of a pattern after one time and up to another, oldest first: the last ones, if there are more than `most`. */
export function timesBetween(
  pattern: TimedPattern,
  { after, until, most }: { readonly after: number; readonly until: number; readonly most: number },
): number[] {
  const cron = cronOf(pattern);
  const times: number[] = [];
  // Croner looks for times before the one that it is given, to the second.
  let before = until + 1_000;
  while (times.length < most) {
    const time = cron.previousRuns(1, new Date(before))[0]?.getTime();
    if (time === undefined || time <= after) break;
    if (time <= until) times.push(time);
    before = time;
  }
  return times.reverse();
}

function cronOf({ pattern, timeZone }: TimedPattern): Cron {
  return new Cron(pattern.trim(), { timezone: timeZone, mode: '5-or-6-parts', paused: true });
}
