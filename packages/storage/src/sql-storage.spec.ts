import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agent, createRunner, defineTool, LlmAgent, type RunConfig, type Runner } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { PostgresServer } from '@adorn/testing/servers';

import { StorageUrlInvalidError } from './errors/errors.js';
import { sqlStorage } from './sql-storage.js';

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
  confirm: true,
  run: ({ cents }) => ({ refunded: cents }),
});

@agent({ name: 'clerk', description: 'Refunds.', tools: [refund] })
class Clerk extends LlmAgent {}

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const folder = mkdtempSync(join(tmpdir(), 'adorn-storage-'));
let server: PostgresServer;
const runners: Runner[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { fsync: 'off' } });
});

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['a SQLite file', () => join(folder, 'app.db')],
  ['a PostgreSQL server', () => server.url()],
])('two runners on %s', (_what, url) => {
  it('continue one conversation, and what one asks the other is told', async () => {
    const first = await start(url(), says('Good morning.'), callsTool('refund', { cents: 500 }));
    await first.sessions.createSession({ appName: 'clerk', ...ADDRESS }, { 'user:theme': 'dark' });
    await eventsOf(first.run({ ...ADDRESS, message: 'Hello', stateDelta: { city: 'Oslo' } }));
    await eventsOf(first.run({ ...ADDRESS, message: 'Refund me' }));
    const second = await start(url(), says('Done.'));

    const [request, ...others] = await second.pending(ADDRESS);
    if (request === undefined) throw new Error('Nothing is pending.');
    const events = await eventsOf(second.approve(request, { by: 'eve' }));

    expect(others).toEqual([]);
    expect(events.map(({ text, functionResponses }) => functionResponses[0]?.response ?? text)).toEqual([
      { refunded: 500 },
      'Done.',
    ]);
    const seen = await first.sessions.getSession({ appName: 'clerk', ...ADDRESS });
    expect(seen?.events.at(-1)?.text).toBe('Done.');
    expect({ ...seen?.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark' });
    expect(await first.pending(ADDRESS)).toEqual([]);
  });

  it('let one of two answer a request', async () => {
    const address = { userId: 'ada', sessionId: 's2' };
    const asking = await start(url(), callsTool('refund', { cents: 500 }));
    await eventsOf(asking.run({ ...address, message: 'Refund me' }));
    const answering = await Promise.all([start(url(), says('Done.')), start(url(), says('Done.'))]);
    const requests = await Promise.all(answering.map((runner) => runner.pending(address)));

    const outcomes = await Promise.allSettled(
      answering.map((runner, index) => eventsOf(runner.approve(requests[index]![0]!, { by: 'eve' }))),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'REQUEST_NOT_PENDING' },
    });
  });

  it('run one after the other in a session, and both answers are in the log', async () => {
    const address = { userId: 'ada', sessionId: 's5' };
    const begun = deferred();
    const answered = deferred();
    const slow = await start(url(), () => (begun.resolve(), answered.promise.then(() => says('First.'))));
    const model = new ScriptedModel(says('Second.'));
    const late = await begin(url(), model, { takeOverAfter: Infinity });
    const first = eventsOf(slow.run({ ...address, message: 'One' }));
    await begun.promise;

    const second = eventsOf(late.run({ ...address, message: 'Two' }));
    const refused = late.run({ ...address, message: 'Three', config: { whileActive: 'refuse' } });
    await expect(refused.next()).rejects.toMatchObject({ code: 'INVOCATION_ACTIVE' });
    answered.resolve();
    await Promise.all([first, second]);

    const log = await late.sessions.getSession({ appName: 'clerk', ...address });
    expect(log?.events.map(({ text }) => text)).toEqual(['One', 'First.', 'Two', 'Second.']);
    expect(model.requests[0]?.contents).toHaveLength(3);
  });

  it('agree on what was undone, also one that loads it later, and on who answers a request again', async () => {
    const address = { userId: 'ada', sessionId: 's4' };
    const first = await start(url(), says('Hi.'), callsTool('refund', { cents: 500 }), says('Done.'));
    await eventsOf(first.run({ ...address, message: 'Hello', stateDelta: { city: 'Oslo' } }));
    await eventsOf(
      first.run({ ...address, message: 'Refund me', stateDelta: { city: 'Rome', mood: 'cross' } }),
    );
    const [request] = await first.pending(address);
    await eventsOf(first.approve(request!, { invocationId: 'approval' }));
    await first.rewind({ ...address, invocationId: 'approval' });

    const others = await Promise.all([start(url(), says('No.')), start(url(), says('No!'))]);
    const requests = await Promise.all(others.map((runner) => runner.pending(address)));
    const outcomes = await Promise.allSettled(
      others.map((runner, index) => eventsOf(runner.reject(requests[index]![0]!))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

    const model = new ScriptedModel(says('Bye.'));
    const last = await begin(url(), model);
    const log = await last.sessions.getSession({ appName: 'clerk', ...address });
    await last.rewind({ ...address, invocationId: log!.events[2]!.invocationId });
    await eventsOf(last.run({ ...address, message: 'Never mind' }));

    expect(model.requests[0]?.contents.map(({ parts }) => parts?.[0]?.text)).toEqual([
      'Hello',
      'Hi.',
      'Never mind',
    ]);
    const seen = await first.sessions.getSession({ appName: 'clerk', ...address });
    expect({ ...seen?.state }).toEqual({ city: 'Oslo', 'user:theme': 'dark' });
    expect(await first.pending(address)).toEqual([]);
  });
});

describe('sqlStorage', () => {
  it('refuses an artifact service, because it binds its own', () => {
    expect(() => sqlStorage(':memory:', { artifacts: {} } as never)).toThrow(/no option "?artifacts/);
  });

  it('refuses a URL that it does not know where it is written', () => {
    expect(() => sqlStorage('mysql://localhost/app')).toThrow(StorageUrlInvalidError);
  });

  it.each<[string, string, unknown, string, string]>([
    ['app.db', 'timeout', -1, '-1', '0 to 2,147,483,647'],
    ['app.db', 'timeout', Number.NaN, 'NaN', '0 to 2,147,483,647'],
    ['app.db', 'timeout', Infinity, 'Infinity', '0 to 2,147,483,647'],
    ['app.db', 'timeout', '10', 'of type string', '0 to 2,147,483,647'],
    ['postgres://ada@localhost/app', 'timeout', 0, '0', '1 to 2,147,483,647'],
    ['postgres://ada@localhost/app', 'poolSize', 0, '0', '1 to 262,143'],
    ['postgres://ada@localhost/app', 'poolSize', 1.5, '1.5', '1 to 262,143'],
    ['app.db', 'cachedSessions', 0, '0', '1 to 10,000,000'],
    ['app.db', 'cachedBytes', Infinity, 'Infinity', '1 to 9,007,199,254,740,991'],
    ['app.db', 'poolSize', null, 'of type object', '1 to 262,143'],
  ])('for %s refuses a %s of %p where it is written', (url, option, value, shown, range) => {
    expect(() => sqlStorage(url, { [option]: value })).toThrow(
      expect.objectContaining({
        code: 'STORAGE_OPTION_INVALID',
        message: `The database option ${option} is ${shown}. Pass an integer from ${range}, or omit it.`,
      }) as Error,
    );
  });

  it('takes the place of the storage of an earlier module, whose database is not opened', async () => {
    const [earlier, later] = [join(folder, 'earlier.db'), join(folder, 'later.db')];
    const modules = [sqlStorage(earlier), sqlStorage(later)];

    await using runner = await createRunner(Clerk, { model: new ScriptedModel(says('Yes.')), modules });

    expect(await runner.ask('Well?', ADDRESS)).toBe('Yes.');
    expect([existsSync(earlier), existsSync(later)]).toEqual([false, true]);
  });

  it('takes the least timeout and poolSize', () => {
    expect(() => sqlStorage('app.db', { timeout: 0, poolSize: 1 })).not.toThrow();
  });

  it('lets no runner begin on a server that is down', async () => {
    await expect(start('postgres://ada:secret@127.0.0.1:9/nowhere')).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
  });

  it('fails a run with a typed error where the server goes down in its midst, and goes on when it is back', async () => {
    const runner = await start(server.url(), says('Good morning.'), says('Good evening.'));
    const address = { userId: 'ada', sessionId: 's3' };
    await eventsOf(runner.run({ ...address, message: 'Hello' }));
    await server.halt('SIGQUIT');

    await expect(eventsOf(runner.run({ ...address, message: 'Again' }))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    await server.startAgain();

    const events = await eventsOf(runner.run({ ...address, message: 'Again' }));
    expect(events.at(-1)?.text).toBe('Good evening.');
  });
});

function start(url: string, ...steps: ScriptedStep[]): Promise<Runner> {
  return begin(url, new ScriptedModel(...steps));
}

async function begin(url: string, model: ScriptedModel, config?: RunConfig): Promise<Runner> {
  const runner = await createRunner(Clerk, { modules: [sqlStorage(url)], model, ...(config && { config }) });
  runners.push(runner);
  return runner;
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
