import type { GetSessionOptions, Session, SessionKey } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { readEvents, readOwnState, readSharedStates } from './read-session.js';
import { readHead, titleFrom } from './session-head.js';
import { stateFrom } from './state-rows.js';

/** A session with a part of its log: nothing else of it is read. */
export async function readExcerpt(
  queries: Queries,
  key: SessionKey,
  options: GetSessionOptions,
): Promise<Session | undefined> {
  const head = await readHead(queries, key);
  if (head === undefined) return undefined;
  const shared = await readSharedStates(queries, key);
  const own = await readOwnState(queries, head.no);
  return {
    appName: key.appName,
    userId: key.userId,
    id: key.sessionId,
    title: titleFrom(head.title),
    state: stateFrom([...shared, ...own]),
    events: await readEvents(queries, head.no, options),
    nextSeq: head.next_seq,
    lastUpdateTime: head.updated_at,
  };
}
