import type { Event, Session } from '@adorn/core';
import type { SessionSummary } from '@adorn/core/backend';

import { eventJson } from '../frames/event-json.js';
import { serverSentEvent } from '../frames/server-sent-event.js';

/** The JSON of an event for adk-web. `longRunningToolIds` is always there, as on Google's servers. */
export function adkEvent(event: Event): Record<string, unknown> {
  return { longRunningToolIds: [], ...eventJson(event) };
}

/**
 * A session for adk-web, with its events if it has them. Its name is where adk-web keeps it.
 *
 * @param title of a session that was just renamed. Default: its own
 */
export function adkSession(
  session: SessionSummary & Partial<Pick<Session, 'events'>>,
  title = session.title,
) {
  const { id, appName, userId, state, lastUpdateTime, events = [] } = session;
  const metadata = state[METADATA] as object | undefined;
  const named = title === undefined ? state : { ...state, [METADATA]: { ...metadata, displayName: title } };
  return { id, appName, userId, state: named, events: events.map(adkEvent), lastUpdateTime };
}

/** The key under which adk-web keeps the name of a session. */
const METADATA = '__session_metadata__';

/** The name of a session that a client of adk-web writes; undefined if it writes none. */
export function displayNameOf(state: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { displayName } = (state?.[METADATA] ?? {}) as { displayName?: unknown };
  return typeof displayName === 'string' ? displayName : undefined;
}

/**
 * An event as server-sent events of adk-web, which shows the content of an event or its artifacts, not both: such an
 * event is sent in two parts. Clients of the ADK read events that begin with `data: ` and have no other line.
 */
export function adkEventText(event: Event): string {
  const json = adkEvent(event);
  const hasBoth = event.content !== undefined && Object.keys(event.actions.artifactDelta).length > 0;
  if (!hasBoth) return serverSentEvent(json);
  const actions = json['actions'] as object;
  const shown = { ...json, actions: { ...actions, artifactDelta: {} } };
  const saved = { ...json, content: undefined };
  return serverSentEvent(shown) + serverSentEvent(saved);
}
