import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  Model,
  type ModelResponse,
  Plugin,
  type RunConfig,
  type Runner,
  SessionService,
  Toolset,
} from '../../../index.js';

const SSE: RunConfig = { streaming: 'sse' };

describe('a run that waits for something that never settles', () => {
  it.each<[string, RunConfig, (silence: Silence) => Model]>([
    ['a model', {}, (silence) => new SilentModel(silence)],
    ['a streaming model', SSE, (silence) => new SilentModel(silence)],
    [
      'a model after its first piece',
      SSE,
      (silence) => new SilentModel(silence, [{ ...says('The an'), partial: true }]),
    ],
    ['a model after its answer', SSE, (silence) => new SilentModel(silence, [says('The answer.')])],
    ['a model after its answer, unstreamed', {}, (silence) => new SilentModel(silence, [says('Hello.')])],
  ])('such as %s ends when it is cancelled, and when the runner closes', async (_what, config, modelOf) => {
    await endsWhenStopped(async (silence) =>
      createRunner(defineAgent({ name: 'clerk' }), { model: modelOf(silence), config }),
    );
  });

  it.each<[keyof Hanging, RunConfig, ScriptedStep]>([
    ['beforeAgent', {}, says('Hello.')],
    ['afterAgent', {}, says('Hello.')],
    ['beforeModel', {}, says('Hello.')],
    ['beforeModel', SSE, says('Hello.')],
    ['afterModel', {}, says('Hello.')],
    ['onModelPiece', SSE, streams('Hel', 'lo.')],
    ['onModelError', {}, () => Promise.reject(new Error('no model'))],
    ['beforeTool', {}, callsTool('look', {}, 'c1')],
    ['afterTool', {}, callsTool('look', {}, 'c1')],
    ['onToolError', {}, callsTool('fail', {}, 'c1')],
  ])(
    'such as the callback %s ends when it is cancelled, and when the runner closes',
    async (hook, config, step) => {
      const log = await endsWhenStopped(async (silence) => {
        const plugins = [new Hanging(hook, silence)];
        return createRunner(Clerk, { model: new ScriptedModel(step), plugins, config });
      });

      const isCalled = log.some(({ functionCalls }) => functionCalls.length > 0);
      const responses = log.flatMap(({ functionResponses }) => functionResponses);
      expect(responses.map(({ id }) => id)).toEqual(isCalled ? ['c1'] : []);
    },
  );

  it('such as an instruction, or the tools of a toolset, ends in the same way', async () => {
    await endsWhenStopped(async (silence) =>
      createRunner(defineAgent({ name: 'clerk', instruction: silence.hang }), { model: new ScriptedModel() }),
    );
    await endsWhenStopped(async (silence) => {
      class Remote extends Toolset {
        override listTools = silence.hang;
      }
      const Asker = defineAgent({ name: 'clerk', tools: [new Remote()] });
      return createRunner(Asker, { model: new ScriptedModel() });
    });
  });
});

describe('a call whose callback never settles', () => {
  it.each<[keyof Hanging, string, object]>([
    ['beforeTool', 'look', { error: 'The invocation was cancelled before this was done.' }],
    ['afterTool', 'look', unknown()],
    ['onToolError', 'fail', unknown()],
  ])('is answered when its run is cancelled in %s', async (hook, tool, response) => {
    const silence = new Silence();
    const model = new ScriptedModel(callsTool(tool, {}, 'c1'));
    await using runner = await createRunner(Clerk, { model, plugins: [new Hanging(hook, silence)] });
    const running = eventsOf(runner.run({ message: 'Go.', invocationId: 'e-1' }));
    await silence.reached;

    runner.cancel('e-1');

    const responses = (await running).flatMap(({ functionResponses }) => functionResponses);
    expect(responses.map((one) => one.response)).toEqual([response]);
  });
});

describe('a run whose store does not answer', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string, string[], (run: AsyncGenerator<Event>, runner: Runner) => Promise<unknown>]>([
    [
      'when it is cancelled',
      ['CANCELLED'],
      (run, runner) => {
        const step = run.next();
        runner.cancel('e-1');
        return step;
      },
    ],
    ['when it was cancelled before', ['CANCELLED'], (run, runner) => (runner.cancel('e-1'), run.next())],
    [
      'when its reader stops',
      ['CANCELLED'],
      (run) => {
        run.next().catch(() => undefined);
        return run.return(undefined);
      },
    ],
  ])('lets its reader go after two seconds %s', async (_when, end, stop) => {
    const { runner, sessions } = await talking();
    const run = runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' });
    await run.next();
    jest.useFakeTimers();
    sessions.isMute = true;
    let isLetGo = false;
    const stopped = stop(run, runner).finally(() => (isLetGo = true));
    stopped.catch(() => undefined);

    await jest.advanceTimersByTimeAsync(1_999);
    expect(isLetGo).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isLetGo).toBe(true);

    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(runner.isActive('e-1')).toBe(true);
    sessions.answer();
    await jest.advanceTimersByTimeAsync(0);
    expect(runner.isActive('e-1')).toBe(false);
    expect(await runner.ask('And now?', { sessionId: 's1' })).toBe('Hello.');
    expect(
      (await runner.sessions.getSession(KEY))?.events.map(({ errorCode, text }) => errorCode ?? text),
    ).toEqual(['Go.', '', '', ...end, 'And now?', 'Hello.']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['before', 'after'])(
    'rejects the result of a run that is awaited %s it was cancelled',
    async (when) => {
      const { runner, sessions } = await talking();
      sessions.isMute = true;
      const run = runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' });
      await sessions.asked;
      jest.useFakeTimers();
      if (when === 'after') runner.cancel('e-1');
      const result = expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
      await jest.advanceTimersByTimeAsync(0);
      runner.cancel('e-1');

      await jest.advanceTimersByTimeAsync(2_000);

      await result;
      sessions.answer();
    },
  );

  it('stores nothing of an agent that was left behind and wakes up while the last event is stored', async () => {
    const sessions = new MuteSessions();
    let wake: () => void = () => undefined;
    const awake = new Promise<void>((resolve) => (wake = resolve));
    @agent({ description: '' })
    class Clerk extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield context.event({ author: 'clerk' });
        await awake;
        yield context.event({ author: 'clerk', errorMessage: 'Too late.' });
      }
    }
    const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules: [binding(sessions)] });
    const run = runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' });
    await run.next();
    jest.useFakeTimers();
    sessions.isMute = true;
    const rest = eventsOf(run);
    runner.cancel('e-1');
    await jest.advanceTimersByTimeAsync(500);
    await sessions.asked;

    wake();
    await jest.advanceTimersByTimeAsync(0);
    sessions.answer();

    expect((await rest).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    const session = await sessions.getSession(KEY);
    expect(session?.events.map(({ errorCode, text }) => errorCode ?? text)).toEqual(['Go.', '', 'CANCELLED']);
  });

  it('shows the event that is stored late, and then the end', async () => {
    const { runner, sessions } = await talking();
    const run = runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' });
    sessions.answersLeft = 1;
    const step = run.next();
    await sessions.asked;
    jest.useFakeTimers();
    runner.cancel('e-1');
    await jest.advanceTimersByTimeAsync(1_500);

    sessions.answer();

    await expect(step).resolves.toMatchObject({ value: { functionCalls: [{ id: 'c1' }] } });
    expect((await eventsOf(run)).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
  });

  async function talking() {
    const sessions = new MuteSessions();
    const model = new ScriptedModel(callsTool('look', {}, 'c1'), says('Hello.'));
    return { runner: await createRunner(Clerk, { model, modules: [binding(sessions)] }), sessions };
  }

  function binding(sessions: SessionService) {
    return new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
    });
  }
});

/** Keeps appends waiting while it is mute. */
class MuteSessions extends InMemorySessionService {
  isMute = false;
  /** Appends until it falls mute. */
  answersLeft = Infinity;
  private notice: () => void = () => undefined;
  /** Resolved when an append waits. */
  readonly asked = new Promise<void>((resolve) => (this.notice = resolve));
  private waiting: (() => void)[] = [];

  override async appendEvent(...append: Parameters<InMemorySessionService['appendEvent']>) {
    if (this.answersLeft-- === 0) this.isMute = true;
    if (this.isMute)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        this.notice();
      });
    return super.appendEvent(...append);
  }

  answer(): void {
    this.isMute = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Stops a run that hangs, once by `cancel` and once by `close`; returns the log of the first. */
async function endsWhenStopped(start: (silence: Silence) => Promise<Runner>): Promise<readonly Event[]> {
  const cancelled = await hang(start);
  cancelled.runner.cancel('e-1');
  expect((await cancelled.running).at(-1)?.errorCode).toBe('CANCELLED');
  const log = (await cancelled.runner.sessions.getSession(KEY))?.events ?? [];
  expect(log.at(-1)?.errorCode).toBe('CANCELLED');
  await cancelled.runner.close();

  const closed = await hang(start);
  await closed.runner.close();
  expect(closed.runner.isActive('e-1')).toBe(false);
  expect((await closed.running).at(-1)?.errorCode).toBe('CANCELLED');
  return log;
}

const KEY = { appName: 'clerk', userId: 'user', sessionId: 's1' };

async function hang(start: (silence: Silence) => Promise<Runner>) {
  const silence = new Silence();
  const runner = await start(silence);
  const running = eventsOf(runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' }));
  await silence.reached;
  return { runner, running };
}

/** A wait without an end. */
class Silence {
  private begin: () => void = () => undefined;
  /** Resolved when somebody waits. */
  readonly reached = new Promise<void>((resolve) => (this.begin = resolve));

  readonly hang = (): Promise<never> => {
    this.begin();
    return new Promise(() => undefined);
  };
}

/** Yields what it has, and then neither yields nor ends. It does not look at its signal. */
class SilentModel extends Model {
  readonly name = 'silent';

  constructor(
    private readonly silence: Silence,
    private readonly answers: readonly ModelResponse[] = [],
  ) {
    super();
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield* this.answers;
    await this.silence.hang();
  }
}

class Hanging extends Plugin {
  readonly name = 'hanging';

  constructor(hook: keyof Hanging, silence: Silence) {
    super();
    Object.assign(this, { [hook]: silence.hang });
  }
}

const Clerk = defineAgent({
  name: 'clerk',
  tools: [
    new FunctionTool({ name: 'look', description: '', run: () => 'fine' }),
    new FunctionTool({ name: 'fail', description: '', run: () => Promise.reject(new Error('no paper')) }),
  ],
});

function unknown(): object {
  return {
    error:
      'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
    outcome: 'unknown',
  };
}
