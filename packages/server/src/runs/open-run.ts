import type { Event, Runner, SessionKey } from '@adorn/core';

import type { ActiveRuns } from './active-runs.js';
import { followStored, isShown } from './follow-stored.js';
import type { RunReader } from './run-reader.js';

/** A run of a session that goes on, here or in another process, to be read from its beginning, or from the answer that it goes on with. */
export interface OpenRun {
  readonly invocationId: string;
  /** Whether its readers get an event. */
  shows(event: Event): boolean;
  follow(): Promise<RunReader>;
}

/** Undefined if no run of the session goes on, in whatever process: none was begun, it has ended, or its process died. */
export async function findOpenRun(
  { runs, recoveryMs }: { readonly runs: ActiveRuns; readonly recoveryMs: number },
  runner: Runner<unknown>,
  key: SessionKey,
): Promise<OpenRun | undefined> {
  const [feed] = runs.ofSession(key);
  if (feed)
    return {
      invocationId: feed.invocationId,
      shows: ({ id }) => feed.has(id),
      follow: () => Promise.resolve(feed.follow()),
    };
  const { userId, sessionId } = key;
  const open = await runner.findOpenRun({ userId, sessionId });
  if (!open || (open.place !== 'here' && open.place !== 'elsewhere')) return undefined;
  const { invocationId } = open;
  const session = await runner.sessions.getSession(key);
  const before = untilAnswered(session?.events ?? [], invocationId).filter((event) =>
    isShown(event, invocationId),
  );
  const seen = new Set(before.map(({ id }) => id));
  return {
    invocationId,
    shows: (event) => isShown(event, invocationId) && !seen.has(event.id),
    follow: () => followStored(runner, key, { invocationId, afterEventId: before.at(-1)?.id, recoveryMs }),
  };
}

/** The events up to the last answer that a run goes on with; none for a run that no request has interrupted. */
function untilAnswered(events: readonly Event[], invocationId: string): readonly Event[] {
  const answered = events.findLastIndex(
    (event) =>
      event.author === 'user' && event.invocationId === invocationId && event.functionResponses.length > 0,
  );
  return events.slice(0, answered + 1);
}
