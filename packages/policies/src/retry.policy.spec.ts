import { CredentialRejectedError, FunctionTool, ToolError } from '@adorn/core';
import { type FunctionToolFields, InvocationCancelledError } from '@adorn/core/backend';

import { toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { ToolArgumentsInvalidError } from '../../schema/src/arguments/argument-errors.js';
import { Deferred, PolicyStage, settle } from './policy-stage.fixture.js';

describe('retry', () => {
  beforeEach(() => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('runs a tool again that failed, and answers with the first success', async () => {
    const { stage, tool, runs } = failing(2, { retry: 3 });
    const call = await stage.start(tool);
    expect([runs(), call.response]).toEqual([1, undefined]);

    await stage.advance(500);
    expect([runs(), call.response]).toEqual([2, undefined]);
    await stage.advance(999);
    expect(runs()).toBe(2);
    await stage.advance(1);

    expect([runs(), call.response]).toEqual([3, { result: 'done' }]);
    expect(stage.clock.waiting).toBe(0);
  });

  it('runs a tool again whose result stands for a failure, and answers with the last result', async () => {
    const { stage, tool, runs } = busy(2, { retry: 3 });
    const call = await stage.start(tool);
    await stage.advance(500);
    expect([runs(), call.response]).toEqual([2, undefined]);
    await stage.advance(1_000);

    expect([runs(), call.response]).toEqual([3, { status: 200 }]);
    expect(stage.logger.lines.map(([, { attempt, error }]) => [attempt, error])).toEqual([
      [1, 'It is busy.'],
      [2, 'It is busy.'],
    ]);

    const never = busy(9, { retry: 2 });
    const given = await never.stage.start(never.tool);
    await never.stage.advance(500);
    expect([never.runs(), given.response]).toEqual([2, { status: 503 }]);
  });

  it('waits as long as a failure asks, which no random part shortens', async () => {
    jest.mocked(Math.random).mockReturnValue(0.9);
    const { stage, tool, runs } = busy(1, { retry: 2 }, 7_000);
    const call = await stage.start(tool);
    await stage.advance(6_999);
    expect(runs()).toBe(1);
    await stage.advance(1);

    expect([runs(), call.response]).toEqual([2, { status: 200 }]);
  });

  it.each([NaN, -1, '7'])('waits its own delay where a failure asks for %p', async (asked) => {
    const { stage, tool, runs } = busy(1, { retry: 2 }, asked as number);
    await stage.start(tool);
    await stage.advance(500);

    expect(runs()).toBe(2);
  });

  it.each<[string, Partial<FunctionToolFields>, number, object]>([
    ['a result', {}, 5_001, { status: 503 }],
    [
      'an error',
      { run: () => thrower(new ToolError('busy', { retryAfterMs: 5_001 })) },
      0,
      { error: 'busy' },
    ],
    ['a result that asks for ever', {}, Infinity, { status: 503 }],
  ])(
    'does not repeat %s that asks for a longer delay than maxDelayMs',
    async (_what, fields, asked, given) => {
      const { stage, tool } = busy(9, { retry: { attempts: 3, maxDelayMs: 5_000 }, ...fields }, asked);
      const call = await stage.start(tool);

      expect(call.response).toEqual(given);
      expect(stage.clock.waiting).toBe(0);
    },
  );

  it('answers with a result that stands for a failure where a call must not be repeated', async () => {
    const { stage, tool, runs } = busy(9, { effect: 'write', retry: 3, idempotent: () => false });

    expect(await stage.respond(tool)).toEqual({ status: 503 });
    expect(runs()).toBe(1);
  });

  it('gives up after the last attempt, with its error', async () => {
    const { stage, tool, runs } = failing(9, { retry: { attempts: 2, delayMs: 0 }, exposeErrors: true });
    const call = await stage.start(tool);
    await stage.advance(0);

    expect([runs(), call.response]).toEqual([2, { error: 'failure 2' }]);
  });

  it.each([
    [0, [100, 200, 400, 500, 500]],
    [0.5, [75, 150, 300, 375, 375]],
    [1 - Number.EPSILON, [50, 100, 200, 250, 250]],
  ])('doubles the delay up to the longest, less a random part (%d)', async (random, delays) => {
    jest.mocked(Math.random).mockReturnValue(random);
    const { stage, tool } = failing(9, { retry: { attempts: 6, delayMs: 100, maxDelayMs: 500 } });
    await stage.start(tool);

    for (const milliseconds of delays) await stage.advance(milliseconds);

    const shown = stage.logger.lines.flatMap(([, facts]) => ('delayMs' in facts ? [facts['delayMs']] : []));
    expect(shown).toEqual(delays);
  });

  it('waits thirty seconds at the most by default', async () => {
    const { stage, tool } = failing(99, { retry: { attempts: 9, delayMs: 20_000 } });
    await stage.start(tool);

    await stage.advance(20_000);

    expect(stage.logger.lines.map(([, facts]) => facts['delayMs'])).toEqual([20_000, 30_000]);
  });

  it('says in the log which attempt failed, and why, in one line without the stack', async () => {
    const { stage, tool } = failing(1, { retry: 2 });
    await stage.start(tool);

    expect(stage.logger.lines).toEqual([
      ['tool "pay" failed and is retried', { callId: 'c1', attempt: 1, delayMs: 500, error: 'failure 1' }],
    ]);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'broken'],
    ['a revoked Proxy', revoked()],
    ['an object without a prototype', Object.create(null)],
    ['a ToolError', new ToolError('busy')],
    ['a ToolError that is not final', new ToolError('busy', { final: false })],
  ])('repeats what throws %s', async (_what, thrown) => {
    const run = jest.fn(() => thrower(thrown));
    const stage = new PolicyStage();
    const call = await stage.start(toolNamed('pay', { retry: 2, effect: 'read', run }));
    await stage.advance(500);

    expect(run).toHaveBeenCalledTimes(2);
    expect(call.response).toMatchObject({ error: expect.any(String) });
  });

  it.each<[string, unknown]>([
    ['a final ToolError', new ToolError('There is no such order.', { final: true })],
    ['invalid arguments', new ToolArgumentsInvalidError('pay', ['no such day'])],
    ['a credential that was refused', new CredentialRejectedError()],
    ['the cancellation of something else', new InvocationCancelledError()],
  ])('does not repeat what throws %s', async (_what, thrown) => {
    const run = jest.fn(() => thrower(thrown));
    const stage = new PolicyStage();
    const call = await stage.start(toolNamed('pay', { retry: 2, effect: 'read', run }));

    expect(run).toHaveBeenCalledTimes(1);
    expect(call.response).toMatchObject({ error: (thrown as Error).message });
  });

  it('asks a function in idempotent once about the very call, and repeats it where it says true', async () => {
    const idempotent = jest.fn(() => true);
    const { stage, tool, runs } = failing(2, { effect: 'write', retry: 3, idempotent });
    const call = await stage.start(tool, { args: { cents: 5 } });
    await stage.advance(500);
    await stage.advance(1_000);

    expect([runs(), call.response]).toEqual([3, { result: 'done' }]);
    expect(idempotent.mock.calls).toEqual([
      [{ cents: 5 }, expect.objectContaining({ functionCallId: 'c1' })],
    ]);
  });

  it('gives that function a context without the credential, whose writes have no effect', async () => {
    const seen: unknown[] = [];
    const { stage, tool } = failing(1, {
      effect: 'write',
      retry: 2,
      idempotent: (_args, context) => {
        seen.push(context.credential);
        context.longRunning = true;
        return true;
      },
    });
    const secret = { type: 'apiKey', apiKey: 's3cret' } as const;
    const made = await stage.call(tool);
    made.context.credential = secret;
    const outcome = stage.enter(made);
    await settle();
    await stage.advance(500);

    expect(await outcome).toEqual({ kind: 'completed', continues: false, response: { result: 'done' } });
    expect(seen).toEqual([undefined]);
    expect([made.context.credential, made.context.longRunning]).toEqual([secret, false]);
  });

  it.each<[string, () => unknown, number]>([
    ['false', () => false, 0],
    ['a promise of false', () => Promise.resolve(false), 0],
    ['undefined', () => undefined, 0],
    ['a text', () => 'yes', 0],
    ['an error', () => thrower(new Error('no idea')), 1],
    ['a rejected promise', () => Promise.reject(new Error('no idea')), 1],
  ])('does not repeat a call where that function gives %s', async (_what, decide, warnings) => {
    const idempotent = decide as () => boolean;
    const { stage, tool, runs } = failing(9, { effect: 'write', retry: 3, idempotent, exposeErrors: true });
    const call = await stage.start(tool);
    await stage.advance(10_000);

    expect([runs(), call.response]).toEqual([1, { error: 'failure 1' }]);
    const said = stage.logger.lines.filter(([message]) => message.includes('failed to decide'));
    expect(said).toHaveLength(warnings);
  });

  it('does not repeat a call where that function never answers, and says in the log which check was late', async () => {
    const idempotent = (): Promise<boolean> => new Promise(() => undefined);
    const { stage, tool, runs } = failing(9, { effect: 'write', retry: 3, idempotent, checkTimeout: 5 });

    await stage.start(tool);
    await stage.advance(5);

    expect(runs()).toBe(1);
    expect(stage.logger.lines).toContainEqual([
      expect.stringContaining('failed to decide'),
      expect.objectContaining({
        error: expect.objectContaining({
          message: expect.stringContaining('The check by idempotent of the tool'),
        }),
      }),
    ]);
  });

  it.each<[object]>([[{ effect: 'read' }], [{ effect: 'write', retry: { attempts: 2, unsafe: true } }]])(
    'does not ask that function where %j lets it repeat all calls',
    async (fields) => {
      const idempotent = jest.fn(() => false);
      const { stage, tool, runs } = failing(1, { retry: 2, idempotent, ...fields });
      await stage.start(tool);
      await stage.advance(500);

      expect(runs()).toBe(2);
      expect(idempotent).not.toHaveBeenCalled();
    },
  );

  it('does not repeat a call that a limit of the tool refused', async () => {
    const stage = new PolicyStage();
    const tool = toolNamed('pay', { retry: 2, effect: 'read', rateLimit: { calls: 1, perMs: 1_000 } });
    await stage.respond(tool);

    expect((await stage.start(tool)).response).toMatchObject({ error: expect.stringContaining('Try again') });
    expect(stage.clock.waiting).toBe(0);
  });

  it('repeats a generator that throws', async () => {
    let runs = 0;
    const run = async function* () {
      yield await Promise.resolve('half');
      if (++runs === 1) throw new Error('broken');
      return 'whole';
    };
    const stage = new PolicyStage();
    const call = await stage.start(toolNamed('pay', { retry: 2, effect: 'read', run }));
    await stage.advance(500);

    expect(call.response).toEqual({ result: 'whole' });
  });

  it('asks onToolError once, after the last attempt', async () => {
    const { stage, tool } = failing(9, { retry: 2 });
    const onToolError = jest.fn().mockResolvedValue({ recovered: true });
    const call = await stage.start(tool, { callbacks: { onToolError } });
    expect(onToolError).not.toHaveBeenCalled();
    await stage.advance(500);

    expect(call.response).toEqual({ recovered: true });
    expect(onToolError.mock.calls).toMatchObject([[tool, {}, { message: 'failure 2' }, expect.anything()]]);
  });

  it('makes no further attempt once the invocation is cancelled between two', async () => {
    const { stage, tool, runs } = failing(9, { retry: 3, effect: 'write', idempotent: true });
    const call = await stage.start(tool);

    await call.cancel();
    await stage.advance(10_000);

    expect(runs()).toBe(1);
    expect(call.response).toMatchObject({ outcome: 'unknown' });
    expect(stage.clock.waiting).toBe(0);
  });

  it('makes no further attempt once the invocation is cancelled during one', async () => {
    const { stage, tool, running } = slow({ retry: 3, effect: 'write', idempotent: true });
    const call = await stage.start(tool);

    await call.cancel();
    running[0]?.reject(new Error('stopped'));
    await stage.advance(10_000);

    expect(running).toHaveLength(1);
    expect(call.response).toMatchObject({ outcome: 'unknown' });
  });

  it('says that the outcome is unknown where a second attempt waits for its turn when it is cancelled', async () => {
    const { stage, tool, running } = slow({ retry: 2, concurrency: 1, effect: 'write', idempotent: true });
    const call = await stage.start(tool);
    const other = await stage.start(tool);
    running[0]?.reject(new Error('down'));
    await stage.advance(500);
    expect(running).toHaveLength(2);

    await call.cancel();

    expect(call.response).toMatchObject({ outcome: 'unknown' });
    await other.cancel();
    expect(running).toHaveLength(2);
  });

  it('says that nothing was done where the first attempt waits for its turn when it is cancelled', async () => {
    const { stage, tool, running } = slow({ retry: 2, concurrency: 1 });
    await stage.start(tool);
    const call = await stage.start(tool);

    await call.cancel();

    expect(call.response).toEqual({ error: 'The invocation was cancelled before this was done.' });
    expect(running).toHaveLength(1);
  });

  it('gives each attempt its own time and a signal that is not aborted', async () => {
    const signals: AbortSignal[] = [];
    const { stage, tool, running } = slow({ retry: 2, timeout: 77 }, (signal) => signals.push(signal));
    const call = await stage.start(tool);
    await stage.advance(77);
    expect(stage.logger.lines).toMatchObject([
      [expect.anything(), { error: expect.stringContaining('did not answer within 77 ms') as string }],
    ]);
    await stage.advance(500);

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await stage.advance(76);
    running[1]?.resolve('done');
    await settle();
    expect(call.response).toEqual({ result: 'done' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(stage.clock.waiting).toBe(0);
  });

  it('keeps one signal while no attempt was stopped', async () => {
    const signals: AbortSignal[] = [];
    const { stage, tool, running } = slow({ retry: 2 }, (signal) => signals.push(signal));
    const call = await stage.start(tool);
    running[0]?.reject(new Error('down'));
    await settle();
    await stage.advance(500);

    expect(signals).toHaveLength(2);
    expect(signals[0]).toBe(signals[1]);
    await call.cancel();
    expect(signals[0]?.aborted).toBe(true);
  });

  it('waits with a timer of Node where the clock has none', async () => {
    const { stage, tool, runs } = failing(1, { retry: { attempts: 2, delayMs: 1 } });

    expect(await stage.respond(tool, { clock: { now: () => 0 } })).toEqual({ result: 'done' });
    expect(runs()).toBe(2);
  });

  it('leaves no timer of Node behind when it is cancelled', async () => {
    const before = activeTimers();
    const { stage, tool } = failing(1, { retry: { attempts: 2, delayMs: 60_000 }, timeout: Infinity });
    const call = await stage.start(tool, { clock: { now: () => 0 } });
    expect(activeTimers()).toBe(before + 1);

    await call.cancel();

    expect(activeTimers()).toBe(before);
  });
});

/** A tool that fails a number of times. */
function failing(failures: number, fields: Partial<FunctionToolFields>) {
  const stage = new PolicyStage();
  let runs = 0;
  const run = (): string => {
    if (++runs <= failures) throw new Error(`failure ${String(runs)}`);
    return 'done';
  };
  return { stage, runs: () => runs, tool: toolNamed('pay', { effect: 'read', ...fields, run }) };
}

/** A tool whose first results say that a service is busy. */
function busy(failures: number, fields: Partial<FunctionToolFields>, retryAfterMs?: number) {
  const stage = new PolicyStage();
  let runs = 0;
  const run = () => ({ status: ++runs > failures ? 200 : 503 });
  const tool = new BusyTool(
    { name: 'read', description: '', effect: 'read', parameters: { type: 'object' }, run, ...fields },
    retryAfterMs,
  );
  return { stage, tool, runs: () => runs };
}

class BusyTool extends FunctionTool {
  constructor(
    fields: FunctionToolFields,
    private readonly retryAfterMs: number | undefined,
  ) {
    super(fields);
  }

  override failureIn(result: unknown): ToolError | undefined {
    const { status } = result as { readonly status: number };
    if (status === 200) return undefined;
    return new ToolError('It is busy.', { retryAfterMs: this.retryAfterMs });
  }
}

/** A tool whose runs the test ends. */
function slow(fields: Partial<FunctionToolFields>, onRun: (signal: AbortSignal) => void = () => undefined) {
  const stage = new PolicyStage();
  const running: Deferred<unknown>[] = [];
  const tool = toolNamed('pay', {
    effect: 'read',
    timeout: Infinity,
    ...fields,
    run: (_args, { signal }) => {
      onRun(signal);
      const one = new Deferred<unknown>();
      running.push(one);
      return one.promise;
    },
  });
  return { stage, running, tool };
}

function thrower(thrown: unknown): never {
  throw thrown;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
