import { Event, type SessionKey } from '@adorn/core';
import { PostgresServer } from '@adorn/testing/servers';
import pg from 'pg';
import { sql } from 'kysely';

import { SqlSessionService } from '../../sessions/sql-session.service.js';
import { Database } from '../database.js';
import { PREPARED, StatementNames } from './statement-names.js';

const KEY: SessionKey = { appName: 'shop', userId: 'ada', sessionId: 's1' };

describe('prepared statements', () => {
  it('have one name for one text, until a pooler refuses them; others have none', () => {
    const names = new StatementNames();
    const text = `${PREPARED} select 1`;

    expect(names.nameOf(text)).toMatch(/^adorn_[\da-f]{32}$/);
    expect(new StatementNames().nameOf(text)).toBe(names.nameOf(text));
    expect(names.nameOf(`${text}, 2`)).not.toBe(names.nameOf(text));
    expect(names.nameOf('select 1')).toBeUndefined();
    names.forget();
    expect(names.nameOf(text)).toBeUndefined();
  });

  it('are sent as others where the connection has lost them, and nothing is written twice', async () => {
    const server = await PostgresServer.start({ settings: { fsync: 'off' } });
    const database = new Database(server.url(), { poolSize: 1 });
    const sessions = new SqlSessionService(database);
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent(session, said('one'));
    await database.run((queries) => sql`deallocate all`.execute(queries));

    await sessions.appendEvent(session, said('two'));
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await sessions.appendEvent(session, said('three'));

    expect(query.mock.calls.map(([first]) => typeof first)).toEqual(['string']);
    query.mockRestore();
    const found = await new SqlSessionService(database).getSession(KEY);
    expect(found?.events.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    await database.close();
    await server.stop();
  }, 60_000);

  it('are sent as others in a snapshot, which is read again', async () => {
    const server = await PostgresServer.start({ settings: { fsync: 'off' } });
    const database = new Database(server.url(), { poolSize: 1 });
    const session = await new SqlSessionService(database).createSession(KEY, { a: 1 });
    await new SqlSessionService(database).appendEvent(session, said('one'));
    expect(await new SqlSessionService(database).getSession(KEY, { numRecentEvents: 9 })).toBeDefined();
    await database.run((queries) => sql`deallocate all`.execute(queries));

    const found = await new SqlSessionService(database).getSession(KEY, { numRecentEvents: 9 });

    expect([found?.nextSeq, { ...found?.state }]).toEqual([1, { a: 1 }]);
    await database.close();
    await server.stop();
  }, 60_000);
});

function said(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}
