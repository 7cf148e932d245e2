import type { Event } from '@adorn/core';
import type { AgentContext } from '@adorn/core/backend';

import { eventsOfTurns } from './extractor.js';
import type { Memory } from './live-memory.js';
import type { DeclaredWatch } from './phase.decorator.js';
import { stateView } from './state-view.js';
import { millisecondsOf } from './watch-predicates.js';

/** The watchers to call at the end of a turn, and what is remembered for the next one. */
export interface ObservedTurn {
  readonly met: readonly DeclaredWatch[];
  readonly memory: Pick<Memory, 'seen' | 'counted' | 'since' | 'fired' | 'last'>;
}

/** Compares the state and the events of a turn with what watchers wait for. */
export function observeTurn(
  watches: readonly DeclaredWatch[],
  context: AgentContext,
  memory: Memory,
): ObservedTurn {
  const at = Date.now() / 1000;
  const state = stateView<Record<string, unknown>>(context);
  const turn = { events: eventsSince(memory.last, context.events), state };
  const seen: Record<string, unknown> = {};
  const counted: Record<string, readonly number[]> = {};
  const since: Record<string, number> = {};
  const fired = { ...memory.fired };
  const met: DeclaredWatch[] = [];
  for (const one of watches) {
    const { method, key, predicate, options } = one;
    let before: unknown;
    let now: unknown;
    if (key !== undefined) {
      before = memory.seen[key];
      now = state[key];
      seen[key] = now ?? null;
    }
    if (predicate.condition?.(state) === true) since[method] = memory.since[method] ?? at;
    if (predicate.count) counted[method] = predicate.count(memory.counted?.[method] ?? [], turn);
    const began = since[method];
    const heldMs = began === undefined ? undefined : (at - began) * 1000;
    const isMet = predicate.isMet({ before, now, heldMs, counted: counted[method] ?? [], at });
    if (isMet && predicate.count) since[method] = memory.since[method] ?? at;
    const last = fired[method] ?? -Infinity;
    const isCooling = (at - last) * 1000 < millisecondsOf(options.cooldown ?? 0);
    if (!isMet || isCooling) continue;
    // What goes on holding is reported once, and again after its cooldown.
    const goesOn = last >= (since[method] ?? Infinity);
    if (goesOn && options.cooldown === undefined) continue;
    fired[method] = at;
    met.push(one);
  }
  return { met, memory: { seen, counted, since, fired, last: context.events.at(-1)?.id } };
}

/** What came after an event; of a log without it, the last turn. */
export function eventsSince(last: string | undefined, events: readonly Event[]): readonly Event[] {
  const index = events.findLastIndex(({ id }) => id === last);
  return index === -1 ? eventsOfTurns(events, 1) : events.slice(index + 1);
}
