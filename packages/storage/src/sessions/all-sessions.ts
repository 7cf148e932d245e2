import type { AllSessionsQuery, ListedSession } from '@adorn/core/backend';

import type { Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';

/** How many rows are read at once. */
const PAGE = 500;

type Read = <Rows>(read: (queries: Queries) => Promise<Rows>) => Promise<Rows>;

/** The sessions of all users of an application, page by page, in the order of their numbers. */
export async function* allSessions(
  read: Read,
  appName: string,
  { updatedBefore }: AllSessionsQuery,
): AsyncGenerator<ListedSession> {
  for (let after = 0; ;) {
    const rows = await read((queries) => pageAfter(queries, storedName(appName), after, updatedBefore));
    for (const { user_id: userId, id, updated_at: lastUpdateTime } of rows)
      yield { appName, userId: nameFrom(userId), sessionId: nameFrom(id), lastUpdateTime };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.no;
  }
}

function pageAfter(queries: Queries, app: string, after: number, updatedBefore: number | undefined) {
  const page = queries
    .selectFrom('adorn_sessions')
    .select(['no', 'user_id', 'id', 'updated_at'])
    .where('app', '=', app)
    .where('no', '>', after)
    .orderBy('no')
    .limit(PAGE);
  return (updatedBefore === undefined ? page : page.where('updated_at', '<', updatedBefore)).execute();
}
