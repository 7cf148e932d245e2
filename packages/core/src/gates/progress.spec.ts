import { getEventListeners } from 'node:events';

import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import { createRunner, defineAgent, FunctionTool } from '../index.js';
import { isProgressing, RunGate } from './run.gate.js';
import { NO_SINK, toolCall, toolNamed } from './tool-call.fixture.js';

describe('a tool that is a generator', () => {
  it.each<[string, FunctionToolFields['run']]>([
    ['at once', count],
    ['after it had to wait', async () => count()],
  ])('shows what it yields and answers with what it returns: %s', async (_when, run) => {
    const events = await answersTo(run);

    expect(events.map(({ partial, functionResponses }) => [partial, functionResponses[0]?.response])).toEqual(
      [
        [true, { result: 1 }],
        [true, { result: 2 }],
        [false, { result: 'counted' }],
      ],
    );
  });

  it('is told to return when its time is up, and its signal has no listener left when it ended', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const left: string[] = [];
    const listeners: number[] = [];

    const [, last] = await answersTo(
      async function* (_args, { signal }) {
        try {
          yield 1;
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          yield 2;
          left.push('went on');
        } finally {
          left.push('returned');
        }
      },
      { timeout: 1 },
    );
    await answersTo(async function* (_args, { signal }) {
      listeners.push(getEventListeners(signal, 'abort').length);
      yield await Promise.resolve(1);
      setImmediate(() => listeners.push(getEventListeners(signal, 'abort').length));
    });
    await new Promise((resolve) => setImmediate(resolve));

    expect(last?.functionResponses[0]?.response?.['error']).toMatch(/did not answer within 1 ms/);
    expect(left).toEqual(['returned']);
    expect(listeners).toEqual([1, 0]);
  });

  it.each<[string, FunctionToolFields['run'], unknown[]]>([
    ['several', () => yields(1, 2), [1, 2]],
    ['none', () => yields(), []],
  ])('answers with the list of its yields where it returns nothing: %s', async (_how, run, list) => {
    const events = await answersTo(run);

    expect(events.at(-1)?.functionResponses[0]?.response).toEqual({ result: list });
  });

  it.each([null, 0, '', false])('answers with %j where it returns that', async (returned) => {
    const events = await answersTo(async function* () {
      yield await Promise.resolve(1);
      return returned;
    });

    expect(events.at(-1)?.functionResponses[0]?.response).toEqual({ result: returned });
  });

  it('shows nothing of what it yields after its time was up', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { generator } = iterating(async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { done: count > 3, value: count };
    });
    const emit = jest.fn(() => Promise.resolve());
    const call = await toolCall(toolNamed('count', { timeout: 1, run: () => generator }));

    await new RunGate().enter(call, { emit });
    await new Promise((resolve) => setTimeout(resolve, 60));

    expect(emit).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<void>]>([
    ['never waits', () => Promise.resolve()],
    ['waits between its yields', () => new Promise((resolve) => setTimeout(resolve, 1))],
  ])('is asked for nothing more after its time limit if it has no return and %s', async (_how, pause) => {
    let asked = 0;
    const iterator = {
      next: async () => {
        // A driver that does not stop would keep this process busy for ever.
        if (asked++ > 1_000_000) return { done: true, value: undefined };
        await pause();
        return { done: false, value: asked };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    const call = await toolCall(toolNamed('count', { timeout: 20, run: () => iterator }));

    await new RunGate().enter(call, NO_SINK);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const after = asked;
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(after).toBeLessThan(1_000_000);
    expect(asked).toBe(after);
  });

  it.each<[string, () => unknown]>([
    ['returns', () => Promise.resolve({ done: true, value: undefined })],
    [
      'throws',
      () => {
        throw new Error('no end');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no end'))],
  ])('is told to return where its reader is gone, whether it then %s or not', async (_how, end) => {
    const { generator, ended } = iterating((count) => Promise.resolve({ done: false, value: count }), end);
    const call = await toolCall(toolNamed('count', { run: () => generator }));
    const sink = { emit: () => Promise.reject(new Error('the reader is gone')) };

    const outcome = await new RunGate().enter(call, sink);

    expect(outcome).toMatchObject({ kind: 'failed', error: new Error('the reader is gone') });
    expect(ended).toHaveBeenCalledTimes(1);
    expect(getEventListeners(call.context.signal, 'abort')).toEqual([]);
  });

  it.each<[string, unknown, boolean]>([
    ['an async generator', count(), true],
    ['an iterator that is its own iterable', iterating(() => new Promise(() => undefined)).generator, true],
    ['an iterable that is no iterator', { [Symbol.asyncIterator]: count }, false],
    ['an iterator that is no iterable', { next: () => count().next() }, false],
    ['a function', count, false],
    ['a text', 'next', false],
    ['null', null, false],
    ['undefined', undefined, false],
  ])('is told by what it has: %s', (_what, result, isGenerator) => {
    expect(isProgressing(result)).toBe(isGenerator);
  });

  it('is refused where it cannot be waited for: nothing of it would have run', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);

    const [answer] = await answersTo(function* () {
      yield 1;
    });

    expect(answer?.functionResponses[0]?.response?.['error']).toMatch(/^The value contains an iterator/);
  });
});

describe('the time limit of a tool that is a generator', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string, FunctionToolFields['run'], object]>([
    ['at once', count, {}],
    ['after it had to wait', async () => count(), {}],
    ['with callbacks', async () => count(), { afterTool: () => undefined }],
  ])('does not count the time that its reader takes: %s', async (_when, run, callbacks) => {
    const { outcome, emit } = await started(run, callbacks);
    for (let taken = 0; taken < 2; taken++) {
      await jest.advanceTimersByTimeAsync(600_000);
      emit.mock.calls[taken]?.[1]();
      await jest.advanceTimersByTimeAsync(0);
    }

    expect(await outcome).toMatchObject({ kind: 'completed', response: { result: 'counted' } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('still counts the time of the tool itself and a millisecond of each wait for the reader', async () => {
    let isOver = false;
    const { outcome, emit } = await started(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 300));
      yield 1;
      await new Promise(() => undefined);
    });
    void outcome.then(() => (isOver = true));

    await jest.advanceTimersByTimeAsync(300);
    await jest.advanceTimersByTimeAsync(600_000);
    emit.mock.calls[0]?.[1]();
    await jest.advanceTimersByTimeAsync(198);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);

    expect(await outcome).toMatchObject({ kind: 'failed', error: { code: 'TOOL_TIMEOUT' } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends a tool that yields for ever at its limit, however quickly its events are read', async () => {
    let isOver = false;
    const { outcome } = await started(
      async function* () {
        for (;;) yield await Promise.resolve(1);
      },
      {},
      (_event, taken) => {
        setTimeout(taken, 1);
      },
    );
    void outcome.then(() => (isOver = true));

    await jest.advanceTimersByTimeAsync(501);
    expect(isOver).toBe(true);

    expect(await outcome).toMatchObject({ kind: 'failed', error: { code: 'TOOL_TIMEOUT' } });
  });

  it('ends a tool at its limit that yields for ever and never waits, and lets timers fire meanwhile', async () => {
    const call = await toolCall(
      toolNamed('count', {
        timeout: 20,
        run: async function* () {
          for (;;) yield 1;
        },
      }),
    );
    let isFired = false;
    setTimeout(() => (isFired = true), 1);

    const outcome = await new RunGate().enter(call, { emit: () => Promise.resolve() });

    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'TOOL_TIMEOUT' } });
    expect(isFired).toBe(true);
  });

  /** A call with a limit of 500 ms; each emitted event waits until the second argument of `emit`'s call is called. */
  async function started(run: FunctionToolFields['run'], callbacks = {}, read?: Read) {
    const emit = jest.fn((event: unknown, taken: () => void) => read?.(event, taken));
    const sink = {
      emit: (event: unknown) =>
        new Promise<void>((taken) => {
          emit(event, taken);
        }),
    };
    const call = await toolCall(toolNamed('count', { run, timeout: 500 }), { callbacks });
    jest.useFakeTimers();
    return { emit, outcome: Promise.resolve(new RunGate().enter(call, sink)) };
  }
});

async function* yields(...values: number[]): AsyncGenerator<number, void> {
  yield* values;
}

/** An iterator of a tool's own making, which gives what `next` makes of the number of the step. */
function iterating(
  next: (count: number) => Promise<IteratorResult<unknown>>,
  end: () => unknown = () => Promise.resolve(),
) {
  let count = 0;
  const ended = jest.fn(end);
  const generator = {
    next: () => next(++count),
    return: ended,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return { generator, ended };
}

type Read = (event: unknown, taken: () => void) => void;

async function* count(): AsyncGenerator<number, string> {
  yield 1;
  yield 2;
  return 'counted';
}

async function answersTo(run: FunctionToolFields['run'], traits: Partial<FunctionToolFields> = {}) {
  const tool = new FunctionTool({ ...traits, name: 'count', description: '', run });
  const model = new ScriptedModel(callsTool('count'), says('Done.'));
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), { model });
  const events = await eventsOf(runner.run({ message: 'Count.' }));
  return events.filter(({ functionResponses }) => functionResponses.length > 0);
}
