import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  Model,
  type ModelRequest,
  type Runner,
  SessionService,
} from '@adorn/core';

import type { Database } from '../database/database.js';
import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const RUNS = 12;

describeEachDatabase((_name, open) => {
  it('resumes each run whose process died once, where two processes recover at once', async () => {
    const database = await open();
    const model = new CountingModel();
    await crash(database);
    const workers = await Promise.all([workerOn(database, model), workerOn(database, model)]);

    const recovered = (await Promise.all(workers.map((worker) => worker.recover()))).flat();

    expect(recovered.map(({ outcome }) => outcome)).toEqual(Array.from({ length: RUNS }, () => 'resumed'));
    expect(new Set(recovered.map(({ sessionId }) => sessionId)).size).toBe(RUNS);
    expect(model.calls).toBe(RUNS);
    const [worker] = workers;
    expect(await worker.recover({ olderThan: 0 })).toEqual([]);
    const session = await worker.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's0' });
    expect(session?.events.map(({ author, text }) => [author, text])).toEqual([
      ['user', 'Hello?'],
      ['clerk', 'Hello.'],
    ]);
  });
});

class CountingModel extends Model {
  readonly name = 'counting';
  calls = 0;

  async *generate(_request: ModelRequest) {
    this.calls++;
    yield await Promise.resolve({ content: { role: 'model', parts: [{ text: 'Hello.' }] } });
  }
}

/** A process has sessions of its own in memory. */
function workerOn(database: Database, model: Model): Promise<Runner> {
  const sessions = new SqlSessionService(database);
  return createRunner(defineAgent({ name: 'clerk', model }), {
    appName: 'clerk',
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
  });
}

async function crash(database: Database): Promise<void> {
  const sessions = new SqlSessionService(database);
  for (let index = 0; index < RUNS; index++) {
    const key = { appName: 'clerk', userId: 'ada', sessionId: `s${String(index)}` };
    const session = await sessions.createSession(key);
    const [id, at] = [`e-${String(index)}`, Date.now() / 1000 - 600];
    const content = { role: 'user', parts: [{ text: 'Hello?' }] };
    const event = new Event({ invocationId: id, timestamp: at, author: 'user', content });
    await sessions.appendEvent(session, event, { opens: { id, after: 0, at } });
  }
}
