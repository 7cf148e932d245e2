import {
  ContainerModule,
  createRunner,
  defineAgent,
  type Runner,
  type SessionKey,
  SessionService,
} from '@adorn/core';
import { eventsOf, says, ScriptedModel } from '@adorn/testing';
import { sql } from 'kysely';

import { describeEachDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import { migrate } from '../migrations/migrate.js';
import { toVersion6 } from '../migrations/earlier-versions.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY: SessionKey = { appName: 'clerk', userId: 'ada', sessionId: 's1' };

describeEachDatabase((_name, open) => {
  it('a rewind after a restart restores keys that createSession wrote', async () => {
    const database = await open();
    const before = await start(database);
    await before.sessions.createSession(KEY, { city: 'Oslo' });
    const stateDelta = { city: 'Rome' };
    const [first] = await eventsOf(before.run({ ...KEY, message: 'First.', stateDelta }));

    const after = await start(database);
    await after.rewind({ ...KEY, invocationId: first!.invocationId });

    expect({ ...(await after.sessions.getSession(KEY))?.state }).toEqual({ city: 'Oslo' });
  });

  it('a rewind restores keys that were written before the database was migrated', async () => {
    const database = await open();
    const older = await start(database);
    await older.sessions.createSession(KEY, { city: 'Oslo', list: [1] });
    await eventsOf(older.run({ ...KEY, message: 'First.', stateDelta: { size: 1 } }));
    await older.close();
    await database.run(async (queries) => {
      await toVersion6(queries, database.dialect);
      await sql`drop table adorn_state_updates`.execute(queries);
      await sql`update adorn_schema set version = 5`.execute(queries);
    });

    expect(await database.run((queries) => migrate(queries, database))).toEqual([
      '006-state-updates',
      '007-runs',
      '008-words-of-owners',
      '009-embedders',
      '010-listings',
      '011-run-holds',
      '012-effects',
      '013-open-requests',
      '014-mail',
    ]);
    const runner = await start(database);
    const stateDelta = { city: 'Rome', list: null, size: 2 };
    const [second] = await eventsOf(runner.run({ ...KEY, message: 'Second.', stateDelta }));
    await runner.rewind({ ...KEY, invocationId: second!.invocationId });

    expect({ ...(await runner.sessions.getSession(KEY))?.state }).toEqual({
      city: 'Oslo',
      list: [1],
      size: 1,
    });
  });

  it('a damaged row fails a rewind by its name, and nothing is undone', async () => {
    const database = await open();
    const runner = await start(database);
    await runner.sessions.createSession(KEY, { city: 'Oslo' });
    const [first] = await eventsOf(runner.run({ ...KEY, message: 'First.', stateDelta: { city: 'Rome' } }));
    await database.run((queries) => queries.updateTable('adorn_state_updates').set({ value: '{' }).execute());

    await expect(runner.rewind({ ...KEY, invocationId: first!.invocationId })).rejects.toMatchObject({
      code: 'STORAGE_ROW_DAMAGED',
      message: expect.stringContaining('key "city" of the table adorn_state_updates'),
    });
    expect(await runner.sessions.getSession(KEY)).toMatchObject({ nextSeq: 2, state: { city: 'Rome' } });
  });
});

/** A process of its own as far as its sessions are concerned: nothing is cached yet. */
function start(database: Database): Promise<Runner> {
  const sessions = new SqlSessionService(database);
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  const model = new ScriptedModel(says('One.'), says('Two.'));
  return createRunner(defineAgent({ name: 'clerk' }), { model, modules });
}
