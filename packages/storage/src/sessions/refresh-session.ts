import type { Queries } from '../database/database.js';
import type { LiveSession } from './live-session.js';
import { readNewEvents, readOwnState, readSharedState } from './read-session.js';
import { type SessionHead, titleFrom } from './session-head.js';
import type { SharedState } from './shared-state.js';

/** Reads what others have written since: the events that are new, and a state only where its version is a later one. */
export async function refreshSession(
  queries: Queries,
  session: LiveSession,
  head: SessionHead,
): Promise<void> {
  const { own, user, app, no } = session;
  await readNewEvents(queries, session, head.next_seq);
  if (own.version < head.state_version) own.replace(await readOwnState(queries, no), head.state_version);
  await refreshShared(queries, user, head.user_version);
  await refreshShared(queries, app, head.app_version);
  session.title = titleFrom(head.title);
  session.lastUpdateTime = head.updated_at;
}

/** @param version null while nothing was ever written there */
async function refreshShared(queries: Queries, state: SharedState, version: number | null): Promise<void> {
  if (state.version >= (version ?? 0)) return;
  state.replace(version === null ? [] : await readSharedState(queries, state.address), version ?? 0);
}
