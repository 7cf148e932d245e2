import { callsTool, eventsOf, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { FunctionToolFields, RecoverOptions, ListedRun, RunQuery, RunRecord } from '../../backend.js';
import {
  agent,
  BaseAgent,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  Logger,
  Model,
  type ModelRequest,
  Plugin,
  type Runner,
  type Session,
  SessionService,
} from '../../index.js';
import { ListLogger } from '../../gates/tool-call.fixture.js';
import { RunnerClosedError } from '../errors.js';
import { PENDING_RESPONSE } from '../../events/placeholder-response.js';

describe('runner.recover', () => {
  it('resumes the runs whose processes died, of all users, and says what it did', async () => {
    const { runner, crash } = await start({ idempotent: true }, says('Hello.'), says('Paid.'));
    await crash({ userId: 'ada', sessionId: 's1' }, message('Hello?'));
    await crash({ userId: 'bob', sessionId: 's1' }, message('Pay.'), call());

    const recovered = await runner.recover({ concurrency: 1 });

    expect(recovered).toMatchObject([
      { userId: 'ada', sessionId: 's1', invocationId: 'e-1', outcome: 'resumed', attempt: 1 },
      { userId: 'bob', sessionId: 's1', invocationId: 'e-1', outcome: 'resumed', attempt: 1 },
    ]);
    expect(recovered.map(({ result }) => [result?.status, result?.text])).toEqual([
      ['answered', 'Hello.'],
      ['answered', 'Paid.'],
    ]);
    expect(await runner.recover()).toEqual([]);
  });

  it('tells the model nothing of the attempt', async () => {
    const { runner, crash, model } = await start({}, says('Hello.'));
    await crash(ADA, message('Hello?'));

    await runner.recover();

    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Hello?' }] }]);
  });

  it.each<[string, () => readonly Event[]]>([
    ['has an answer', () => [message('Hello?'), answer('Hello.')]],
    ['waits for a person', () => [message('Pay.'), call(), question(), response({ willContinue: true })]],
    ['began just now', () => [message('Hello?', 1)]],
  ])('leaves a run alone that %s', async (_what, events) => {
    const { runner, crash, count } = await start({});
    await crash(ADA, ...events());
    const before = await count(ADA);

    expect(await runner.recover()).toEqual([]);
    expect(await count(ADA)).toBe(before);
  });

  it('resumes a run that stopped at this very moment, if it may be of any age', async () => {
    const { runner, crash } = await start({}, says('Hello.'));
    await crash(ADA, message('Hello?', 0));

    expect(await runner.recover({ olderThan: 0 })).toMatchObject([{ outcome: 'resumed' }]);
  });

  it('leaves a run alone that is active in this process', async () => {
    const { runner, clock } = await start({}, says('Hello.'));
    const run = runner.run({ ...ADA, message: 'Hello?' });
    const running = eventsOf(run);
    await clock.advance(600_000);

    const recovered = await runner.recover({ olderThan: 0 });
    await running;

    expect(recovered).toEqual([]);
  });

  it('resumes each run once, where several processes recover at once', async () => {
    const store = new InMemorySessionService();
    const clock = new ManualClock();
    const model = new EchoModel();
    const runners = await Promise.all([1, 2, 3].map(() => runnerOf({ store, clock, model })));
    for (let index = 0; index < 10; index++)
      await crashIn(
        store,
        clock,
        { userId: 'ada', sessionId: `s${String(index)}` },
        begun(`e-${String(index)}`),
      );

    const recovered = await Promise.all(runners.map((runner) => runner.recover()));

    expect(recovered.flat().map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 10 }, () => 'resumed'),
    );
    expect(new Set(recovered.flat().map(({ sessionId }) => sessionId)).size).toBe(10);
    expect(model.calls).toBe(10);
  });

  it('tries a run again that fails, and ends it after the last attempt', async () => {
    class Failing extends Plugin {
      readonly name = 'failing';

      override beforeRun(): never {
        throw new Error('broken');
      }
    }
    const store = new InMemorySessionService();
    const clock = new ManualClock();
    const runner = await runnerOf({ store, clock, model: new EchoModel(), plugins: [new Failing()] });
    await crashIn(store, clock, ADA, message('Hello?'));

    const outcomes: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      outcomes.push(
        ...(await runner.recover({ maxAttempts: 2 })).map(({ outcome, attempt }) => [outcome, attempt]),
      );
      await clock.advance(600_000);
    }

    expect(outcomes).toEqual([
      ['failed', 1],
      ['failed', 2],
      ['ended', 2],
    ]);
    const session = await store.getSession({ appName: 'clerk', ...ADA });
    expect(session?.events.at(-1)).toMatchObject({ errorCode: 'RECOVERY_LIMIT', turnComplete: true });
    const next = await runnerOf({ store, clock, model: new EchoModel() });
    expect((await next.run({ ...ADA, message: 'Again?' })).text).toBe('answered');
  });

  it('counts the attempts of each run for itself', async () => {
    const { runner, crash, append } = await start({}, says('One.'), says('Two.'));
    await crash(ADA, message('One?'));
    await runner.recover();
    await append(ADA, message('Two?'));

    expect(await runner.recover({ maxAttempts: 1 })).toMatchObject([{ outcome: 'resumed', attempt: 1 }]);
  });

  it('counts the attempts of a run that got further in between', async () => {
    const { runner, append, store, clock } = await start({ idempotent: true });
    await append(ADA, message('Pay.'));
    await attemptIn(store, clock, ADA);
    await append(ADA, call());
    await attemptIn(store, clock, ADA);
    await append(ADA, response({ willContinue: false }));

    const recovered = await runner.recover({ maxAttempts: 2 });

    expect(recovered).toEqual([
      { appName: 'clerk', ...ADA, invocationId: 'e-1', attempt: 2, outcome: 'ended' },
    ]);
  });

  it.each<[string, Error]>([
    ['an error of the store', new Error('the disk is full')],
    ['an error of Adorn', new RunnerClosedError()],
  ])('says why an attempt failed: %s', async (_what, error) => {
    let isFull = false;
    class Full extends InMemorySessionService {
      override openRun(...args: Parameters<SessionService['openRun']>): Promise<RunRecord> {
        return isFull ? Promise.reject(error) : super.openRun(...args);
      }

      override appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
        return isFull ? Promise.reject(error) : super.appendEvent(...args);
      }
    }
    const store = new Full();
    const clock = new ManualClock();
    const runner = await runnerOf({ store, clock, model: new EchoModel() });
    await crashIn(store, clock, ADA, message('Hello?'));
    await attemptIn(store, clock, ADA);
    isFull = true;
    const failed = { appName: 'clerk', ...ADA, invocationId: 'e-1', outcome: 'failed' };

    expect(await runner.recover()).toEqual([{ ...failed, attempt: 2, error }]);
    expect(await runner.recover({ maxAttempts: 1 })).toEqual([{ ...failed, attempt: 2, error }]);
    expect((await store.getSession({ appName: 'clerk', ...ADA }))?.events.at(-1)?.errorCode).toBeUndefined();
  });

  it('ends a run so that its process, which was alive after all, appends nothing more', async () => {
    const store = new InMemorySessionService();
    const clock = new ManualClock();
    let finish: () => void = () => undefined;
    const run = () => new Promise<void>((resolve) => (finish = resolve));
    const model = new ScriptedModel(callsTool('pay', {}, 'c1'), says('Paid.'));
    const alive = await runnerOf({ store, clock, model, tools: [tool({ run, timeout: Infinity })] });
    const running = eventsOf(alive.run({ ...ADA, message: 'Pay.', invocationId: 'e-1' }));
    while (model.requests.length === 0) await new Promise(setImmediate);
    await clock.advance(600_000);
    await attemptIn(store, clock, ADA);
    const other = await runnerOf({ store, clock, model: new EchoModel() });

    const recovered = await other.recover({ maxAttempts: 1 });
    finish();

    expect(recovered).toMatchObject([{ outcome: 'ended' }]);
    await expect(running).rejects.toMatchObject({ code: 'SESSION_TAKEN_OVER' });
    const session = await store.getSession({ appName: 'clerk', ...ADA });
    expect(session?.events.at(-1)).toMatchObject({
      author: 'clerk',
      invocationId: 'e-1',
      errorCode: 'RECOVERY_LIMIT',
    });
  });

  it('resumes at most as many runs in parallel as concurrency says, by default four', async () => {
    for (const [options, most] of [
      [{}, 4],
      [{ concurrency: 2 }, 2],
    ] as const) {
      const store = new InMemorySessionService();
      const clock = new ManualClock();
      const model = new CountingModel();
      const runner = await runnerOf({ store, clock, model });
      for (const index of [1, 2, 3, 4, 5, 6])
        await crashIn(store, clock, { userId: 'ada', sessionId: String(index) }, begun(`e-${String(index)}`));

      expect(await runner.recover(options)).toHaveLength(6);
      expect(model.most).toBe(most);
    }
  });

  it.each<[string, (runner: Runner, stop: AbortController) => unknown]>([
    ['its signal is aborted', (_runner, stop) => stop.abort()],
    ['the runner is closed', (runner) => void runner.close()],
  ])('cancels the current attempt and begins no other when %s', async (_what, stopBy) => {
    const store = new InMemorySessionService();
    const clock = new ManualClock();
    const stop = new AbortController();
    const model = new StuckModel();
    const runner = await runnerOf({ store, clock, model });
    await crashIn(store, clock, ADA, begun('e-1'));
    await crashIn(store, clock, { userId: 'bob', sessionId: 's1' }, begun('e-2'));

    const recovering = runner.recover({ concurrency: 1, signal: stop.signal });
    await model.asked;
    stopBy(runner, stop);

    const recovered = await recovering;
    expect(recovered).toMatchObject([
      {
        userId: 'ada',
        outcome: 'resumed',
        result: { status: 'failed', error: { event: { errorCode: 'CANCELLED' } } },
      },
    ]);
    expect(recovered).toHaveLength(1);
  });

  it.each<[string, (store: InMemorySessionService, clock: Clock) => Promise<unknown>]>([
    ['has gone on', (store, clock) => crashIn(store, clock, ADA, message('Go on.', 1))],
    ['has ended', (store, clock) => crashIn(store, clock, ADA, answer('Hello.'))],
    ['was deleted', (store) => store.deleteSession({ appName: 'clerk', ...ADA })],
    [
      'was deleted, in a session that was begun anew,',
      async (store) => {
        await store.deleteSession({ appName: 'clerk', ...ADA });
        await store.createSession({ appName: 'clerk', ...ADA });
      },
    ],
  ])('leaves a run alone that %s since the unfinished runs were listed', async (_what, happen) => {
    class Moving extends InMemorySessionService {
      override async listRuns(query: RunQuery): Promise<ListedRun[]> {
        const found = await super.listRuns(query);
        await happen(this, clock);
        return found;
      }
    }
    const clock = new ManualClock();
    const store = new Moving();
    const model = new EchoModel();
    const runner = await runnerOf({ store, clock, model });
    await crashIn(store, clock, ADA, message('Hello?'));

    expect(await runner.recover()).toEqual([]);
    expect(model.calls).toBe(0);
  });

  it.each<[string, RecoverOptions, Happenings]>([
    [
      'its session is deleted before the attempt',
      {},
      { beforeAttempt: (store) => store.deleteSession({ appName: 'clerk', ...ADA }) },
    ],
    ['another process takes it before the attempt', {}, { beforeAttempt: attempt }],
    ['another process takes it during the attempt', {}, { onAsk: attempt }],
    ['another process takes it before it is ended', { maxAttempts: 1 }, { beforeAttempt: attempt }],
  ])('reports nothing of a run where %s', async (_what, options, { onAsk, beforeAttempt }) => {
    const clock = new ManualClock();
    const store = new BusySessions();
    const model = new ScriptedModel(callsTool('pay', {}, 'c1'), async () => {
      await onAsk?.(store, clock);
      return says('Hello.');
    });
    const runner = await runnerOf({ store, clock, model, tools: [tool({})] });
    await crashIn(store, clock, ADA, message('Hello?'));
    if (options.maxAttempts !== undefined) await attemptIn(store, clock, ADA);
    store.beforeNextWrite = beforeAttempt && (() => beforeAttempt(store, clock));

    expect(await runner.recover(options)).toEqual([]);
    const session = await store.getSession({ appName: 'clerk', ...ADA });
    expect(session?.events.at(-1)?.errorCode).toBeUndefined();
  });

  it.each<[string, (event: Event) => boolean]>([
    ['its call', ({ functionCalls }) => functionCalls.length > 0],
    ['the response to its call', ({ functionResponses }) => functionResponses.length > 0],
  ])('goes on with the agent of a composite that died behind %s', async (_what, isLast) => {
    const whole = new InMemorySessionService();
    const clock = new ManualClock();
    const before = await stepsOf(whole, clock, says('first'), callsTool('pay'), says('second'));
    await eventsOf(before.run({ ...ADA, message: 'Go.' }));
    const events = [...((await whole.getSession({ appName: 'clerk', ...ADA }))?.events ?? [])];
    const died = new InMemorySessionService();
    await crashIn(died, clock, ADA, ...events.slice(0, events.findIndex(isLast) + 1));
    await clock.advance(600_000);
    const after = await stepsOf(died, clock, says('second'));

    const recovered = await after.recover();

    expect(recovered.map(({ outcome, error, result }) => [outcome, error, result?.text])).toEqual([
      ['resumed', undefined, 'second'],
    ]);
  });

  it('begins nothing once its signal is aborted', async () => {
    const { runner, crash } = await start({});
    await crash(ADA, message('Hello?'));

    expect(await runner.recover({ signal: AbortSignal.abort() })).toEqual([]);
  });

  it('is not for a store that does not record runs', async () => {
    class Plain extends InMemorySessionService {
      override listRuns(query: RunQuery): Promise<ListedRun[]> {
        return SessionService.prototype.listRuns.call(this, query);
      }
    }
    const runner = await runnerOf({ store: new Plain(), clock: new ManualClock(), model: new EchoModel() });

    await expect(runner.recover()).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });

  it.each<[unknown, string]>([
    [{ olderThan: -1 }, "The run's olderThan is -1. Pass a number of at least 0, or Infinity for no limit."],
    [
      { newerThan: NaN },
      "The run's newerThan is NaN. Pass a number of at least 0, or Infinity for no limit.",
    ],
    [
      { concurrency: 0 },
      "The run's concurrency is 0. Pass a number of at least 1, or Infinity for no limit.",
    ],
    [
      { maxAttempts: '3' },
      "The run's maxAttempts is 3. Pass a number of at least 1, or Infinity for no limit.",
    ],
    [
      { olderThen: 5 },
      'runner.recover: there is no option olderThen. Did you mean olderThan? Valid: olderThan, newerThan, concurrency, ' +
        'maxAttempts, signal.',
    ],
    [null, "The run's options of runner.recover is null. Pass an object, or leave them out."],
    [5, "The run's options of runner.recover is 5. Pass an object, or leave them out."],
  ])('refuses the options %j', async (options, message) => {
    const { runner } = await start({});

    const recovering = runner.recover(options as RecoverOptions);

    await expect(recovering).rejects.toMatchObject({ code: 'RUN_CONFIG_INVALID', message });
  });

  it('takes options that are undefined for left out, and limits of 0 and 1', async () => {
    const { runner, crash } = await start({}, says('Hello.'));
    await crash(ADA, message('Hello?', 1));
    expect(await runner.recover({ olderThan: undefined })).toEqual([]);

    const [left, right] = [
      { newerThan: 0 },
      { olderThan: 0, newerThan: undefined, concurrency: 1, maxAttempts: 1 },
    ];
    expect(await runner.recover(left)).toEqual([]);
    expect(await runner.recover(right)).toMatchObject([{ outcome: 'resumed' }]);
  });

  it('resumes a run of any age with newerThan: Infinity', async () => {
    const { runner, crash } = await start({}, says('Hello.'));
    await crash(ADA, message('Hello?', 900_000));

    expect(await runner.recover({ newerThan: Infinity })).toMatchObject([{ outcome: 'resumed' }]);
  });

  it('ends a run once that is older than a day and than what is resumed, and the next message is answered', async () => {
    const { runner, crash, store } = await start({}, says('Again.'));
    await crash(ADA, message('Hello?', 100_000));

    expect(await runner.recover({ newerThan: 2 * 86_400_000 })).toMatchObject([{ outcome: 'resumed' }]);
    await crash({ ...ADA, sessionId: 's2' }, message('Hello?', 900_000));
    expect(await runner.recover({ newerThan: 0 })).toMatchObject([{ outcome: 'ended', sessionId: 's2' }]);
    expect(await runner.recover()).toEqual([]);

    const session = await store.getSession({ appName: 'clerk', ...ADA, sessionId: 's2' });
    expect(session?.events.at(-1)).toMatchObject({ errorCode: 'RUN_ABANDONED', turnComplete: true });
    expect(await store.listRuns({ appName: 'clerk', status: 'open' })).toEqual([]);
  });

  it('is refused by a runner that was closed', async () => {
    const { runner } = await start({});
    await runner.close();

    await expect(runner.recover()).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });
});

const ADA = { userId: 'ada', sessionId: 's1' };

class EchoModel extends Model {
  readonly name = 'echo';
  calls = 0;

  async *generate(_request: ModelRequest) {
    this.calls++;
    yield await Promise.resolve({ content: { role: 'model', parts: [{ text: 'answered' }] } });
  }
}

type Happening = (store: InMemorySessionService, clock: Clock) => Promise<unknown>;

/** What other processes do meanwhile. */
interface Happenings {
  readonly beforeAttempt?: Happening;
  readonly onAsk?: Happening;
}

function attempt(store: SessionService, clock: Clock): Promise<void> {
  return attemptIn(store, clock, ADA);
}

/** A store to which another process writes, too, before one of ours does. */
class BusySessions extends InMemorySessionService {
  beforeNextWrite: (() => Promise<unknown>) | undefined;

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
    await this.letOthers();
    return super.appendEvent(...args);
  }

  override async openRun(...args: Parameters<SessionService['openRun']>): Promise<RunRecord> {
    await this.letOthers();
    return super.openRun(...args);
  }

  private async letOthers(): Promise<void> {
    const write = this.beforeNextWrite;
    this.beforeNextWrite = undefined;
    await write?.();
  }
}

/** Notes how many of its calls were in progress at a time. */
class CountingModel extends Model {
  readonly name = 'counting';
  most = 0;
  private current = 0;

  async *generate(_request: ModelRequest) {
    this.most = Math.max(this.most, ++this.current);
    await new Promise(setImmediate);
    this.current--;
    yield { content: { role: 'model', parts: [{ text: 'answered' }] } };
  }
}

/** Never answers. */
class StuckModel extends Model {
  readonly name = 'stuck';
  private ask: () => void = () => undefined;
  readonly asked = new Promise<void>((resolve) => (this.ask = resolve));

  // eslint-disable-next-line require-yield -- it never answers
  async *generate(_request: ModelRequest): AsyncGenerator<never, void, undefined> {
    this.ask();
    await new Promise(() => undefined);
  }
}

function tool(fields: Partial<FunctionToolFields>): FunctionTool {
  return new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object' },
    run: () => 'paid',
    ...fields,
  });
}

/** Two agents, one after the other. */
function stepsOf(store: SessionService, clock: Clock, ...steps: readonly ScriptedStep[]): Promise<Runner> {
  const First = defineAgent({ name: 'first', disableTransfer: true });
  const Second = defineAgent({ name: 'second', disableTransfer: true, tools: [tool({ idempotent: true })] });
  @agent({ subAgents: [First, Second] })
  class Steps extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      yield* context.invoke(First);
      yield* context.invoke(Second);
    }
  }
  const model = new ScriptedModel(...steps);
  return createRunner(Steps, { appName: 'clerk', model, modules: [bindings(store, clock)] });
}

interface Parts {
  readonly store: SessionService;
  readonly clock: Clock;
  readonly model: Model;
  readonly plugins?: Plugin[];
  readonly tools?: FunctionTool[];
}

function runnerOf({ store, clock, model, plugins = [], tools = [] }: Parts): Promise<Runner> {
  const root = defineAgent({ name: 'clerk', model, tools });
  return createRunner(root, { appName: 'clerk', modules: [bindings(store, clock)], plugins });
}

function bindings(store: SessionService, clock: Clock): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(store);
    bind(Clock).toConstantValue(clock);
    bind(Logger).toConstantValue(new ListLogger());
  });
}

async function start(fields: Partial<FunctionToolFields>, ...steps: readonly ScriptedStep[]) {
  const store = new InMemorySessionService();
  const clock = new ManualClock();
  const model = new ScriptedModel(...steps);
  const runner = await runnerOf({ store, clock, model, tools: [tool(fields)] });
  const append = (address: typeof ADA, ...made: readonly Made[]) => crashIn(store, clock, address, ...made);
  const count = async (address: typeof ADA) =>
    (await store.getSession({ appName: 'clerk', ...address }))?.nextSeq;
  return { runner, store, model, clock, crash: append, append, count };
}

/** An event, and how many seconds before now it was made. */
type Made = Event;

/** The log of a process that died after these events, ten minutes ago unless they say otherwise. */
async function crashIn(
  store: SessionService,
  clock: Clock,
  address: typeof ADA,
  ...events: readonly Event[]
): Promise<void> {
  const key = { appName: 'clerk', ...address };
  let session = (await store.getSession(key)) ?? (await store.createSession(key));
  for (const event of events) {
    const { lastRun } = session;
    const stored = event.timestamp < 1_000_000 ? aged(event, clock) : event;
    const { invocationId: id, timestamp: at } = stored;
    const isOpen = lastRun?.id === id && lastRun.status === 'open';
    const options = isOpen ? { epoch: lastRun.epoch } : { opens: { id, after: lastRun?.epoch ?? 0, at } };
    session = await store.appendEvent(session, stored, { ...options, becomes: statusBehind(stored) });
  }
}

function aged(event: Event, clock: Clock): Event {
  return new Event({ ...fieldsOf(event), timestamp: clock.now() - event.timestamp });
}

function statusBehind({ turnComplete, functionResponses }: Event): 'ended' | 'paused' | undefined {
  if (functionResponses.some(({ willContinue }) => willContinue === true)) return 'paused';
  return turnComplete ? 'ended' : undefined;
}

/** A process took the run, and died before it wrote anything. */
async function attemptIn(store: SessionService, clock: Clock, address: typeof ADA): Promise<void> {
  const key = { appName: 'clerk', ...address };
  const run = (await store.getSession(key))?.lastRun;
  if (run === undefined) throw new Error('There is no run.');
  await store.openRun(key, { id: run.id, after: run.epoch, at: clock.now() - 600, isRecovery: true });
}

function fieldsOf(event: Event) {
  const { id, invocationId, author, content, turnComplete, longRunningToolIds, customMetadata } = event;
  return { id, invocationId, author, content, turnComplete, longRunningToolIds, customMetadata };
}

function message(text: string, age?: number): Event {
  return made({ author: 'user', content: { role: 'user', parts: [{ text }] } }, age);
}

function begun(invocationId: string): Event {
  return new Event({
    author: 'user',
    invocationId,
    timestamp: 600,
    content: { role: 'user', parts: [{ text: 'Hello?' }] },
  });
}

function answer(text: string): Event {
  return made({ author: 'clerk', turnComplete: true, content: { role: 'model', parts: [{ text }] } });
}

function call(): Event {
  const parts = [{ functionCall: { id: 'c1', name: 'pay', args: {} } }];
  return made({ author: 'clerk', content: { role: 'model', parts } });
}

function response({ willContinue }: { readonly willContinue: boolean }): Event {
  const parts = [{ functionResponse: { id: 'c1', name: 'pay', response: PENDING_RESPONSE, willContinue } }];
  return made({ author: 'clerk', content: { role: 'user', parts } });
}

function question(): Event {
  const args = {
    originalFunctionCall: { id: 'c1', name: 'pay', args: {} },
    toolConfirmation: { hint: 'Pay?', confirmed: false },
  };
  const parts = [{ functionCall: { id: 'r1', name: 'adk_request_confirmation', args } }];
  return made({ author: 'clerk', content: { role: 'user', parts }, longRunningToolIds: ['r1'] });
}

function made(body: Omit<ConstructorParameters<typeof Event>[0], 'invocationId'>, age = 600): Event {
  return new Event({ ...body, invocationId: 'e-1', timestamp: age });
}
