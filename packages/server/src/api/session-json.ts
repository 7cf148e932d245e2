import type { Event, Session } from '@adorn/core';
import { effectiveEvents, type SessionSummary } from '@adorn/core/backend';

import { displayNameOf } from '../adk/adk-json.js';
import type { SessionJson } from '../frames/frame.js';
import { toWire } from '../frames/to-wire.js';

/**
 * A session for clients of Adorn.
 *
 * @param title of a session that was just renamed. Default: its own
 */
export function sessionJson(session: SessionSummary, title = session.title): SessionJson {
  const { id, appName, userId, state, lastUpdateTime } = session;
  return { id, appName, userId, title: title ?? displayNameOf(state), state, lastUpdateTime };
}

/** The frames of a conversation, without what a rewind undid. */
export function historyFrames({ events }: Session) {
  return effectiveEvents(events).flatMap((event: Event) => toWire(event));
}
