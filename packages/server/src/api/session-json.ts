import { effectiveEvents, type Event, type Session, type SessionSummary } from '@adorn/core';

import type { SessionJson } from '../frames/frame.js';
import { toWire } from '../frames/to-wire.js';

/** A session for clients of Adorn. */
export function sessionJson({
  id,
  appName,
  userId,
  title,
  state,
  lastUpdateTime,
}: SessionSummary): SessionJson {
  return { id, appName, userId, title: title ?? adkTitle(state), state, lastUpdateTime };
}

/** The name that adk-web gives to a session. */
function adkTitle(state: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = state['__session_metadata__'] as { displayName?: unknown } | null | undefined;
  return typeof metadata?.displayName === 'string' ? metadata.displayName : undefined;
}

/** The frames of a conversation, without what a rewind undid. */
export function historyFrames({ events }: Session) {
  return effectiveEvents(events).flatMap((event: Event) => toWire(event));
}
