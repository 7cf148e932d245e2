import type { GetSessionOptions, Session, SessionKey } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { readEvents, readOwnState, readSharedState } from './read-session.js';
import { readHead, titleFrom } from './session-head.js';
import { addressOfApp, addressOfUser } from './shared-state.js';

/** A session with a part of its log: nothing else of it is read. */
export async function readExcerpt(
  queries: Queries,
  key: SessionKey,
  options: GetSessionOptions,
): Promise<Session | undefined> {
  const head = await readHead(queries, key);
  if (head === undefined) return undefined;
  const state = Object.create(null) as Record<string, unknown>;
  const entries = [
    ...(await readSharedState(queries, addressOfApp(key))),
    ...(await readSharedState(queries, addressOfUser(key))),
    ...(await readOwnState(queries, head.no)),
  ];
  for (const [name, value] of entries) state[name] = value;
  return {
    appName: key.appName,
    userId: key.userId,
    id: key.sessionId,
    title: titleFrom(head.title),
    state: Object.freeze(state),
    events: await readEvents(queries, head.no, options),
    nextSeq: head.next_seq,
    lastUpdateTime: head.updated_at,
  };
}
