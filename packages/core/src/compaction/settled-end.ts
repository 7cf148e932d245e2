import type { Event } from '../events/event.js';
import { isFinalResponse } from '../events/is-final-response.js';
import type { Place } from '../events/standing-events.js';
import { unfinishedCalls } from '../events/unfinished-calls.js';

/** What is known of one invocation. */
interface Stretch {
  readonly start: number;
  last: Event;
  hasOpenCall: boolean;
}

/**
 * The place before the invocations at the end of a conversation that are not done: they pause, or were left in the
 * middle, or another process is at them. An older one that was left so holds nothing up.
 */
export function settledEnd(places: readonly Place[]): number {
  let end = places.at(-1)?.seq ?? -1;
  for (const stretch of stretchesOf(places).reverse()) {
    if (isSettled(stretch)) break;
    end = Math.min(end, stretch.start - 1);
  }
  return end;
}

/** In the order in which they began. */
function stretchesOf(places: readonly Place[]): Stretch[] {
  const open = unfinishedCalls(
    places.map(({ event }) => event),
    () => true,
  );
  const stretches = new Map<string, Stretch>();
  for (const [index, { seq, event }] of places.entries()) {
    const stretch = stretches.get(event.invocationId) ?? { start: seq, last: event, hasOpenCall: false };
    stretches.set(event.invocationId, stretch);
    stretch.last = event;
    stretch.hasOpenCall ||= open.has(index);
  }
  return [...stretches.values()];
}

function isSettled({ last, hasOpenCall }: Stretch): boolean {
  return !hasOpenCall && last.author !== 'user' && isFinalResponse(last);
}
