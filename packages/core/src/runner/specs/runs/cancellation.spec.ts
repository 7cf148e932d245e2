import { getEventListeners } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  ConsoleLogger,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  type Runner,
  type ToolContext,
} from '../../../index.js';

describe('Runner.cancel', () => {
  it('ends a run with an event, every call answered, a tool that hangs told to stop', async () => {
    const { runner, signals, hanging } = await start(
      callsTools({ id: 'c1', name: 'hang', args: {} }, { id: 'c2', name: 'look', args: {} }),
    );
    const running = eventsOf(runner.run({ ...address, message: 'Hang.', invocationId: 'e-1' }));
    await hanging;
    await setImmediate();

    expect(runner.isActive('e-1')).toBe(true);
    expect(runner.cancel('e-1')).toBe(true);
    const events = await running;

    expect(events.map(ended)).toEqual([
      [undefined, undefined, []],
      [
        undefined,
        undefined,
        [
          [
            'c1',
            {
              error:
                'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
              outcome: 'unknown',
            },
          ],
          ['c2', { result: 'fine' }],
        ],
      ],
      ['CANCELLED', 'invocation was cancelled', []],
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(runner.isActive('e-1')).toBe(false);
    expect((await stored(runner)).at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('keeps a tool from running whose beforeTool cancels the run', async () => {
    const ran: string[] = [];
    const pay = new FunctionTool({ name: 'pay', description: 'Test.', run: () => ran.push('pay') });
    const clerk = defineAgent({ name: 'clerk', tools: [pay], model: new ScriptedModel(callsTool('pay')) });
    const runner = await createRunner(clerk, {
      plugins: [{ name: 'stop', beforeTool: (): void => void runner.cancel('e-1') }],
    });

    const events = await eventsOf(runner.run({ ...address, message: 'Pay.', invocationId: 'e-1' }));

    expect([events.at(-1)?.errorCode, ran]).toEqual(['CANCELLED', []]);
  });

  it('ends a run that waits for its model, and drops what the model says afterwards', async () => {
    let answer: (response: ReturnType<typeof says>) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const { runner } = await start((request) => {
      answered();
      return new Promise((resolve) => {
        answer = resolve;
        request.signal.addEventListener('abort', () => {
          answer(says('Too late.'));
        });
      });
    });
    const running = eventsOf(runner.run({ ...address, message: 'Hello?', invocationId: 'e-1' }));
    await asked;

    runner.cancel('e-1');

    expect((await running).map(ended)).toEqual([['CANCELLED', 'invocation was cancelled', []]]);
  });

  it('is false for a run that is not there, or is over', async () => {
    const { runner } = await start(says('Hello.'));
    await eventsOf(runner.run({ ...address, message: 'Hello?', invocationId: 'e-1' }));

    expect([runner.cancel('e-1'), runner.cancel('e-2'), runner.isActive('e-1')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the signal of a run', () => {
  it.each<[string, readonly ScriptedStep[], string]>([
    ['that was answered', [callsTool('signal'), says('Done.')], 'answered'],
    ['that waits for a person', [callsTool('signal'), callsTool('ask')], 'paused'],
  ])(
    '%s is not aborted by its end, not for its model and not for its tools',
    async (_what, steps, status) => {
      const { runner, signals, aborts } = await startListening(...steps);

      const run = runner.run({ ...address, message: 'Go.' });
      expect((await run).status).toBe(status);
      await runner.close();

      expect(signals).toHaveLength(3);
      expect([aborts, signals.some(({ aborted }) => aborted)]).toEqual([[], false]);
    },
  );

  it('is not aborted where it is first read when the run has ended well', async () => {
    let context: InvocationContext | undefined;
    @agent({ name: 'clerk', description: 'Test.' })
    class Clerk extends BaseAgent {
      override async *run(own: InvocationContext): AsyncGenerator<Event, void> {
        context = own;
        await setImmediate();
        yield own.event({ author: 'clerk', content: { role: 'model', parts: [{ text: 'Done.' }] } });
      }
    }
    const runner = await createRunner(Clerk, {});

    await runner.run({ ...address, message: 'Go.' });

    expect(context?.signal.aborted).toBe(false);
  });
});

describe('a tool that a cancellation left behind', () => {
  it.each<[string, (settle: ReturnType<typeof deferred>) => void, object]>([
    ['completed', ({ resolve }) => resolve(), {}],
    ['failed', ({ reject }) => reject(new Error('no paper')), { error: new Error('no paper') }],
  ])('is reported to the log once it has %s', async (ending, settle, failure) => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();
    const printing = deferred();
    const begun = deferred();
    const print = new FunctionTool({
      name: 'print',
      description: 'Test.',
      run() {
        begun.resolve();
        return printing.promise;
      },
    });
    const model = new ScriptedModel(callsTool('print', {}, 'c1'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [print] }), { model });
    const running = eventsOf(runner.run({ message: 'Print.', invocationId: 'e-1' }));
    await begun.promise;
    runner.cancel('e-1');
    await running;
    expect(warn).not.toHaveBeenCalled();

    settle(printing);
    await Promise.allSettled([printing.promise]);
    await setImmediate();

    expect(warn.mock.calls).toEqual([
      [
        `tool "print" was abandoned, and has since ${ending}`,
        { callId: 'c1', invocationId: 'e-1', ...failure },
      ],
    ]);
    warn.mockRestore();
  });

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['with the reason of its signal', (signal) => untilAborted(signal)],
    ['with an AbortError', (signal) => setTimeout(60_000, undefined, { signal })],
  ])('is not reported where it stopped as it was told: %s', async (_how, work) => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();
    const [begun, ended] = [deferred(), deferred()];
    const wait = new FunctionTool({
      name: 'wait',
      description: 'Test.',
      run(_args, { signal }) {
        const working = work(signal);
        begun.resolve();
        return working.finally(ended.resolve);
      },
    });
    const model = new ScriptedModel(callsTool('wait', {}, 'c1'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [wait] }), { model });
    const running = eventsOf(runner.run({ message: 'Wait.', invocationId: 'e-1' }));
    await begun.promise;

    runner.cancel('e-1');
    await Promise.all([running, ended.promise]);
    await setImmediate();

    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

describe('a signal that is none', () => {
  it('fails the run and leaves the session free', async () => {
    const { runner } = await start(says('Hello.'));
    const signal = {} as AbortSignal;

    await expect(eventsOf(runner.run({ ...address, message: 'Hello?', signal }))).rejects.toThrow(TypeError);

    await expect(eventsOf(runner.run({ ...address, message: 'Hello?' }))).resolves.toHaveLength(1);
  });
});

describe('Runner.close', () => {
  it('cancels a run and waits until its last event is stored', async () => {
    const { runner, hanging } = await start(callsTool('hang', {}, 'c1'));
    const running = eventsOf(runner.run({ ...address, message: 'Hang.' }));
    await hanging;

    await runner.close();

    const log = await stored(runner);
    expect(log.map(({ functionResponses: [response], errorCode }) => response?.id ?? errorCode)).toEqual([
      ...[undefined, undefined, 'c1', 'CANCELLED'],
    ]);
    expect((await running).at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('does so also where the reader of the run does not come back', async () => {
    const { runner } = await start(callsTool('look'), says('Fine.'));
    const left = runner.run({ ...address, message: 'Look.' });
    await left.next();

    await runner.close();

    expect((await stored(runner)).at(-1)?.errorCode).toBe('CANCELLED');
    expect((await eventsOf(left)).at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('waits also where it is called again, and by the reader of a run', async () => {
    const { runner } = await start(callsTool('look'), says('Fine.'));

    for await (const { functionCalls } of runner.run({ ...address, message: 'Look.' })) {
      if (functionCalls.length > 0) await Promise.all([runner.close(), runner.close()]);
    }

    expect((await stored(runner)).at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('ends runs that wait for their session, and nothing of them is stored', async () => {
    const { runner, hanging } = await start(callsTool('hang'));
    const running = eventsOf(runner.run({ ...address, message: 'Hang.' }));
    await hanging;
    const waiting = eventsOf(runner.run({ ...address, message: 'Hello?' }));

    await runner.close();

    expect((await waiting).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    await running;
    expect((await stored(runner)).filter(({ author }) => author === 'user')).toHaveLength(1);
  });

  it('waits no longer than its runs take to end', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { runner, hanging } = await start(callsTool('hang'));
    const running = eventsOf(runner.run({ ...address, message: 'Hang.' }));
    await hanging;

    await runner.close();

    expect((await running).at(-1)?.errorCode).toBe('CANCELLED');
    jest.useRealTimers();
  });

  it('leaves behind, with a warning, what has not ended after ten seconds, and only that', async () => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();
    const { runner: quick } = await start(says('Hello.'));
    await quick.close();
    expect(warn).not.toHaveBeenCalled();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { runner } = await start(says('Hello.'));
    const asked = deferred();
    jest.spyOn(runner.sessions, 'getSession').mockImplementation(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    const run = runner.run({ ...address, message: 'Hello?', invocationId: 'e-1' });
    run.next().catch(() => undefined);
    await asked.promise;
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));

    await jest.advanceTimersByTimeAsync(9_999);
    expect(isClosed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await closing;

    expect(warn.mock.calls).toEqual([['runs did not end before the runner was closed', { left: ['e-1'] }]]);
    jest.useRealTimers();
    warn.mockRestore();
  });

  it('does not wait for ever for an agent that hangs in its finally block', async () => {
    @agent({ description: 'Test.' })
    class Stuck extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        try {
          yield context.event({ author: context.agent.name });
        } finally {
          await new Promise(() => undefined);
        }
      }
    }
    const runner = await createRunner(Stuck, { model: new ScriptedModel() });
    for await (const _event of runner.run({ ...address, message: 'Go.' })) break;

    await runner.close();

    await expect(eventsOf(runner.run({ ...address, message: 'Go.' }))).rejects.toMatchObject({
      code: 'RUNNER_CLOSED',
    });
  });
});

describe('a signal', () => {
  it('cancels the run when it is aborted', async () => {
    const { runner, hanging } = await start(callsTool('hang'));
    const controller = new AbortController();
    const running = eventsOf(runner.run({ ...address, message: 'Hang.', signal: controller.signal }));
    await hanging;

    controller.abort();

    expect((await running).at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('is not listened to any more once the run has ended', async () => {
    const { runner } = await start(says('Hello.'));
    const { signal } = new AbortController();

    await eventsOf(runner.run({ ...address, message: 'Hello?', signal }));

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that is aborted already ends the run before the model is asked', async () => {
    const { runner, model } = await start(says('never said'));

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?', signal: AbortSignal.abort() }));

    expect(events.map(ended)).toEqual([['CANCELLED', 'invocation was cancelled', []]]);
    expect(model.requests).toEqual([]);
  });
});

describe('a reader that stops reading', () => {
  it('ends the run; the call that it left is answered in the next turn', async () => {
    const { runner, model } = await start(callsTool('look', {}, 'c1'), says('Where were we?'));

    for await (const event of runner.run({ ...address, message: 'Look.', invocationId: 'e-1' })) {
      if (event.functionCalls.length > 0) break;
    }
    expect(runner.isActive('e-1')).toBe(false);

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?' }));
    expect(events.at(-1)?.text).toBe('Where were we?');
    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'look',
              response: {
                error:
                  'outcome unknown: the run ended while this call was under way. It may have taken effect.',
                outcome: 'unknown',
              },
            },
          },
        ],
      },
      { role: 'user', parts: [{ text: 'Hello?' }] },
    ]);
  });

  it.each<[string, (run: AsyncGenerator<Event>) => PromiseLike<unknown>]>([
    ['throws into it', (run) => run.throw(new Error('Enough.')).catch((error: unknown) => error)],
    ['disposes of it', (run) => (run as unknown as AsyncDisposable)[Symbol.asyncDispose]()],
  ])('ends the run also where it %s', async (_how, stop) => {
    const { runner } = await start(callsTool('look'), says('Fine.'));
    const run = runner.run({ ...address, message: 'Look.', invocationId: 'e-1' });
    await run.next();

    await stop(run);

    expect(runner.isActive('e-1')).toBe(false);
    await expect(run.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('stops a tool that reports its progress', async () => {
    const { runner, signals } = await start(callsTool('count', {}, 'c1'));

    for await (const event of runner.run({ ...address, message: 'Count.', invocationId: 'e-1' })) {
      if (event.partial) break;
    }

    expect(runner.isActive('e-1')).toBe(false);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

let answered: () => void = () => undefined;

const address = { userId: 'ada', sessionId: 's1' };

async function start(...steps: readonly ScriptedStep[]) {
  const signals: AbortSignal[] = [];
  let hangs: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    hangs = resolve;
  });
  @agent({
    description: 'Test.',
    tools: [
      new FunctionTool({ name: 'look', description: 'Test.', run: () => 'fine' }),
      new FunctionTool({
        name: 'hang',
        description: 'Test.',
        run(_args, { signal }) {
          signals.push(signal);
          hangs();
          return new Promise(() => undefined);
        },
      }),
      new FunctionTool({
        name: 'count',
        description: 'Test.',
        async *run(_args, { signal }) {
          signals.push(signal);
          for (let number = 1; ; number++) yield number;
        },
      }),
    ],
  })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { model, signals, hanging, runner: await createRunner(Clerk, { model }) };
}

/** A runner whose model and tools listen to their signals. */
async function startListening(...steps: readonly ScriptedStep[]) {
  const signals: AbortSignal[] = [];
  const aborts: string[] = [];
  const listen = (who: string, signal: AbortSignal): void => {
    signals.push(signal);
    signal.addEventListener('abort', () => aborts.push(who));
  };
  const run = (_args: unknown, { signal }: ToolContext): string => {
    listen('tool', signal);
    return 'seen';
  };
  const tools = [
    new FunctionTool({ name: 'signal', description: 'Test.', run }),
    new FunctionTool({ name: 'ask', description: 'Test.', confirm: true, run }),
  ];
  const listening = steps.map((step): ScriptedStep => (request) => {
    listen('model', request.signal);
    return typeof step === 'function' ? step(request) : step;
  });
  const clerk = defineAgent({ name: 'clerk', tools, model: new ScriptedModel(...listening) });
  return { signals, aborts, runner: await createRunner(clerk, {}) };
}

async function stored(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

function ended({ errorCode, errorMessage, functionResponses }: Event) {
  return [errorCode, errorMessage, functionResponses.map(({ id, response }) => [id, response])];
}
