import type { SessionKey } from '@adorn/core';
import type { Mail } from '@adorn/core/backend';

import type { Database, Queries } from '../../database/database.js';
import { storedObject } from '../../database/stored-json.js';
import { nameFrom, storedName } from '../../database/stored-name.js';
import { whereKey } from '../where-key.js';

/** Stores a mail, unless it is there already. False if there is no such session. */
export async function insertMail(
  queries: Queries,
  key: SessionKey,
  { id, body }: Pick<Mail, 'id' | 'body'>,
): Promise<boolean> {
  const inserted = await queries
    .insertInto('adorn_mail')
    .columns(['session_no', 'id', 'body'])
    .expression((eb) =>
      whereKey(
        eb
          .selectFrom('adorn_sessions')
          .select((column) => [
            column.ref('no').as('session_no'),
            column.val(storedName(id)).as('id'),
            column.val(JSON.stringify(body)).as('body'),
          ]),
        key,
      ),
    )
    .onConflict((taken) => taken.columns(['session_no', 'id']).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return true;
  const sessions = queries.selectFrom('adorn_sessions').select('no');
  return (await whereKey(sessions, key).executeTakeFirst()) !== undefined;
}

/** The mail of a session in the order in which it was stored. */
export async function listMail(queries: Queries, no: number): Promise<Mail[]> {
  const rows = await queries
    .selectFrom('adorn_mail')
    .select(['id', 'body', 'refusal'])
    .where('session_no', '=', no)
    .orderBy('no')
    .execute();
  return rows.map(({ id, body, refusal }) => ({
    id: nameFrom(id),
    body: storedObject(body, 'adorn_mail', () => nameFrom(id)) as Mail['body'],
    refusal: refusal ?? undefined,
  }));
}

/** False if the mail is gone. */
export async function deleteMail(queries: Queries, no: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('adorn_mail')
    .where('session_no', '=', no)
    .where('id', '=', storedName(id))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function refuseMail(queries: Queries, no: number, id: string, refusal: string): Promise<void> {
  await queries
    .updateTable('adorn_mail')
    .set({ refusal })
    .where('session_no', '=', no)
    .where('id', '=', storedName(id))
    .execute();
}

/** The numbers of those sessions that have mail: one look into an index for each, and for all in a table that is empty. */
export async function sessionsWithMail(
  database: Database,
  numbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await database.run((queries) =>
    queries
      .selectFrom('adorn_mail')
      .select('session_no')
      .distinct()
      .where('session_no', 'in', numbers)
      .execute(),
  );
  return new Set(rows.map(({ session_no }) => session_no));
}

/** The sessions of an application that have mail, the oldest mail first. */
export async function listMailboxes(queries: Queries, appName: string): Promise<SessionKey[]> {
  const rows = await queries
    .selectFrom('adorn_mail as mail')
    .innerJoin('adorn_sessions as session', 'session.no', 'mail.session_no')
    .select(['session.app', 'session.user_id', 'session.id'])
    .select(({ fn }) => fn.min('mail.no').as('first'))
    .where('session.app', '=', storedName(appName))
    .groupBy(['session.app', 'session.user_id', 'session.id'])
    .orderBy('first')
    .execute();
  return rows.map(({ app, user_id, id }) => ({
    appName: nameFrom(app),
    userId: nameFrom(user_id),
    sessionId: nameFrom(id),
  }));
}
