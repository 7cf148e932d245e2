import { Cancellation } from '../invocation/cancellation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { FunctionTool } from '../tools/function.tool.js';
import type { ToolTraits } from '../tools/tool.js';
import { ToolContext } from '../tools/tool-context.js';
import { timeLimitOf, withinCheckTime, withinTime } from './time-limit.js';

describe('withinTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives what the tool gives, and leaves no timer and no listener behind', async () => {
    const { call, cancellation, context } = callOf({}, Promise.resolve('done'));

    await expect(call).resolves.toBe('done');

    cancellation.cancel();
    expect(jest.getTimerCount()).toBe(0);
    expect(context.signal.reason).not.toMatchObject({ name: 'InvocationCancelledError' });
  });

  it('throws what the tool throws, whatever it is', async () => {
    await expect(callOf({}, Promise.reject(new TypeError('broken'))).call).rejects.toThrow(
      new TypeError('broken'),
    );
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
    await expect(callOf({}, Promise.reject('a text')).call).rejects.toBe('a text');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives up after the time of the tool, and tells it to stop', async () => {
    const { call, context } = callOf({ timeout: 500 }, never());
    const { signal } = context;
    const ended = expect(call).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'The tool "fetch" did not answer within 500 ms. Try again later, or go on without it.',
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
    expect(jest.getTimerCount()).toBe(0);
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

describe('withinCheckTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives the result of the check, whatever it is, and leaves no timer behind', async () => {
    await expect(checkOf({}, Promise.resolve(false)).check).resolves.toBe(false);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a check may throw anything
    await expect(checkOf({}, Promise.reject('a text')).check).rejects.toBe('a text');

    expect(jest.getTimerCount()).toBe(0);
  });

  it.each<[ToolTraits, number]>([
    [{}, 30_000],
    [{ timeout: Infinity, longRunning: true }, 30_000],
    [{ checkTimeout: 500 }, 500],
  ])('fails a check of a tool with %j after %d ms', async (traits, limit) => {
    let isOver = false;
    const { check } = checkOf(traits, never());
    const ended = expect(check.finally(() => (isOver = true))).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
    });

    await jest.advanceTimersByTimeAsync(limit - 1);
    expect(isOver).toBe(false);
    jest.advanceTimersByTime(1);

    await ended;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails a check when the invocation is cancelled, also one without a limit', async () => {
    for (const traits of [{}, { checkTimeout: Infinity }]) {
      const { check, cancellation } = checkOf(traits, never());
      const ended = expect(check).rejects.toMatchObject({ code: 'CANCELLED' });

      cancellation.cancel();

      await ended;
      expect(jest.getTimerCount()).toBe(0);
    }
  });

  it('sets no timer for a check without a limit', () => {
    void checkOf({ checkTimeout: Infinity }, never()).check;

    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('timeLimitOf', () => {
  it.each<[ToolTraits, number]>([
    [{}, 30_000],
    [{ timeout: 5 }, 5],
    [{ timeout: Infinity }, Infinity],
    [{ longRunning: true }, Infinity],
    [{ longRunning: true, timeout: 5 }, 5],
  ])('of %j is %d ms', (traits, limit) => {
    expect(timeLimitOf(toolWith(traits))).toBe(limit);
  });
});

function callOf(traits: ToolTraits, running: Promise<unknown>) {
  const cancellation = new Cancellation();
  const invocation = { cancellation } as InvocationContext;
  const context = new ToolContext(invocation, {} as AgentNode, {
    functionCallId: 'c1',
    functionCallEventId: 'e1',
  });
  return {
    cancellation,
    context,
    call: withinTime(
      running,
      { tool: toolWith(traits), context, cancellation, endedLate: () => undefined },
      (value) => value,
      rethrow,
    ),
  };
}

function checkOf(traits: ToolTraits, checking: Promise<unknown>) {
  const cancellation = new Cancellation();
  const check = withinCheckTime(checking, { tool: toolWith(traits), cancellation, part: 'confirm' });
  return { cancellation, check };
}

function toolWith(traits: ToolTraits): FunctionTool {
  return new FunctionTool({ ...traits, name: 'fetch', description: '', run: () => undefined });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function rethrow(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
  return Promise.reject(error);
}
