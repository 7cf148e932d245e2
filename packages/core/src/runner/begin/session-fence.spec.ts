import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  Logger,
  type RunConfig,
  type Runner,
  type Session,
  type SessionKey,
  SessionService,
} from '../../index.js';
import { NotSupportedError, type AppendOptions, type RunOpening, type RunRecord } from '../../backend.js';
import { ListLogger } from '../../gates/tool-call.fixture.js';
import type { EventBody } from '../../events/event.js';
import { RunnerClosedError } from '../errors.js';

const opened: Runner[] = [];

const PAUSED = {
  content: { parts: [{ functionResponse: { id: 'c1', name: 'pay', willContinue: true } }] },
};

afterEach(async () => {
  jest.useRealTimers();
  for (const runner of opened.splice(0)) await runner.close();
});

/** Two runners with one store stand for two processes: neither knows of the other's runs. */
describe('runs of two processes in one session', () => {
  it('end the older one with SESSION_TAKEN_OVER, and its late result does not enter the log', async () => {
    const store = new InMemorySessionService();
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await start(store, says('I cannot tell.'));
    const first = eventsOf(old.runner.run({ sessionId: 's1', message: 'Pay.', invocationId: 'e-1' }));
    await old.started;

    const second = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }));
    old.finish();

    await expect(first).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER', invocationId: 'e-1' });
    expect(second.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);
    expect((await stored(store)).map(shape)).toEqual([
      ...['Pay.', '?pay', UNKNOWN, 'Is it done?', 'I cannot tell.'],
    ]);
  });

  it('go on after one another, also under one invocationId', async () => {
    const store = new InMemorySessionService();
    const one = await start(store, says('1'), says('3'));
    const two = await start(store, says('2'), says('4'));

    for (const { runner } of [one, two, one, two]) {
      await eventsOf(runner.run({ sessionId: 's1', message: 'Go on.', invocationId: 'e-1' }));
    }

    expect((await stored(store)).filter(({ author }) => author !== 'user').map(shape)).toEqual([
      ...['1', '2', '3', '4'],
    ]);
  });

  it('let a client send its message again under the invocationId of a run that another process holds', async () => {
    const store = new InMemorySessionService();
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await start(store, says('I cannot tell.'), says('Still not.'));
    const input = { sessionId: 's1', message: 'Pay.', invocationId: 'e-1' };
    const first = eventsOf(old.runner.run(input));
    await old.started;

    await eventsOf(late.runner.run(input));
    old.finish();

    await expect(first).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
    await expect(eventsOf(late.runner.run(input))).resolves.toHaveLength(1);
  });

  it('store a message once whose run another process has begun under the same invocationId just before', async () => {
    const store = new SlowSessions();
    const slow = await start(store, says('Twice.'));
    const fast = await start(store, says('Once.'));
    const input = { sessionId: 's1', message: 'Hello?', invocationId: 'e-1' };
    await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    const held = store.holdNext();
    const late = eventsOf(slow.runner.run(input));
    await held.reached;

    await eventsOf(fast.runner.run(input));
    held.release();

    await expect(late).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER', invocationId: 'e-1' });
    expect((await stored(store)).map(shape)).toEqual(['Hello?', 'Once.']);
  });

  it('begin behind a run that has taken the session just before under another invocationId', async () => {
    const store = new SlowSessions();
    const slow = await start(store, says('Second.'));
    const fast = await start(store, says('First.'));
    await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    const held = store.holdNext();
    const late = eventsOf(slow.runner.run({ sessionId: 's1', message: 'And me?', invocationId: 'e-2' }));
    await held.reached;

    await eventsOf(fast.runner.run({ sessionId: 's1', message: 'Hello?', invocationId: 'e-1' }));
    held.release();
    await late;

    expect((await stored(store)).map(shape)).toEqual(['Hello?', 'First.', 'And me?', 'Second.']);
  });

  it('write nothing ahead of the message where the last run is over', async () => {
    const store = new InMemorySessionService();
    const taken = jest.spyOn(store, 'openRun');
    const one = await start(store, callsTool('ask'), says('1'), says('2'));
    const two = await start(store, says('3'));
    await eventsOf(one.runner.run({ sessionId: 's1', message: 'Pay.' }));
    const [request] = await two.runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');
    await eventsOf(one.runner.run({ sessionId: 's1', message: 'Hello.' }));
    await eventsOf(two.runner.run({ sessionId: 's1', message: 'Hello.' }));

    expect(taken).not.toHaveBeenCalled();
  });

  it.each<[string, Partial<EventBody>]>([
    ['an answer', { content: { parts: [{ text: 'Paid.' }] }, turnComplete: true }],
    ['a pause', PAUSED],
  ])(
    'write nothing ahead of the message where the run of another process ended with %s',
    async (_what, body) => {
      const store = new InMemorySessionService();
      const taken = jest.spyOn(store, 'openRun');
      const session = await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
      const stamp = { invocationId: 'e-1', timestamp: Date.now() / 1000 };
      const opens = { id: 'e-1', after: 0, at: stamp.timestamp };
      await store.appendEvent(session, new Event({ author: 'clerk', ...body }, stamp), {
        opens,
        becomes: 'ended',
      });
      const { runner } = await start(store, says('Hello.'));

      await eventsOf(runner.run({ sessionId: 's1', message: 'Hello?' }));

      expect(taken).not.toHaveBeenCalled();
    },
  );

  it('write nothing ahead of the message where the last run was left, but ended in the same process', async () => {
    const store = new InMemorySessionService();
    const taken = jest.spyOn(store, 'openRun');
    const { runner, finish } = await start(store, callsTool('pay'), says('Hello.'));
    finish();
    for await (const _event of runner.run({ sessionId: 's1', message: 'Pay.' })) break;

    await eventsOf(runner.run({ sessionId: 's1', message: 'Hello?' }));

    expect(taken).not.toHaveBeenCalled();
  });

  it('take the session of a run that may go on after the response to its call', async () => {
    const store = new InMemorySessionService();
    const taken = jest.spyOn(store, 'openRun');
    const old = await start(store, callsTool('pay'), says('Paid.'));
    const late = await start(store, says('Hello.'));
    old.finish();
    const left = old.runner.run({ sessionId: 's1', message: 'Pay.', invocationId: 'e-1' });
    await left.next();
    await left.next();

    await eventsOf(late.runner.run({ sessionId: 's1', message: 'Hello?' }));

    expect(taken.mock.calls.map(([, { continues }]) => continues)).toEqual(['e-1']);
    await expect(left.next()).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
  });

  it('look at the end of the log without a copy of it', async () => {
    const store = new InMemorySessionService();
    const { runner } = await start(store, says('1'), says('2'));
    await eventsOf(runner.run({ sessionId: 's1', message: 'Hello.' }));
    const session = await store.getSession({ appName: runner.appName, userId: 'user', sessionId: 's1' });
    const copied = jest.fn();
    Object.defineProperty(session, 'events', { get: copied });

    await eventsOf(runner.run({ sessionId: 's1', message: 'Hello again.' }));

    expect(copied).not.toHaveBeenCalled();
  });

  it.each<[string, Error]>([
    ['for a reason of the store', new Error('the disk is full')],
    ['with an error of Adorn', new RunnerClosedError()],
  ])(
    'reject the later one where it cannot take the session %s, and nothing of it is stored',
    async (_what, error) => {
      const store = new (class extends InMemorySessionService {
        override openRun(): Promise<never> {
          return Promise.reject(error);
        }
      })();
      const old = await start(store, callsTool('pay', {}, 'c1'));
      await old.runner.run({ sessionId: 's1', message: 'Pay.' }).next();
      const late = await start(store, says('never'));

      await expect(eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }))).rejects.toBe(
        error,
      );

      const address = { appName: late.runner.appName, userId: 'user', sessionId: 's1' };
      expect((await store.getSession(address))?.events.map(shape)).toEqual(['Pay.', '?pay']);
    },
  );

  it('see what the older one appended before the session was taken, in a store that gives copies', async () => {
    class Copies extends InMemorySessionService {
      override async getSession(key: SessionKey): Promise<Session | undefined> {
        const session = await super.getSession(key);
        if (session === undefined) return undefined;
        const { appName, userId, id, state, events, nextSeq, lastUpdateTime, lastRun } = session;
        return { appName, userId, id, state, events, nextSeq, lastUpdateTime, lastRun };
      }

      override async openRun(key: SessionKey, opening: RunOpening): Promise<RunRecord> {
        const session = await super.getSession(key);
        const parts = [{ functionCall: { id: 'c1', name: 'pay', args: {} } }];
        const call = new Event({ author: 'clerk', invocationId: 'e-1', content: { role: 'model', parts } });
        if (session !== undefined) await this.appendEvent(session, call, { epoch: 1 });
        return super.openRun(key, opening);
      }
    }
    const store = new Copies();
    const session = await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    const said = { author: 'user', content: { role: 'user', parts: [{ text: 'Pay.' }] } };
    const opens = { id: 'e-1', after: 0, at: Date.now() / 1000 };
    await store.appendEvent(session, new Event({ ...said, invocationId: 'e-1' }), { opens });
    const late = await start(store, says('I cannot tell.'));

    const events = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }));

    expect(events.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);
  });

  it.each<[string, () => Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])(
    'are answered also where their end cannot be recorded, which is logged: the store %s',
    async (_how, closeRun) => {
      const logger = new ListLogger();
      const store = Object.assign(new InMemorySessionService(), { closeRun });
      const runner = await createRunner(defineAgent({ name: 'clerk' }), {
        model: new ScriptedModel(says('Hello.')),
        modules: [
          new ContainerModule(({ bind }) => {
            bind(SessionService).toConstantValue(store);
            bind(Logger).toConstantValue(logger);
          }),
        ],
      });

      await expect(runner.run({ message: 'Hi.', invocationId: 'e-1' }).text).resolves.toBe('Hello.');
      await runner.close();

      const facts = { invocationId: 'e-1', error: expect.objectContaining({ message: 'full' }) as unknown };
      expect(logger.lines).toContainEqual(['the end of a run could not be recorded', facts]);
    },
  );

  it('work with a store that does not record runs', async () => {
    const store = new RecordlessSessions();
    const old = await start(store, callsTool('pay', {}, 'c1'));
    const left = old.runner.run({ sessionId: 's1', message: 'Pay.' });
    await left.next();
    const late = await start(store, says('I cannot tell.'));

    const events = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }));

    expect(events.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);
  });
});

describe('a run that begins while one of another process is under way', () => {
  it('waits until that one is over, and both are in the log', async () => {
    const store = new InMemorySessionService();
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await startWith({ takeOverAfter: Infinity }, store, says('It is.'));
    const first = eventsOf(old.runner.run({ sessionId: 's1', message: 'Pay.' }));
    await old.started;

    const second = eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }));
    await storeIsRead(store);
    expect(late.model.requests).toEqual([]);
    old.finish();

    expect((await first).map(shape)).toEqual(['?pay', { result: null }, 'Paid.']);
    expect((await second).map(shape)).toEqual(['It is.']);
    expect((await stored(store)).map(shape)).toEqual([
      ...['Pay.', '?pay', { result: null }, 'Paid.', 'Is it done?', 'It is.'],
    ]);
  });

  it('waits as long as that one stores events, also beyond takeOverAfter', async () => {
    jest.useFakeTimers();
    const store = new InMemorySessionService();
    const key = { appName: 'clerk', userId: 'user', sessionId: 's1' };
    const session = await store.createSession(key);
    const append = async (text: string, options: AppendOptions) => {
      const stamp = { invocationId: 'e-1', timestamp: Date.now() / 1000 };
      await store.appendEvent(
        session,
        new Event({ author: 'clerk', content: { parts: [{ text }] } }, stamp),
        options,
      );
    };
    await append('0', { opens: { id: 'e-1', after: 0, at: Date.now() / 1000 } });
    const late = await startWith({ takeOverAfter: 1_000 }, store, says('Hello.'));

    const second = eventsOf(late.runner.run({ sessionId: 's1', message: 'Hello?' }));
    for (const text of ['1', '2', '3']) {
      await jest.advanceTimersByTimeAsync(800);
      await append(text, { epoch: 1 });
    }
    await jest.advanceTimersByTimeAsync(800);
    await store.closeRun(key, { id: 'e-1', epoch: 1 }, 'ended');
    await jest.advanceTimersByTimeAsync(200);

    expect((await second).map(shape)).toEqual(['Hello.']);
    expect((await stored(store)).map(shape)).toEqual(['0', '1', '2', '3', 'Hello?', 'Hello.']);
  });

  it('takes over once the process of that one has been silent for takeOverAfter', async () => {
    const store = new InMemorySessionService();
    jest.spyOn(store, 'renewRuns').mockImplementation((runs) => Promise.resolve(runs.map(() => 'held')));
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await startWith({ takeOverAfter: 300 }, store, says('I cannot tell.'));
    const first = eventsOf(old.runner.run({ sessionId: 's1', message: 'Pay.', invocationId: 'e-1' }));
    await old.started;

    const second = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Is it done?' }));
    old.finish();

    expect(second.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);

    await expect(first).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER', invocationId: 'e-1' });
  });

  it.each([
    ['takes over at once where the last event is old', 3_600_000, -3_600],
    ['does not wait longer where the clock of that one is ahead', 1, 3_600],
  ])('%s', async (_what, takeOverAfter, shift) => {
    const store = new InMemorySessionService();
    const session = await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    const stamp = { invocationId: 'e-1', timestamp: Date.now() / 1000 + shift };
    await store.appendEvent(
      session,
      new Event({ author: 'user', content: { parts: [{ text: 'Pay.' }] } }, stamp),
      { opens: { id: 'e-1', after: 0, at: stamp.timestamp } },
    );
    const late = await startWith({ takeOverAfter }, store, says('Hello.'));

    const events = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Hello?' }));

    expect(events.map(shape)).toEqual(['Hello.']);
  });

  it('is refused with whileActive: refuse, until that one is over', async () => {
    const store = new InMemorySessionService();
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await startWith({ whileActive: 'refuse', takeOverAfter: 60_000 }, store, says('It is.'));
    const first = eventsOf(old.runner.run({ sessionId: 's1', message: 'Pay.', invocationId: 'e-1' }));
    await old.started;
    const input = { sessionId: 's1', message: 'Is it done?' };

    await expect(eventsOf(late.runner.run(input))).rejects.toMatchObject({
      code: 'INVOCATION_ACTIVE',
      message:
        'The invocation "e-1" is active. It runs in another process, and a session runs one invocation ' +
        'at a time. Wait until it has ended, or has been silent for 60000 ms (takeOverAfter), or set ' +
        "whileActive: 'queue'.",
    });
    old.finish();
    await first;

    expect((await eventsOf(late.runner.run(input))).map(shape)).toEqual(['It is.']);
  });

  it.each([
    ['is cancelled', (runner: Runner) => Promise.resolve(runner.cancel('e-2'))],
    ['closes with its runner', (runner: Runner) => runner.close()],
  ])('%s while it waits, and nothing of it is stored', async (_what, stop) => {
    const store = new InMemorySessionService();
    const old = await start(store, callsTool('pay', {}, 'c1'), says('Paid.'));
    const late = await startWith({ takeOverAfter: Infinity }, store);
    const first = eventsOf(old.runner.run({ sessionId: 's1', message: 'Pay.' }));
    await old.started;
    const second = eventsOf(late.runner.run({ sessionId: 's1', message: 'Done?', invocationId: 'e-2' }));
    await storeIsRead(store);

    await stop(late.runner);

    expect((await second).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    old.finish();
    await first;
    expect((await stored(store)).map(shape)).toEqual(['Pay.', '?pay', { result: null }, 'Paid.']);
  });

  it('does not wait behind events that no run has written', async () => {
    const store = new InMemorySessionService();
    const session = await store.createSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    const stamp = { invocationId: 'e-1', timestamp: Date.now() / 1000 };
    await store.appendEvent(
      session,
      new Event({ author: 'user', content: { parts: [{ text: 'Hi.' }] } }, stamp),
    );
    const late = await startWith({ takeOverAfter: Infinity }, store, says('Hello.'));

    const events = await eventsOf(late.runner.run({ sessionId: 's1', message: 'Hello?' }));

    expect(events.map(shape)).toEqual(['Hello.']);
  });
});

describe('a call that was under way when its process died', () => {
  it('is answered as of unknown outcome by the next run, also where it had been approved', async () => {
    const store = new InMemorySessionService();
    const dead = await start(store, callsTool('ask', {}, 'c1'));
    await eventsOf(dead.runner.run({ sessionId: 's1', message: 'Pay.' }));
    const [request] = await dead.runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');
    dead.runner
      .approve(request)
      .next()
      .catch(() => undefined);
    await dead.started;
    const next = await start(store, says('I cannot tell.'), says('Hello again.'));

    const events = await eventsOf(next.runner.run({ sessionId: 's1', message: 'Was it paid?' }));

    expect(events.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);
    expect(next.model.requests[0]?.contents.flatMap(({ parts = [] }) => parts)).toContainEqual({
      functionResponse: expect.objectContaining({ id: 'c1', response: UNKNOWN }),
    });
    expect(await next.runner.pending({ sessionId: 's1' })).toEqual([]);
    const again = await eventsOf(next.runner.run({ sessionId: 's1', message: 'Hello.' }));
    expect(again.map(shape)).toEqual(['Hello again.']);
  });

  it('is answered as of unknown outcome where its tool is gone', async () => {
    const store = new InMemorySessionService();
    const dead = await start(store, callsTool('pay', {}, 'c1'));
    dead.runner.run({ sessionId: 's1', message: 'Pay.' }).then(undefined, () => undefined);
    await dead.started;
    const next = await runnerOf([], { takeOverAfter: 0 }, store, new ScriptedModel(says('I cannot tell.')));

    const events = await eventsOf(next.run({ sessionId: 's1', message: 'Was it paid?' }));

    expect(events.map(shape)).toEqual([UNKNOWN, 'I cannot tell.']);
  });

  it('leaves the calls that wait for a person, and those that the message answers, as they are', async () => {
    const store = new InMemorySessionService();
    const { runner } = await start(store, callsTool('ask', {}, 'c1'), says('Later.'), says('Paid.'));
    await eventsOf(runner.run({ sessionId: 's1', message: 'Pay.' }));
    const [request] = await runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');

    const talk = await eventsOf(runner.run({ sessionId: 's1', message: 'Wait.' }));
    const declined = await eventsOf(runner.reject(request));

    expect(talk.map(shape)).toEqual(['Later.']);
    expect(declined.map(shape)).toEqual([{ error: expect.stringContaining('rejected') }, 'Paid.']);
  });
});

/** A store that holds up one append. */
class SlowSessions extends InMemorySessionService {
  private held: { reach: () => void; released: Promise<void> } | undefined;

  /** Holds the next append until it is released. */
  holdNext(): { readonly reached: Promise<void>; readonly release: () => void } {
    let reach: () => void = () => undefined;
    let release: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    this.held = { reach, released: new Promise((resolve) => (release = resolve)) };
    return { reached, release };
  }

  override async appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session> {
    const { held } = this;
    this.held = undefined;
    held?.reach();
    await held?.released;
    return super.appendEvent(session, event, options);
  }
}

/** A store that does not record runs. */
class RecordlessSessions extends InMemorySessionService {
  override openRun(): Promise<never> {
    return Promise.reject(new NotSupportedError(this, 'record runs'));
  }

  override appendEvent(
    session: Session,
    event: Event,
    { opens: _opens, epoch: _epoch, ...options }: AppendOptions = {},
  ): Promise<Session> {
    return super.appendEvent(session, event, options);
  }
}

/** Resolves when somebody has read the sessions once more, as a run that waits does. */
async function storeIsRead(store: SessionService): Promise<void> {
  const before = jest.spyOn(store, 'getSession').mock.calls.length;
  while (jest.spyOn(store, 'getSession').mock.calls.length < before + 2) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const UNKNOWN = {
  error: 'outcome unknown: the run ended while this call was under way. It may have taken effect.',
  outcome: 'unknown',
};

/** A runner whose tools `pay`, and `ask` once it is confirmed, run until `finish` is called. */
async function start(store: SessionService, ...steps: readonly ScriptedStep[]) {
  return startWith({ takeOverAfter: 0 }, store, ...steps);
}

async function startWith(config: RunConfig, store: SessionService, ...steps: readonly ScriptedStep[]) {
  let finish: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const started = new Promise<void>((resolve) => (begin = resolve));
  const run = () => {
    begin();
    return finished;
  };
  const tools = [
    new FunctionTool({ name: 'pay', description: '', run }),
    new FunctionTool({ name: 'ask', description: '', confirm: true, run }),
  ];
  const model = new ScriptedModel(...steps);
  return { runner: await runnerOf(tools, config, store, model), model, finish, started };
}

async function runnerOf(
  tools: FunctionTool[],
  config: RunConfig,
  store: SessionService,
  model: ScriptedModel,
) {
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  const runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model, modules, config });
  opened.push(runner);
  return runner;
}

function shape({ text, functionCalls: [call], functionResponses: [response] }: Event): unknown {
  return call === undefined ? (response?.response ?? text) : `?${call.name ?? ''}`;
}

async function stored(store: SessionService): Promise<readonly Event[]> {
  return (await store.getSession({ appName: 'clerk', userId: 'user', sessionId: 's1' }))?.events ?? [];
}
