import { QuietLogger } from '../../gates/quiet-services.fixture.js';
import { SystemClock } from '../../runtime/clock.js';
import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  type InvocationContext,
  type Runner,
} from '../../index.js';
import type { EventFields } from '../../events/event.js';
import type { AgentNode } from '../../run/agent-node.js';
import { emitEvents, stopEvent } from '../../run/emit-events.js';
import { ActiveRun, type RunHandle, READER_STOPPED } from './active-run.js';
import { Stage } from '../stage.js';

describe('a run', () => {
  it('leaves no timer behind, with a call and without one', async () => {
    const pay = new FunctionTool({ name: 'pay', description: '', run: () => 'paid' });
    const model = new ScriptedModel(says('Hello.'), callsTool('pay'), says('Paid.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [pay], model }));
    const before = activeTimers();

    await runner.run({ sessionId: 's1', message: 'Hello.' });
    const afterText = activeTimers();
    await runner.run({ sessionId: 's1', message: 'Pay.' });

    expect([afterText, activeTimers()]).toEqual([before, before]);
  });
});

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
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        try {
          for (;;) yield context.event({ author: context.agent.name });
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
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        await awake;
        late = context.append(context.event({ author: context.agent.name, errorMessage: 'Too late.' }));
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

describe('a driver of an execution', () => {
  const END = { done: true, value: undefined };

  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('has the finally blocks run at once where its reader stops, and leaves no timer behind', async () => {
    const log: string[] = [];
    const { run } = runOf(counting(log));
    await run.next();

    await expect(run.return()).resolves.toEqual(END);

    expect([log, jest.getTimerCount()]).toEqual([['closed'], 0]);
    await expect(run.next()).resolves.toEqual(END);
  });

  it('leaves an agent behind that hangs in its finally block when the grace is over, and not before', async () => {
    const { run } = runOf(counting([], new Promise(() => undefined)));
    await run.next();
    let isOver = false;
    const stopped = run.return().then((result) => ((isOver = true), result));

    await jest.advanceTimersByTimeAsync(499);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    await expect(stopped).resolves.toEqual(END);
    await expect(run.return()).resolves.toEqual(END);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives an agent that is cancelled the same grace from the cancellation on', async () => {
    const { run, closed } = runOf(counting([], undefined, new Promise(() => undefined)));
    await run.next();
    const asked = run.next();
    run.cancellation.cancel();
    const stopped = run.return();

    await jest.advanceTimersByTimeAsync(499);
    expect(closed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);

    await expect(asked).resolves.toMatchObject({ value: { errorCode: 'CLOSED' } });
    await expect(stopped).resolves.toEqual(END);
    expect([closed, jest.getTimerCount()]).toEqual([['closed', 'finished'], 0]);
  });

  it('gives the grace once, however many events come within it', async () => {
    const { run, closed } = runOf(slow(200));
    const begun = run.next();
    await jest.advanceTimersByTimeAsync(200);
    await begun;
    run.cancellation.cancel();
    const rest = eventsOf(run);

    await jest.advanceTimersByTimeAsync(499);
    expect(closed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);

    expect((await rest).map(({ errorCode }) => errorCode)).toEqual([undefined, undefined, 'CLOSED']);
  });

  it('waits for a store as long as it takes, and leaves the agent behind after it', async () => {
    let store: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (store = resolve));
    const { run, closed } = runOf(counting([]), (event) =>
      event.id === '2' ? storing.then(() => event) : Promise.resolve(event),
    );
    await run.next();
    const asked = run.next();
    run.cancellation.cancel();

    await jest.advanceTimersByTimeAsync(1499);
    expect(closed).toEqual([]);
    store();

    await expect(asked).resolves.toMatchObject({ value: { id: '2' } });
    await expect(run.next()).resolves.toMatchObject({ value: { errorCode: 'CLOSED' } });
  });

  it.each<[string, (event: Event) => Promise<Event>]>([
    [
      'throws',
      () => {
        throw new Error('Full.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Full.'))],
  ])(
    'ends an agent whose event cannot be stored, and then throws why: the store %s',
    async (_how, accept) => {
      for (const source of [counting, broken]) {
        const log: string[] = [];
        const { run, closed } = runOf(source(log), accept);

        await expect(run.next()).rejects.toThrow('Full.');

        expect([log, closed, jest.getTimerCount()]).toEqual([['closed'], ['finished'], 0]);
      }
    },
  );

  it('throws why an event cannot be stored also where a finally block of its agent hangs', async () => {
    const { run, closed } = runOf(counting([], new Promise(() => undefined)), () =>
      Promise.reject(new Error('Full.')),
    );
    const refused = expect(run.next()).rejects.toThrow('Full.');

    await jest.advanceTimersByTimeAsync(500);

    await refused;
    expect([closed, jest.getTimerCount()]).toEqual([['finished'], 0]);
  });

  it('ends an agent that does not go on, and begins the next', async () => {
    const log: string[] = [];
    const stopped = stopEvent({ agent: { name: 'ann' } as AgentNode, event: () => eventOf('2') });
    const { run } = runOf([counting(log, undefined, undefined, stopped), slow(0, 1)]);
    const read = eventsOf(run);
    await jest.advanceTimersByTimeAsync(1);

    expect([(await read).map(({ id }) => id), log]).toEqual([['1', '1', 'closing'], ['closed']]);
  });

  it('begins no agent where there is no more to do than the beginning', async () => {
    const { run, closed } = runOf([]);

    expect((await eventsOf(run)).map(({ id }) => id)).toEqual(['closing']);

    expect(closed).toEqual(['closed', 'finished']);
  });

  it('leaves no timer behind where the reader of a cancelled agent stops', async () => {
    const { run } = runOf(counting([]));
    await run.next();
    run.cancellation.cancel();
    await jest.advanceTimersByTimeAsync(100);

    await expect(run.return()).resolves.toEqual(END);

    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes a hundred more events of an agent that does not stop, and no more', async () => {
    const log: string[] = [];
    const { run, closed } = runOf(counting(log));
    await run.next();
    run.cancellation.cancel();

    const taken = await eventsOf(run);
    await jest.advanceTimersByTimeAsync(0);

    expect(taken.map(({ errorCode }) => errorCode)).toEqual([...Array<undefined>(100), 'CLOSED']);
    expect([log, closed, jest.getTimerCount()]).toEqual([['closed'], ['closed', 'finished'], 0]);
  });

  it('asks a cancelled agent for nothing once the grace is over', async () => {
    const { run } = runOf(counting([]));
    await run.next();
    run.cancellation.cancel();
    await jest.advanceTimersByTimeAsync(500);

    expect((await eventsOf(run)).map(({ errorCode }) => errorCode)).toEqual(['CLOSED']);
  });

  it('does not wait for the finally block of an agent that does not stop', async () => {
    const { run } = runOf(counting([], new Promise(() => undefined)));
    await run.next();
    run.cancellation.cancel();

    await eventsOf(run);

    expect(jest.getTimerCount()).toBe(0);
  });

  it.each<[string, (run: ActiveRun<string>) => Promise<unknown>]>([
    ['the agent', (run) => run.next()],
    ['a finally block of it', (run) => run.return()],
  ])('throws what %s throws once, finishes, and leaves no timer behind', async (_what, go) => {
    const { run, closed } = runOf(broken());
    await run.next();

    await expect(go(run)).rejects.toThrow('Broken.');

    await expect(run.next()).resolves.toEqual(END);
    expect([closed, jest.getTimerCount()]).toEqual([['finished'], 0]);
  });

  it('closes after an agent that ends by itself, finishes, and leaves no timer behind', async () => {
    const { run, closed } = runOf(
      (async function* () {
        yield await Promise.resolve(eventOf('1'));
      })(),
    );

    expect((await eventsOf(run)).map(({ id }) => id)).toEqual(['1', 'closing']);

    run.cancellation.cancel();
    expect([closed, jest.getTimerCount()]).toEqual([['closed', 'finished'], 0]);
  });

  it('gives the events in their order to readers that ask ahead, and ends them all', async () => {
    const { run } = runOf(slow(1, 2));
    const asked = [run.next(), run.next(), run.next(), run.next(), run.next()];

    await jest.advanceTimersByTimeAsync(10);

    const ids = (await Promise.all(asked)).map(({ value }) => value?.id);
    expect(ids).toEqual(['1', '2', 'closing', undefined, undefined]);
  });

  it('gives a store two seconds for each event of a cancelled run, not for all of them', async () => {
    const { run } = runOf(counting([]), (event) => later(1_500).then(() => event));
    const first = run.next();
    run.cancellation.cancel();
    await jest.advanceTimersByTimeAsync(1_500);
    await expect(first).resolves.toMatchObject({ value: { id: '1' } });
    const second = run.next();

    await jest.advanceTimersByTimeAsync(1_500);

    await expect(second).resolves.toMatchObject({ done: false });
  });

  it.each([
    [1_000, false],
    [1_001, true],
  ])(
    'keeps a thousand events for a reader that has begun: with %i it is cancelled: %s',
    async (unread, isCancelled) => {
      const { run } = runOf(slow(1));
      const first = run.next();
      await jest.advanceTimersByTimeAsync(1);
      await first;

      run.detach();
      await jest.advanceTimersByTimeAsync(unread);

      expect(run.cancellation.isCancelled).toBe(isCancelled);
    },
  );

  it('throws an error of its reader once the agents have ended', async () => {
    const log: string[] = [];
    const { run } = runOf(counting(log));
    await run.next();

    await expect(run.throw(new Error('Enough.'))).rejects.toThrow('Enough.');

    expect(log).toEqual(['closed']);
  });
});

type Source = AsyncGenerator<Event, void, undefined>;

/** A run of agents with those events, which closes with an event of its own, and what was called of its execution. */
function runOf(agents: Source | Source[], accept = (event: Event): Promise<Event> => Promise.resolve(event)) {
  const closed: string[] = [];
  const waiting = [agents].flat();
  const execute = async (run: RunHandle): Promise<never> => {
    try {
      const stage = new Stage(run, accept);
      await stage.until(async () => {
        for (const events of waiting) await emitEvents(events, stage);
      });
      if (run.hasStopped) throw READER_STOPPED;
      closed.push('closed');
      for await (const event of closing()) await run.emit(event, (one) => Promise.resolve(one));
      return undefined as never;
    } finally {
      run.cancellation.cancel();
      closed.push('finished');
    }
  };
  return {
    run: new ActiveRun<string>('e-1', execute, { clock: new SystemClock(), logger: new QuietLogger() }),
    closed,
  };
}

function eventOf(id: string, body: Partial<EventFields> = {}): Event {
  return new Event({ author: 'someone', id, ...body }, { invocationId: 'e-1', timestamp: 0 });
}

async function* closing(): AsyncGenerator<Event, void, undefined> {
  yield await Promise.resolve(eventOf('closing', { errorCode: 'CLOSED' }));
}

async function* slow(milliseconds: number, count = Infinity): AsyncGenerator<Event, void, undefined> {
  for (let number = 1; number <= count; number++) {
    await later(milliseconds);
    yield eventOf(String(number));
  }
}

/** Counts for ever, and writes to the log when it was closed. */
async function* counting(
  log: string[],
  closing?: Promise<void>,
  between?: Promise<void>,
  second?: Event,
): AsyncGenerator<Event, void, undefined> {
  try {
    for (let number = 1; ; number++) {
      yield number === 2 && second !== undefined ? second : eventOf(String(number));
      await between;
    }
  } finally {
    await closing;
    log.push('closed');
  }
}

async function* broken(log: string[] = []): AsyncGenerator<Event, void, undefined> {
  try {
    yield await Promise.resolve(eventOf('1'));
  } finally {
    log.push('closed');
    // eslint-disable-next-line no-unsafe-finally -- an agent may do so
    throw new Error('Broken.');
  }
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function drain(run: AsyncGenerator<Event>): Promise<void> {
  while ((await run.next()).done !== true);
}

@agent({ description: '' })
class Waiting extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    yield context.event({
      author: context.agent.name,
      content: { role: 'model', parts: [{ text: 'Wait.' }] },
    });
    await new Promise(() => undefined);
  }
}

@agent({ description: '' })
class Heedless extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (const text of ['Well.', 'Well, well.']) {
      yield context.event({ author: context.agent.name, content: { role: 'model', parts: [{ text }] } });
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

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
