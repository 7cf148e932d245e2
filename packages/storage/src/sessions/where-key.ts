import type { SessionKey } from '@adorn/core';

import { storedName } from '../database/stored-name.js';

/** A query with the columns of a session key. */
interface Addressed<Query> {
  where(column: 'app' | 'user_id' | 'id', operator: '=', name: string): Query;
}

/** Selects one session. Every query for a session includes its owner. */
export function whereKey<Query extends Addressed<Query>>(query: Query, key: SessionKey): Query {
  return query
    .where('app', '=', storedName(key.appName))
    .where('user_id', '=', storedName(key.userId))
    .where('id', '=', storedName(key.sessionId));
}
