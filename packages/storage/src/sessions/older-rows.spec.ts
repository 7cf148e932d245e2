import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  type SessionKey,
  SessionService,
} from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY: SessionKey = { appName: 'clerk', userId: 'ada', sessionId: 's1' };
const HEAD = { invocationId: 'e-1', author: 'clerk', id: 'a1', timestamp: 12 };

/** Rows as versions wrote them that stored a content as it came. */
const BODIES: readonly [string, unknown][] = [
  [
    'a null response',
    { ...HEAD, content: { role: 'model', parts: [{ text: 'Hi', functionResponse: null }] } },
  ],
  ['a null call', { ...HEAD, content: { role: 'model', parts: [{ text: 'Hi', functionCall: null }] } }],
  ['a null part', { ...HEAD, content: { role: 'model', parts: [null] } }],
  ['null parts', { ...HEAD, content: { role: 'model', parts: null } }],
  ['a null content', { ...HEAD, content: null }],
  ['null lists', { ...HEAD, actions: null, longRunningToolIds: null }],
];

describeEachDatabase((_name, open) => {
  it.each(BODIES)('a row with %s is read, and its session goes on', async (_what, body) => {
    const database = await open();
    const writer = new SqlSessionService(database);
    await writer.appendEvent(await writer.createSession(KEY), new Event(HEAD));
    await database.run((queries) =>
      queries
        .updateTable('adorn_events')
        .set({ body: JSON.stringify(body) })
        .execute(),
    );
    const model = new ScriptedModel(says('Fine.'));
    const modules = [bound(new SqlSessionService(database))];
    const runner = await createRunner(defineAgent({ name: 'clerk' }), { model, modules });

    expect(await runner.ask('How are you?', KEY)).toBe('Fine.');
    expect(await runner.pending(KEY)).toEqual([]);
  });
});

function bound(sessions: SessionService): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
  });
}
