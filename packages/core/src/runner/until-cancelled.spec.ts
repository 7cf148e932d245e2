import { jest } from '@jest/globals';
import { eventsOf, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type AgentNode,
  BaseAgent,
  createRunner,
  type Event,
  type InvocationContext,
  type Runner,
} from '../index.js';
import { Cancellation } from '../invocation/cancellation.js';
import { UntilCancelled } from './until-cancelled.js';

describe('a run that is cancelled', () => {
  it('ends also where its agent waits for what never comes', async () => {
    const events = await cancelled(Waiting);

    expect(events.map(({ text, errorCode }) => [text, errorCode])).toEqual([
      ['Wait.', undefined],
      ['', 'CANCELLED'],
    ]);
  });

  it('ends with an event that says so also where its agent does not', async () => {
    const events = await cancelled(Heedless);

    expect(events.map(({ text, errorCode }) => [text, errorCode])).toEqual([
      ['Well.', undefined],
      ['Well, well.', undefined],
      ['', 'CANCELLED'],
    ]);
  });

  it.each<[string, (run: AsyncGenerator<Event>, runner: Runner) => unknown]>([
    ['its reader stops', (run) => run.return(undefined)],
    [
      'it is cancelled, and its agent does not stop by itself',
      (run, runner) => (runner.cancel('e-1'), drain(run)),
    ],
  ])('has the finally blocks of its agents run where %s', async (_why, stop) => {
    const closed: string[] = [];
    @agent({ description: '' })
    class Careful extends BaseAgent {
      async *run(context: InvocationContext, node: AgentNode): AsyncGenerator<Event, void, undefined> {
        try {
          for (;;) yield context.event({ author: node.name });
        } finally {
          closed.push('closed');
        }
      }
    }
    await using runner = await createRunner(Careful, { model: new ScriptedModel() });
    const run = runner.run({ invocationId: 'e-1', message: 'Hello' });
    await run.next();

    await stop(run, runner);

    expect(closed).toEqual(['closed']);
  });

  it('writes nothing to the log once it has ended, also where its agent goes on', async () => {
    let wake: () => void = () => undefined;
    let late: Promise<unknown> | undefined;
    const awake = new Promise<void>((resolve) => (wake = resolve));
    @agent({ description: '' })
    class Sleeper extends BaseAgent {
      // eslint-disable-next-line require-yield -- it has nothing to say while it sleeps
      async *run(context: InvocationContext, node: AgentNode): AsyncGenerator<Event, void, undefined> {
        await awake;
        late = context.append(context.event({ author: node.name, errorMessage: 'Too late.' }));
        await late.catch(() => undefined);
      }
    }
    const runner = await createRunner(Sleeper, { model: new ScriptedModel() });
    const events = eventsOf(runner.run({ sessionId: 's1', message: 'Hello' }));
    await runner.close();
    await events;

    wake();
    await awake;

    await expect(late).rejects.toMatchObject({ code: 'CANCELLED' });
    const log = await runner.sessions.getSession({ appName: 'sleeper', userId: 'user', sessionId: 's1' });
    expect(log?.events.at(-1)?.errorCode).toBe('CANCELLED');
  });
});

describe('UntilCancelled', () => {
  const END = { done: true, value: undefined };

  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('has the finally blocks run at once where its reader stops, and leaves no timer behind', async () => {
    const log: string[] = [];
    const { events, cancellation } = until(counting(log));
    await events.next();

    await expect(events.return()).resolves.toEqual(END);

    cancellation.cancel();
    expect([log, jest.getTimerCount()]).toEqual([['closed'], 0]);
    await expect(events.next()).resolves.toEqual(END);
  });

  it('leaves an agent behind that hangs in its finally block when the grace is over, and not before', async () => {
    const { events } = until(counting([], new Promise(() => undefined)));
    await events.next();
    let isOver = false;
    const stopped = events.return().then((result) => ((isOver = true), result));

    await jest.advanceTimersByTimeAsync(499);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    await expect(stopped).resolves.toEqual(END);
    await expect(events.return()).resolves.toEqual(END);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives an agent that is cancelled the same grace from the cancellation on', async () => {
    const { events, cancellation } = until(counting([], undefined, new Promise(() => undefined)));
    await events.next();
    const asked = events.next();
    let isOver = false;
    void asked.then(() => (isOver = true));
    cancellation.cancel();
    const stopped = events.return();

    await jest.advanceTimersByTimeAsync(499);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    await expect(stopped).resolves.toEqual(END);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind where the reader of a cancelled agent stops', async () => {
    const { events, cancellation } = until(counting([]));
    await events.next();
    cancellation.cancel();
    await jest.advanceTimersByTimeAsync(100);

    await expect(events.return()).resolves.toEqual(END);

    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes a hundred more events of an agent that does not stop, and no more', async () => {
    const log: string[] = [];
    const { events, cancellation } = until(counting(log));
    await events.next();
    cancellation.cancel();

    const taken: unknown[] = [];
    for await (const event of events) taken.push(event);
    await jest.advanceTimersByTimeAsync(0);

    expect([taken.length, log, jest.getTimerCount()]).toEqual([100, ['closed'], 0]);
  });

  it('does not wait for the finally block of an agent that does not stop', async () => {
    const { events, cancellation } = until(counting([], new Promise(() => undefined)));
    cancellation.cancel();

    for await (const _event of events);

    expect(jest.getTimerCount()).toBe(0);
  });

  it.each<[string, (events: UntilCancelled<number>) => Promise<unknown>]>([
    ['the agent', (events) => events.next()],
    ['a finally block of it', (events) => events.return()],
  ])('throws what %s throws, and leaves no timer behind', async (_what, go) => {
    const { events, cancellation } = until(broken());
    await events.next();

    await expect(go(events)).rejects.toThrow('Broken.');

    cancellation.cancel();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends with an agent that ends by itself, and leaves no timer behind', async () => {
    const { events, cancellation } = until(
      (async function* () {
        yield await Promise.resolve(1);
      })(),
    );

    expect([await events.next(), await events.next()]).toEqual([{ done: false, value: 1 }, END]);

    cancellation.cancel();
    expect(jest.getTimerCount()).toBe(0);
  });
});

function until<Item>(source: AsyncGenerator<Item, void, undefined>) {
  const cancellation = new Cancellation();
  return { cancellation, events: new UntilCancelled(source, cancellation) };
}

/** Counts for ever, and writes to the log when it was closed. */
async function* counting(
  log: string[],
  closing?: Promise<void>,
  between?: Promise<void>,
): AsyncGenerator<number, void, undefined> {
  try {
    for (let number = 1; ; number++) {
      yield number;
      await between;
    }
  } finally {
    await closing;
    log.push('closed');
  }
}

async function* broken(): AsyncGenerator<number, void, undefined> {
  try {
    yield await Promise.resolve(1);
  } finally {
    // eslint-disable-next-line no-unsafe-finally -- an agent may do so
    throw new Error('Broken.');
  }
}

async function drain(run: AsyncGenerator<Event>): Promise<void> {
  while ((await run.next()).done !== true);
}

@agent({ description: '' })
class Waiting extends BaseAgent {
  async *run(context: InvocationContext, node: AgentNode): AsyncGenerator<Event, void, undefined> {
    yield context.event({ author: node.name, content: { role: 'model', parts: [{ text: 'Wait.' }] } });
    await new Promise(() => undefined);
  }
}

@agent({ description: '' })
class Heedless extends BaseAgent {
  async *run(context: InvocationContext, node: AgentNode): AsyncGenerator<Event, void, undefined> {
    for (const text of ['Well.', 'Well, well.']) {
      yield context.event({ author: node.name, content: { role: 'model', parts: [{ text }] } });
    }
  }
}

async function cancelled(Agent: typeof Waiting | typeof Heedless): Promise<Event[]> {
  await using runner = await createRunner(Agent, { model: new ScriptedModel() });
  const run = runner.run({ invocationId: 'e-1', message: 'Hello' });
  const first = await run.next();
  runner.cancel('e-1');
  return [...(first.done === true ? [] : [first.value]), ...(await eventsOf(run))];
}
