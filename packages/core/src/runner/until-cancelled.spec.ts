import { eventsOf, ScriptedModel } from '@adorn/testing';

import { agent, BaseAgent, createRunner, type Event, type InvocationContext, type Runner } from '../index.js';

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
          for (;;) yield context.event({ author: this.name });
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
        late = context.append(context.event({ author: this.name, errorMessage: 'Too late.' }));
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

async function drain(run: AsyncGenerator<Event>): Promise<void> {
  while ((await run.next()).done !== true);
}

@agent({ description: '' })
class Waiting extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    yield context.event({ author: this.name, content: { role: 'model', parts: [{ text: 'Wait.' }] } });
    await new Promise(() => undefined);
  }
}

@agent({ description: '' })
class Heedless extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (const text of ['Well.', 'Well, well.']) {
      yield context.event({ author: this.name, content: { role: 'model', parts: [{ text }] } });
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
