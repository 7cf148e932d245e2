import type { SessionKey } from '@adorn/core';

import { storedName } from '../database/stored-name.js';

/** A query that has the columns of a session's address. */
interface Addressed<Query> {
  where(column: 'app' | 'user_id' | 'id', operator: '=', name: string): Query;
}

/** The one session of that address. Every query that names a session goes through its owner. */
export function whereKey<Query extends Addressed<Query>>(query: Query, key: SessionKey): Query {
  return query
    .where('app', '=', storedName(key.appName))
    .where('user_id', '=', storedName(key.userId))
    .where('id', '=', storedName(key.sessionId));
}
