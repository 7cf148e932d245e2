import type { CallbackChain } from './callbacks/callback-chain.js';
import { Cancellation, InvocationCancelledError } from '../run/cancellation.js';
import type { FunctionToolFields } from '../backend.js';
import { ToolError } from '../index.js';
import { type CallParts, ListLogger, NO_SINK, toolCall, toolNamed } from './tool-call.fixture.js';
import { RunGate } from './run.gate.js';

const GENERIC = 'The tool failed (Error). Details are hidden. Continue without it, or retry.';

describe('the run gate', () => {
  it('runs the tool once, with the arguments of the call, and never opens', async () => {
    const run = jest.fn(() => ({ paid: true }));

    expect(await enter({ run }, { args: { cents: 5 } })).toEqual({
      kind: 'completed',
      response: { paid: true },
      continues: false,
    });
    expect(run).toHaveBeenCalledTimes(1);
    expect(run).toHaveBeenCalledWith({ cents: 5 }, expect.anything());
  });

  it('answers without a promise where the tool does', async () => {
    const call = await toolCall(toolNamed('pay', { run: () => 'paid' }));

    expect(await new RunGate().enter(call, NO_SINK)).toMatchObject({ response: { result: 'paid' } });
  });

  it.each<[string, FunctionToolFields['run']]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'gives a thenable that throws',
      () => ({
        then: () => {
          throw new Error('secret');
        },
      }),
    ],
    [
      'throws in a generator',
      async function* () {
        yield await Promise.resolve(1);
        throw new Error('secret');
      },
    ],
  ])('makes an outcome of a tool that %s, with callbacks and without', async (_how, run) => {
    for (const callbacks of [{}, { onToolError: nothing }, { afterTool: nothing }]) {
      expect(await enter({ run }, { callbacks })).toMatchObject({
        kind: 'failed',
        response: { error: GENERIC },
      });
    }
  });

  it.each<[string, FunctionToolFields['run']]>([
    ['promises its result', () => Promise.resolve('paid')],
    [
      'returns it from a generator',
      async function* () {
        yield await Promise.resolve(1);
        return 'paid';
      },
    ],
    [
      'promises a generator that returns it',
      async () => {
        await Promise.resolve();
        return (async function* () {
          yield await Promise.resolve(1);
          return 'paid';
        })();
      },
    ],
  ])('answers with the result of a tool that %s, with callbacks and without', async (_how, run) => {
    for (const callbacks of [{}, { onToolError: nothing }, { afterTool: nothing }]) {
      expect(await enter({ run }, { callbacks })).toMatchObject({
        kind: 'completed',
        response: { result: 'paid' },
      });
    }
  });

  it('has beforeTool asked before it runs anything, and runs the tool afterwards', async () => {
    const run = jest.fn(() => 'paid');
    const call = await toolCall(toolNamed('pay', { run }), { callbacks: { beforeTool: nothing } });

    expect(await new RunGate().enter(call, NO_SINK)).toBe('intercept');
    expect(run).not.toHaveBeenCalled();

    call.isIntercepted = true;
    expect(await new RunGate().enter(call, NO_SINK)).toMatchObject({ response: { result: 'paid' } });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('answers with what afterTool gives, where it gives anything', async () => {
    const afterTool = jest.fn().mockResolvedValueOnce({ masked: true }).mockResolvedValueOnce(undefined);
    const run = (): string => 'paid';

    expect(await enter({ run }, { callbacks: { afterTool } })).toMatchObject({ response: { masked: true } });
    expect(await enter({ run }, { callbacks: { afterTool } })).toMatchObject({
      response: { result: 'paid' },
    });
  });

  it('answers with what onToolError gives, and fails where it gives nothing', async () => {
    const run = () => Promise.reject(new Error('secret'));
    const onToolError = jest.fn().mockResolvedValueOnce({ recovered: true }).mockResolvedValueOnce(undefined);
    const callbacks: CallbackChain = { onToolError };

    expect(await enter({ run }, { callbacks })).toMatchObject({
      kind: 'completed',
      response: { recovered: true },
    });
    expect(await enter({ run }, { callbacks })).toMatchObject({
      kind: 'failed',
      response: { error: GENERIC },
    });
  });

  it('makes an outcome of a callback that throws', async () => {
    const broken = () => Promise.reject(new Error('secret'));

    expect(await enter({}, { callbacks: { afterTool: broken } })).toMatchObject({ kind: 'failed' });
    const run = () => Promise.reject(new ToolError('no account'));
    expect(await enter({ run }, { callbacks: { onToolError: broken } })).toMatchObject({
      kind: 'failed',
      response: { error: GENERIC },
    });
  });

  it('tells the model that the time of a tool was up, with callbacks and without', async () => {
    const run = () => new Promise(() => undefined);
    for (const callbacks of [{}, { onToolError: nothing }]) {
      expect(await enter({ run, timeout: 1 }, { callbacks })).toMatchObject({
        kind: 'failed',
        response: {
          error: 'The tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
        },
      });
    }
  });

  it('answers for a tool that a cancellation leaves behind, and logs no failure of it', async () => {
    const cancellation = new Cancellation();
    const logger = new ListLogger();
    const entered = enter({ run: () => new Promise(() => undefined) }, { cancellation, logger });
    setImmediate(() => {
      cancellation.cancel();
    });

    expect(await entered).toMatchObject({ kind: 'failed', error: { code: 'CANCELLED' } });
    expect(logger.lines).toEqual([]);
  });

  it.each<[string, FunctionToolFields['run'], keyof CallbackChain]>([
    ['afterTool', () => 'paid', 'afterTool'],
    ['onToolError', () => Promise.reject(new Error('secret')), 'onToolError'],
  ])(
    'says that the outcome is unknown where %s is waited for at a cancellation',
    async (_hook, run, hook) => {
      const cancellation = new Cancellation();
      const callbacks: CallbackChain = { [hook]: () => new Promise<undefined>(() => undefined) };
      const entered = enter({ run }, { cancellation, callbacks });
      setImmediate(() => {
        cancellation.cancel();
      });

      expect(await entered).toMatchObject({ kind: 'failed', response: { outcome: 'unknown' } });
    },
  );

  it.each<[string, (ending: Ending) => void, string, object]>([
    ['completes', ({ resolve }) => resolve('late'), 'completed', {}],
    ['fails', ({ reject }) => reject(new Error('late')), 'failed', { error: new Error('late') }],
  ])('logs when a tool that it left behind %s after all', async (_how, end, ending, facts) => {
    for (const callbacks of [{}, { afterTool: nothing }]) {
      const cancellation = new Cancellation();
      const logger = new ListLogger();
      const running = deferred();
      const entered = enter({ run: () => running.promise }, { cancellation, logger, callbacks });
      setImmediate(() => cancellation.cancel());
      await entered;

      end(running);
      await new Promise((resolve) => setImmediate(resolve));

      expect(logger.lines).toEqual([
        [`tool "pay" was abandoned, and has since ${ending}`, { callId: 'c1', invocationId: 'i1', ...facts }],
      ]);
    }
  });

  it.each<[string, (signal: AbortSignal) => unknown]>([
    ['the reason of its signal', ({ reason }) => reason as unknown],
    ['an AbortError, as fetch does', () => new DOMException('aborted', 'AbortError')],
    ['the cancellation of the run, as an agent does', () => new InvocationCancelledError()],
  ])('logs nothing of a tool that stops with %s, as it was told', async (_what, thrown) => {
    const { lines, outcome } = await leaveBehind(thrown);

    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'CANCELLED' } });
    expect(lines).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'AbortError'],
    ['an object without a name', {}],
    ['undefined', undefined],
  ])('logs a tool that it left behind and that then throws %s', async (_what, thrown) => {
    const { lines } = await leaveBehind(() => thrown);

    expect(lines).toEqual([
      ['tool "pay" was abandoned, and has since failed', { callId: 'c1', invocationId: 'i1', error: thrown }],
    ]);
  });

  it('logs the error of a tool, which the model does not see', async () => {
    const logger = new ListLogger();
    const error = new Error('secret');

    await enter({ run: () => Promise.reject(error) }, { logger });

    expect(logger.lines).toEqual([['tool "pay" failed', { callId: 'c1', error }]]);
  });
});

/** Cancels a call whose tool throws then. */
async function leaveBehind(thrown: (signal: AbortSignal) => unknown) {
  const cancellation = new Cancellation();
  const logger = new ListLogger();
  const run: FunctionToolFields['run'] = (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
        reject(thrown(signal));
      });
    });
  const entered = enter({ run }, { cancellation, logger });
  setImmediate(() => {
    cancellation.cancel();
  });
  const outcome = await entered;
  await new Promise((resolve) => setImmediate(resolve));
  return { outcome, lines: logger.lines };
}

interface Ending {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Ending {
  let resolve: Ending['resolve'] = () => undefined;
  let reject: Ending['reject'] = () => undefined;
  const promise = new Promise((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

async function enter(fields: Partial<FunctionToolFields>, parts: CallParts = {}) {
  const call = await toolCall(toolNamed('pay', fields), parts);
  return new RunGate().enter(call, NO_SINK);
}
