import { Event, type SessionKey } from '@adorn/core';
import { openRequestsOf } from '@adorn/core/backend';
import { sql } from 'kysely';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { toVersion12 } from '../migrations/earlier-versions.fixture.js';
import { migrate } from '../migrations/migrate.js';
import { SqlSessionService } from './sql-session.service.js';

const APP = 'shop';

describeEachDatabase((_name, open) => {
  it('lists what two processes have asked and answered, whoever of them knows it', async () => {
    const database = await open();
    const [one, other] = [new SqlSessionService(database), new SqlSessionService(database)];
    const session = await one.createSession(keyOf('s1'));
    const elsewhere = (await other.getSession(keyOf('s1')))!;
    await one.appendEvents(session, asksAbout('c1'));
    expect(await idsOf(other)).toEqual(['q-c1']);

    // The other process has not read what it settles, nor what is asked behind its back.
    await other.appendEvent(elsewhere, settles('c1'));
    expect(await idsOf(one)).toEqual([]);
    await one.appendEvents(session, asksAbout('c2'));
    await other.appendEvents(elsewhere, asksAbout('c3'));

    expect([await idsOf(one), await idsOf(other)]).toEqual([
      ['q-c2', 'q-c3'],
      ['q-c2', 'q-c3'],
    ]);
  });

  it('closes a request that a run settles without having read it', async () => {
    const database = await open();
    const [run, other] = [new SqlSessionService(database), new SqlSessionService(database)];
    const [call, question] = asksAbout('c1') as [Event, Event];
    const session = await run.createSession(keyOf('s1'));
    await run.appendEvent(session, call, { opens: { id: 'e-1', after: 0, at: 1 } });
    await other.appendEvent((await other.getSession(keyOf('s1')))!, question);
    expect(await idsOf(other)).toEqual(['q-c1']);

    await run.appendEvent(session, settles('c1'), { epoch: 1 });

    expect(await idsOf(other)).toEqual([]);
  });

  it('marks a session with the event that asks: a process that ends then has told the others', async () => {
    const database = await open();
    const writer = new SqlSessionService(database);
    await writer.appendEvents(await writer.createSession(keyOf('s1')), asksAbout('c1'));

    const marked = await database.run((queries) => queries.selectFrom('adorn_asking').selectAll().execute());

    expect(marked).toMatchObject([{ touched_seq: 2, indexed_seq: 0 }]);
  });

  it('leaves no row of a session that waits for nobody', async () => {
    const database = await open();
    const sessions = new SqlSessionService(database);
    const session = await sessions.createSession(keyOf('s1'));
    await sessions.appendEvents(session, asksAbout('c1'));
    expect(await idsOf(sessions)).toEqual(['q-c1']);

    await sessions.appendEvent(session, settles('c1'), { expectedSeq: 2 });

    for (const table of ['adorn_asking', 'adorn_open_requests'] as const)
      expect(
        await database.run((queries) => queries.selectFrom(table).select('session_no').execute()),
      ).toEqual([]);
  });

  it('finds the requests of a database of an earlier version, and of one with a damaged session', async () => {
    const database = await open();
    const writer = new SqlSessionService(database);
    for (const id of ['open', 'settled', 'damaged'])
      await writer.appendEvents(await writer.createSession(keyOf(id)), asksAbout(id));
    await writer.appendEvent((await writer.getSession(keyOf('settled')))!, settles('settled'));
    await database.run(async (queries) => {
      await toVersion12(queries);
      expect(await migrate(queries, database)).toEqual(['013-open-requests', '014-mail']);
      await sql`update adorn_events set body = '{'
        where seq = 0 and session_no = (select no from adorn_sessions where id = 'damaged')`.execute(queries);
    });

    const sessions = new SqlSessionService(database);

    expect(await idsOf(sessions)).toEqual(['q-open']);
    const session = await sessions.getSession(keyOf('open'));
    expect(await sessions.listOpenRequests({ appName: APP })).toEqual(openRequestsOf(session!));
  });
});

function keyOf(sessionId: string): SessionKey {
  return { appName: APP, userId: 'ada', sessionId };
}

async function idsOf(sessions: SqlSessionService): Promise<string[]> {
  return (await sessions.listOpenRequests({ appName: APP })).map(({ id }) => id);
}

const HEAD = { invocationId: 'e-1', author: 'clerk' };
let now = 1_700_000_000;

function asksAbout(id: string): Event[] {
  const functionCall = { id, name: 'export', args: {} };
  const args = {
    originalFunctionCall: functionCall,
    toolConfirmation: { hint: 'Run it?', confirmed: false },
  };
  const question = { id: `q-${id}`, name: 'adk_request_confirmation', args };
  const timestamp = now++;
  return [
    new Event({ ...HEAD, timestamp, content: { role: 'model', parts: [{ functionCall }] } }),
    new Event({
      ...HEAD,
      timestamp,
      content: { role: 'user', parts: [{ functionCall: question }] },
      longRunningToolIds: [question.id],
    }),
  ];
}

function settles(id: string): Event {
  const functionResponse = { id, name: 'export', response: { result: 'done' } };
  return new Event({ ...HEAD, content: { role: 'user', parts: [{ functionResponse }] } });
}
