import { callsTool, eventsOf, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  type AppendOptions,
  BaseAgent,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  type FunctionToolFields,
  InMemorySessionService,
  type InvocationContext,
  Logger,
  Model,
  type ModelRequest,
  Plugin,
  type RecoverOptions,
  type Runner,
  type Session,
  type SessionKey,
  SessionService,
  type LastEventQuery,
  type FoundSession,
} from '../index.js';
import { ListLogger } from '../dispatch/tool-call.fixture.js';
import { RECOVERY_ATTEMPT } from '../log/invocation-chains.js';
import { RunnerClosedError } from './errors.js';

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
    ['died between a question and its pending response', () => [message('Pay.'), call(), question()]],
    ['began just now', () => [message('Hello?', 1)]],
    ['began days ago', () => [message('Hello?', 3 * 86_400)]],
  ])('leaves a run alone that %s', async (_what, events) => {
    const { runner, crash, count } = await start({});
    await crash(ADA, ...events());
    const before = await count(ADA);

    expect(await runner.recover()).toEqual([]);
    expect(await count(ADA)).toBe(before);
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
    const { runner, append } = await start({ idempotent: true });
    await append(ADA, message('Pay.'), attempt(1), call(), attempt(2), response({ willContinue: false }));

    const recovered = await runner.recover({ maxAttempts: 2 });

    expect(recovered).toEqual([
      { appName: 'clerk', ...ADA, invocationId: 'e-1', attempt: 2, outcome: 'ended' },
    ]);
  });

  it.each<[string, Error]>([
    ['an error of the store', new Error('the disk is full')],
    ['an error of Adorn', new RunnerClosedError()],
  ])('says why an attempt failed: %s', async (_what, error) => {
    class Full extends InMemorySessionService {
      override claimInvocation(): Promise<number> {
        return Promise.reject(error);
      }
    }
    const store = new Full();
    const clock = new ManualClock();
    const runner = await runnerOf({ store, clock, model: new EchoModel() });
    await crashIn(store, clock, ADA, message('Hello?'), attempt(1));
    const failed = { appName: 'clerk', ...ADA, invocationId: 'e-1', outcome: 'failed' };

    expect(await runner.recover()).toEqual([{ ...failed, attempt: 2, error }]);
    await clock.advance(600_000);
    expect(await runner.recover({ maxAttempts: 1 })).toEqual([{ ...failed, attempt: 3, error }]);
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
    await crashIn(store, clock, ADA, attempt(1));
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

  it('ends a run in a store that has no claims', async () => {
    class Unclaimed extends InMemorySessionService {
      override claimInvocation(key: SessionKey, invocationId: string): Promise<number> {
        return SessionService.prototype.claimInvocation.call(this, key, invocationId);
      }
    }
    const store = new Unclaimed();
    const clock = new ManualClock();
    const runner = await runnerOf({ store, clock, model: new EchoModel() });
    await crashIn(store, clock, ADA, message('Hello?'), attempt(1));

    expect(await runner.recover({ maxAttempts: 1 })).toMatchObject([{ outcome: 'ended', attempt: 1 }]);
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
      override async listByLastEvent(appName: string, query: LastEventQuery): Promise<FoundSession[]> {
        const found = await super.listByLastEvent(appName, query);
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
    [
      'another process ends it right after the attempt began',
      {},
      { afterAttempt: (store, clock) => crashIn(store, clock, ADA, answer('Hello.')) },
    ],
    [
      'another process claims it during the attempt',
      {},
      { onAsk: (store) => store.claimInvocation({ appName: 'clerk', ...ADA }, 'e-1') },
    ],
    [
      'another process claims it while it is ended',
      { maxAttempts: 1 },
      { afterClaim: (store) => store.claimInvocation({ appName: 'clerk', ...ADA }, 'e-1') },
    ],
  ])('reports nothing of a run where %s', async (_what, options, { onAsk, ...happenings }) => {
    const clock = new ManualClock();
    const store = new BusySessions(clock, happenings);
    const model = new ScriptedModel(callsTool('pay', {}, 'c1'), async () => {
      await onAsk?.(store, clock);
      return says('Hello.');
    });
    const runner = await runnerOf({ store, clock, model, tools: [tool({})] });
    await crashIn(store, clock, ADA, message('Hello?'));
    if (options.maxAttempts !== undefined) await crashIn(store, clock, ADA, attempt(1));

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

  it('is not for a store that cannot list unfinished runs', async () => {
    class Plain extends InMemorySessionService {
      override listByLastEvent(appName: string, query: LastEventQuery): Promise<FoundSession[]> {
        return SessionService.prototype.listByLastEvent.call(this, appName, query);
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

    expect(await runner.recover()).toEqual([]);
    expect(await runner.recover({ newerThan: Infinity })).toMatchObject([{ outcome: 'resumed' }]);
  });

  it('is refused by a runner that was closed', async () => {
    const { runner } = await start({});
    await runner.close();

    await expect(runner.recover()).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });

  it('leaves a run to a process that appended first', async () => {
    class Overtaken extends InMemorySessionService {
      override appendEvent(session: Session, event: Event, options: AppendOptions = {}): Promise<Session> {
        const expectedSeq = options.expectedSeq === undefined ? {} : { expectedSeq: options.expectedSeq - 1 };
        return super.appendEvent(session, event, { ...options, ...expectedSeq });
      }
    }
    const store = new Overtaken();
    const clock = new ManualClock();
    const model = new EchoModel();
    const runner = await runnerOf({ store, clock, model });
    await crashIn(store, clock, ADA, message('Hello?'));

    expect(await runner.recover()).toEqual([]);
    expect(model.calls).toBe(0);
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
  readonly afterAttempt?: Happening;
  readonly afterClaim?: Happening;
  readonly onAsk?: Happening;
}

/** A store to which other processes write, too, each once. */
class BusySessions extends InMemorySessionService {
  private isOver = false;

  constructor(
    private readonly clock: Clock,
    private readonly happenings: Happenings,
  ) {
    super();
  }

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
    const isAttempt = args[1].timestamp === this.clock.now();
    if (isAttempt) await this.let(this.happenings.beforeAttempt);
    const session = await super.appendEvent(...args);
    if (isAttempt) await this.let(this.happenings.afterAttempt);
    return session;
  }

  override async claimInvocation(key: SessionKey, invocationId: string): Promise<number> {
    const epoch = await super.claimInvocation(key, invocationId);
    await this.let(this.happenings.afterClaim);
    return epoch;
  }

  private async let(happen: Happening | undefined): Promise<void> {
    if (happen === undefined || this.isOver) return;
    this.isOver = true;
    await happen(this, this.clock);
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
    const isAge = event.timestamp < 1_000_000;
    session = await store.appendEvent(
      session,
      isAge ? new Event({ ...fieldsOf(event), timestamp: clock.now() - event.timestamp }) : event,
    );
  }
}

function fieldsOf(event: Event) {
  const { id, invocationId, author, content, turnComplete, longRunningToolIds, customMetadata } = event;
  return { id, invocationId, author, content, turnComplete, longRunningToolIds, customMetadata };
}

function message(text: string, age?: number): Event {
  return made({ author: 'user', content: { role: 'user', parts: [{ text }] } }, age);
}

function attempt(number: number): Event {
  return made({ author: 'user', customMetadata: { [RECOVERY_ATTEMPT]: number } });
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
  const parts = [
    { functionResponse: { id: 'c1', name: 'pay', response: { status: 'pending' }, willContinue } },
  ];
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
