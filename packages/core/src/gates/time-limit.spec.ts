import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { Cancellation } from '../run/cancellation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { createRunner, defineAgent } from '../index.js';
import { Clock } from '../runtime/clock.js';
import type { AgentNode } from '../run/agent-node.js';
import { FunctionTool, type FunctionToolFields } from '../tools/function.tool.js';
import { ToolContext } from '../tools/tool-context.js';
import type { Tool } from '../tools/tool.js';
import { timeLimitOf, withinCheckTime, withinTime } from './time-limit.js';
import { ReaderWait } from './reader-wait.js';

describe('withinTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives what the tool gives, and leaves no deadline and no listener behind', async () => {
    const { call, cancellation, context } = callOf({}, Promise.resolve('done'));

    await expect(call).resolves.toBe('done');

    cancellation.cancel();
    expect(waiting()).toBe(0);
    expect(context.signal.reason).not.toMatchObject({ name: 'InvocationCancelledError' });
  });

  it('throws what the tool throws, whatever it is', async () => {
    await expect(callOf({}, Promise.reject(new TypeError('broken'))).call).rejects.toThrow(
      new TypeError('broken'),
    );
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
    await expect(callOf({}, Promise.reject('a text')).call).rejects.toBe('a text');
    expect(waiting()).toBe(0);
  });

  it('gives up after the time of the tool, and tells it to stop', async () => {
    const { call, context } = callOf({ timeout: 500 }, never());
    const { signal } = context;
    const ended = expect(call).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'The tool "fetch" did not answer within 500 ms. Try again later, or continue without it.',
    });

    jest.advanceTimersByTime(499);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);

    await ended;
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ code: 'TOOL_TIMEOUT' });
  });

  it('shows an aborted signal to a tool that first looks at it after its time was up', async () => {
    const { call, context } = callOf({ timeout: 500 }, never());
    const ended = expect(call).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });

    jest.advanceTimersByTime(500);
    await ended;

    expect(context.signal.aborted).toBe(true);
  });

  it('gives up when the invocation is cancelled, and tells the tool to stop', async () => {
    const { call, context, cancellation } = callOf({}, never());
    const { signal } = context;
    const ended = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });

    cancellation.cancel();

    await ended;
    expect(signal.aborted).toBe(true);
    expect(waiting()).toBe(0);
  });

  it('throws what is thrown while an outcome is made of its result', async () => {
    const { call } = callOf({}, Promise.resolve('done'), {
      succeed: () => {
        throw new TypeError('broken');
      },
    });

    await expect(call).rejects.toThrow(new TypeError('broken'));
  });

  it.each<[string, (ending: Deferred) => void, unknown[]]>([
    ['ends', ({ resolve }) => resolve('late'), []],
    ['fails', ({ reject }) => reject('late'), [{ error: 'late' }]],
  ])(
    'says so once when a call that it left behind %s, and makes no outcome of it',
    async (_how, end, told) => {
      const [endedLate, succeed] = [jest.fn(), jest.fn()];
      const running = deferred();
      const { call } = callOf({ timeout: 500 }, running.promise, { endedLate, succeed });
      const ended = expect(call).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });
      jest.advanceTimersByTime(500);
      await ended;
      expect(endedLate).not.toHaveBeenCalled();

      end(running);
      await jest.advanceTimersByTimeAsync(0);

      expect(endedLate.mock.calls).toEqual([told]);
      expect(succeed).not.toHaveBeenCalled();
    },
  );

  it('says nothing of a late end where the call was in time', async () => {
    const endedLate = jest.fn();

    await callOf({}, Promise.resolve('done'), { endedLate }).call;
    await callOf({}, Promise.reject(new Error('broken')), { endedLate }).call.catch(() => undefined);

    expect(endedLate).not.toHaveBeenCalled();
  });

  it('sets no timer for a tool that may take for ever', () => {
    void callOf({ timeout: Infinity }, never()).call;
    void callOf({ longRunning: true }, never()).call;

    expect(jest.getTimerCount()).toBe(0);
  });

  it('still stops a tool that may take for ever when the invocation is cancelled', async () => {
    const { call, cancellation, context } = callOf({ timeout: Infinity }, never());
    const ended = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });

    cancellation.cancel();

    await ended;
    expect(context.signal.aborted).toBe(true);
  });
});

describe('the time limit of a call that waits for its reader', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is extended by every wait but its first millisecond, and by no wait twice', async () => {
    const readerWait = new ReaderWait();
    const { call, context } = callOf({ timeout: 500 }, never(), { readerWait });
    const { signal } = context;
    const ended = expect(call).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });
    const wait = async (milliseconds: number): Promise<void> => {
      const taken = deferred();
      void readerWait.until(taken.promise);
      await jest.advanceTimersByTimeAsync(milliseconds);
      taken.resolve(undefined);
      await jest.advanceTimersByTimeAsync(0);
    };

    await wait(200);
    await wait(100);
    await jest.advanceTimersByTimeAsync(250);
    await wait(1_000);
    await jest.advanceTimersByTimeAsync(246);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    expect(signal.aborted).toBe(true);
    await ended;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not extended once the call was cancelled', async () => {
    const readerWait = new ReaderWait();
    const taken = deferred();
    const { call, cancellation } = callOf({ timeout: 500 }, never(), { readerWait });
    const ended = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    void readerWait.until(taken.promise);
    await jest.advanceTimersByTimeAsync(600);
    cancellation.cancel();
    await ended;

    taken.resolve(undefined);
    await jest.advanceTimersByTimeAsync(0);

    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves no timer where the call ends in the time it was extended by', async () => {
    const readerWait = new ReaderWait();
    const [taken, running] = [deferred(), deferred()];
    const { call } = callOf({ timeout: 500 }, running.promise, { readerWait });
    void readerWait.until(taken.promise);
    await jest.advanceTimersByTimeAsync(600);
    taken.resolve(undefined);
    await jest.advanceTimersByTimeAsync(100);
    expect(jest.getTimerCount()).toBe(1);

    running.resolve('done');

    await expect(call).resolves.toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('withinCheckTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives the result of the check, whatever it is, and leaves no deadline behind', async () => {
    await expect(checkOf({}, Promise.resolve(false)).check).resolves.toBe(false);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a check may throw anything
    await expect(checkOf({}, Promise.reject('a text')).check).rejects.toBe('a text');

    expect(waiting()).toBe(0);
  });

  it.each<[TimeLimits, number]>([
    [{}, 30_000],
    [{ timeout: Infinity, longRunning: true }, 30_000],
    [{ checkTimeout: 500 }, 500],
  ])('fails a check of a tool with %j after %d ms', async (traits, limit) => {
    let isOver = false;
    const { check } = checkOf(traits, never());
    const ended = expect(check.finally(() => (isOver = true))).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: expect.stringMatching(/^The .+ of the tool ".+" did not answer within \d+ ms\./) as string,
    });

    await jest.advanceTimersByTimeAsync(limit - 1);
    expect(isOver).toBe(false);
    jest.advanceTimersByTime(1);

    await ended;
    expect(waiting()).toBe(0);
  });

  it('fails a check when the invocation is cancelled, also one without a limit', async () => {
    for (const traits of [{}, { checkTimeout: Infinity }]) {
      const { check, cancellation } = checkOf(traits, never());
      const ended = expect(check).rejects.toMatchObject({ code: 'CANCELLED' });

      cancellation.cancel();

      await ended;
      expect(waiting()).toBe(0);
    }
  });

  it('sets no timer for a check without a limit', () => {
    void checkOf({ checkTimeout: Infinity }, never()).check;

    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('timeLimitOf', () => {
  it.each<[TimeLimits, number]>([
    [{}, 30_000],
    [{ timeout: 5 }, 5],
    [{ timeout: Infinity }, Infinity],
    [{ longRunning: true }, Infinity],
    [{ background: true }, Infinity],
    [{ background: false }, 30_000],
    [{ longRunning: true, timeout: 5 }, 5],
  ])('of %j is %d ms', (traits, limit) => {
    expect(timeLimitOf(toolWith(traits), 30_000)).toBe(limit);
  });

  it('of a tool that listens is none, unless it states one', () => {
    expect(timeLimitOf({ takesLiveInput: true, traits: {} } as Tool, 30_000)).toBe(Infinity);
    expect(timeLimitOf({ takesLiveInput: true, traits: { timeout: 5 } } as Tool, 30_000)).toBe(5);
  });
});

interface CallParts {
  readonly readerWait?: ReaderWait;
  readonly succeed?: (value: unknown) => unknown;
  readonly endedLate?: () => void;
}

function callOf(traits: TimeLimits, running: Promise<unknown>, parts: CallParts = {}) {
  const { readerWait, succeed = (value) => value, endedLate = () => undefined } = parts;
  const cancellation = new Cancellation(clock);
  const invocation = { cancellation } as InvocationContext;
  const context = new ToolContext(invocation, {} as AgentNode, {
    functionCallId: 'c1',
    functionCallEventId: 'e1',
  });
  return {
    cancellation,
    context,
    call: withinTime(running, {
      tool: toolWith(traits),
      context,
      cancellation,
      toolTimeout: 30_000,
      endedLate,
      readerWait,
    }).then(succeed),
  };
}

function checkOf(traits: TimeLimits, checking: Promise<unknown>) {
  const cancellation = new Cancellation(clock);
  const check = withinCheckTime(checking, { tool: toolWith(traits), cancellation, part: 'confirm' });
  return { cancellation, check };
}

function toolWith(traits: TimeLimits): FunctionTool {
  return new FunctionTool({ ...traits, name: 'fetch', description: '', run: () => undefined });
}

type TimeLimits = Partial<FunctionToolFields>;

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => undefined;
  let reject: Deferred['reject'] = () => undefined;
  const promise = new Promise<void>(
    (...settle) => ([resolve, reject] = settle as [typeof resolve, typeof reject]),
  );
  return { promise, resolve, reject };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Counts the timers that wait. */
class CountingClock extends Clock {
  waiting = 0;

  now(): number {
    return Date.now() / 1000;
  }

  override after(milliseconds: number, callback: () => void): () => void {
    this.waiting++;
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    const timer = setTimeout(
      () => {
        end();
        callback();
      },
      Math.min(milliseconds, 2 ** 31 - 1),
    );
    return () => {
      end();
      clearTimeout(timer);
    };
  }
}

const clock = new CountingClock();

/** The deadlines that are still to come. */
function waiting(): number {
  return clock.waiting;
}

it('the limit of the runner holds for a tool that states none, and a run may have another', async () => {
  const hang = new FunctionTool({
    name: 'hang',
    description: 'Hangs.',
    parameters: { type: 'object', properties: {} },
    run: () => new Promise<never>(() => undefined),
  });
  const answers = [callsTool('hang'), says('Late.'), callsTool('hang'), says('Late.')];
  const clerk = defineAgent({
    name: 'clerk',
    description: '',
    tools: [hang],
    model: new ScriptedModel(...answers),
  });
  await using runner = await createRunner(clerk, { config: { toolTimeout: 1 } });

  const first = await runner.run({ userId: 'ada', message: 'Go.' });
  const second = await runner.run({ userId: 'ada', message: 'Go.', config: { toolTimeout: 2 } });

  const errors = [first, second].map(({ events }) => events[1]?.functionResponses[0]?.response?.['error']);
  expect(errors).toEqual([
    expect.stringContaining('did not answer within 1 ms'),
    expect.stringContaining('did not answer within 2 ms'),
  ]);
});
