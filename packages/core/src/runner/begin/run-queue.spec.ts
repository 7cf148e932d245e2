import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  type RunConfig,
  type Runner,
  type ToolContext,
} from '../../index.js';

describe('two runs in one session', () => {
  it('follow one another: the second sees the result of the call that the first was running', async () => {
    const { runner, model, effects, finish, started } = await shop(
      {},
      callsTool('pay', {}, 'c1'),
      says('Paid.'),
      says('Yes.'),
    );
    const first = eventsOf(runner.run({ ...address, message: 'Pay.' }));
    await started;
    const second = eventsOf(runner.run({ ...address, message: 'Is it done?' }));

    finish();
    await Promise.all([first, second]);

    expect(effects).toEqual(['pay']);
    expect(model.requests[2]?.contents.flatMap(({ parts = [] }) => parts).map(shape)).toEqual([
      ...['Pay.', '?pay', { paid: true }, 'Paid.', 'Is it done?'],
    ]);
    expect((await stored(runner)).map(({ text }) => text)).toEqual([
      ...['Pay.', '', '', 'Paid.', 'Is it done?', 'Yes.'],
    ]);
  });

  it('come first, served first', async () => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), ...repeated(4));
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    await started;
    const others = ['2', '3', '4'].map((message) => eventsOf(runner.run({ ...address, message })));

    finish();
    await Promise.all([first, ...others]);

    const said = (await stored(runner)).filter(({ author }) => author === 'user');
    expect(said.map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
  });

  it('do not wait for one another in two sessions, of one user or of two', async () => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), ...repeated(3));
    const first = eventsOf(runner.run({ userId: 'a', sessionId: 'bc', message: '1', invocationId: 'e-1' }));
    await started;

    await eventsOf(runner.run({ userId: 'a', sessionId: 'b', message: '2' }));
    await eventsOf(runner.run({ userId: 'ab', sessionId: 'c', message: '3' }));

    expect(runner.isActive('e-1')).toBe(true);
    finish();
    await first;
  });

  it('are refused for the second, and nothing of it is stored, where it does not want to wait', async () => {
    const { runner, finish, started } = await shop(
      { whileActive: 'refuse' },
      callsTool('pay'),
      says('Paid.'),
    );
    const first = eventsOf(runner.run({ ...address, message: 'Pay.', invocationId: 'e-1' }));
    await started;

    await expect(eventsOf(runner.run({ ...address, message: 'Pay!' }))).rejects.toMatchObject({
      code: 'INVOCATION_ACTIVE',
      message: expect.stringContaining('"e-1"'),
    });
    finish();
    await first;

    expect((await stored(runner)).filter(({ author }) => author === 'user')).toHaveLength(1);
  });

  it.each<[string, (runner: Runner, stop: AbortController) => void]>([
    ['its signal', (_runner, stop) => stop.abort()],
    ['runner.cancel', (runner) => expect(runner.cancel('e-2')).toBe(true)],
  ])('let a waiting run leave the queue at once by %s', async (_way, cancel) => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), says('Paid.'), says('Three.'));
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    await started;
    const stop = new AbortController();
    const { signal } = stop;
    const waiting = eventsOf(runner.run({ ...address, message: '2', invocationId: 'e-2', signal }));
    const third = eventsOf(runner.run({ ...address, message: '3' }));
    expect(runner.isActive('e-2')).toBe(true);

    cancel(runner, stop);

    expect((await waiting).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    expect(runner.isActive('e-2')).toBe(false);
    finish();
    await Promise.all([first, third]);
    const said = (await stored(runner)).filter(({ author }) => author === 'user');
    expect(said.map(({ text }) => text)).toEqual(['1', '3']);
  });

  it('let a waiting run go whose reader leaves before it began', async () => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), says('Paid.'));
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    await started;
    const waiting = runner.run({ ...address, message: '2', invocationId: 'e-2' });
    const asked = waiting.next();

    await waiting.return();

    expect((await asked).value?.errorCode).toBe('CANCELLED');
    expect(runner.isActive('e-2')).toBe(false);
    finish();
    await first;
  });

  it('do not wait for each other where the second is started by the reader of the first', async () => {
    const { runner } = await shop({}, callsTool('refund', {}, 'c1'), says('Refunded.'));
    const seen: string[] = [];

    for await (const event of runner.run({ ...address, message: 'Refund.' })) {
      seen.push(...event.pending.map(({ tool }) => `asked: ${tool}`));
      for (const request of event.pending.length > 0 ? await runner.pending(address) : []) {
        for await (const { text } of runner.approve(request)) if (text !== '') seen.push(text);
      }
    }

    expect(seen).toEqual(['asked: refund', 'Refunded.']);
  });

  it('are refused where a tool starts the second in its own session, with its own signal', async () => {
    const { runner, model } = await shop({}, callsTool('ask_again'), says('So be it.'));

    await eventsOf(runner.run({ ...address, message: 'Go.', invocationId: 'e-1' }));

    expect(shape(model.requests[1]?.contents.at(-1)?.parts?.[0] ?? {})).toEqual({
      error: expect.stringContaining('would wait for itself'),
      outcome: 'unknown',
    });
  });

  it('refuse an id that is in use, also while the other waits', async () => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), says('Paid.'), says('Two.'));
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    await started;
    const second = eventsOf(runner.run({ ...address, message: '2', invocationId: 'e-2' }));

    await expect(
      eventsOf(runner.run({ sessionId: 'elsewhere', message: '3', invocationId: 'e-2' })),
    ).rejects.toMatchObject({ code: 'INVOCATION_ACTIVE' });

    finish();
    await Promise.all([first, second]);
  });
});

describe('the end of a runner', () => {
  it('comes after the last of its runs, in whatever session, and not after the first', async () => {
    const gates: Record<string, () => void> = {};
    @agent({ description: '' })
    class Slow extends BaseAgent {
      async *run({ session }: InvocationContext): AsyncGenerator<Event, void, undefined> {
        await new Promise<void>((open) => (gates[session.id] = open));
        yield* [];
      }
    }
    const runner = await createRunner(Slow, { model: new ScriptedModel() });
    const runs = ['s1', 's2'].map((sessionId) => eventsOf(runner.run({ sessionId, message: 'Go.' })));
    while (Object.keys(gates).length < 2) await new Promise(setImmediate);
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));

    gates['s1']?.();
    await runs[0];
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    gates['s2']?.();

    await Promise.all([closing, ...runs]);
    expect(isClosed).toBe(true);
  });
});

describe('a run whose reader does not come back', () => {
  it('goes on by itself as soon as another run waits, and its events can still be read', async () => {
    const { runner } = await shop({}, says('One.'), says('Two.'));
    const left = runner.run({ ...address, message: '1' });
    const first = await left.next();

    const second = await eventsOf(runner.run({ ...address, message: '2' }));

    expect(first.value?.text).toBe('One.');
    expect(second.map(({ text }) => text)).toEqual(['Two.']);
    expect(await left.next()).toEqual({ done: true, value: undefined });
  });

  it('goes on by itself where its turn comes while yet another run waits', async () => {
    const { runner, finish, started } = await shop({}, callsTool('pay'), ...repeated(3));
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    await started;
    const left = runner.run({ ...address, message: '2' }).next();
    const third = eventsOf(runner.run({ ...address, message: '3' }));

    finish();

    expect((await Promise.all([first, third])).map((events) => events.at(-1)?.text)).toEqual(['a', 'a']);
    expect((await left).value?.text).toBe('a');
  });

  it('is paced by its reader where its turn comes and no other run waits', async () => {
    const made: string[] = [];
    let finish: () => void = () => undefined;
    @agent({ description: '' })
    class Counting extends BaseAgent {
      async *run(context: InvocationContext) {
        const { agent, session } = context;
        if (session.events.length === 1) await new Promise<void>((resolve) => (finish = resolve));
        for (const text of ['one', 'two', 'three']) {
          made.push(text);
          yield context.event({ author: agent.name, content: { parts: [{ text }] } });
        }
      }
    }
    const runner = await createRunner(Counting, { model: new ScriptedModel() });
    const first = eventsOf(runner.run({ ...address, message: '1' }));
    const left = runner.run({ ...address, message: '2' });
    const begun = left.next();
    while (made.length === 0) {
      await new Promise(setImmediate);
      finish();
    }
    await first;
    await begun;
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);

    expect(made).toEqual(['one', 'two', 'three', 'one']);
    await left.return();
  });

  it('does not keep the session from being rewound', async () => {
    const { runner } = await shop({}, says('One.'));
    const left = runner.run({ ...address, message: '1', invocationId: 'e-1' });
    await left.next();

    await expect(runner.rewind({ ...address, invocationId: 'e-1' })).resolves.toBeDefined();

    expect(runner.isActive('e-1')).toBe(false);
  });

  it('is cancelled where it makes pieces without end, and keeps a thousand of them', async () => {
    await using runner = await createRunner(Endless, { model: new ScriptedModel() });
    const left = runner.run({ sessionId: 's1', message: 'Count.', invocationId: 'e-1' });
    await left.next();

    await expect(runner.rewind({ sessionId: 's1', invocationId: 'e-1' })).resolves.toBeDefined();

    const unread = await eventsOf(left);
    expect(unread.length).toBeLessThan(1_200);
    expect(unread.at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('is cancelled once a thousand whole events are unread', async () => {
    await using runner = await createRunner(Talkative, { model: new ScriptedModel() });
    const left = runner.run({ sessionId: 's1', message: 'Talk.', invocationId: 'e-1' });
    await left.next();

    await expect(runner.rewind({ sessionId: 's1', invocationId: 'e-1' })).resolves.toBeDefined();

    const unread = await eventsOf(left);
    expect(unread.length).toBeLessThan(1_200);
    expect(unread.at(-1)?.errorCode).toBe('CANCELLED');
  });

  it('has its whole answer where its reader lags behind thousands of pieces while another run waits', async () => {
    const pieces = Array.from({ length: 3_000 }, () => 'word ');
    const { runner } = await shop({}, streams(...pieces), says('Also.'));
    const slow = runner.run({ ...address, message: 'Go.', config: { streaming: 'sse' } });
    await slow.next();

    const second = await runner.run({ ...address, message: 'And?' });
    const events = await eventsOf(slow);

    expect([events.at(-1)?.errorCode, events.at(-1)?.text]).toEqual([undefined, pieces.join('')]);
    expect(second.text).toBe('Also.');
  });

  it('throws to its reader what was thrown meanwhile, once', async () => {
    await using runner = await createRunner(Broken, { model: new ScriptedModel() });
    const left = runner.run({ sessionId: 's1', message: 'Go.', invocationId: 'e-1' });
    await left.next();
    await runner.rewind({ sessionId: 's1', invocationId: 'e-1' });

    await expect(left.next()).rejects.toThrow('Broken.');
    expect(await left.next()).toEqual({ done: true, value: undefined });
  });
});

const address = { userId: 'ada', sessionId: 's1' };

@agent({ description: '' })
class Endless extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (;;) yield context.event({ author: context.agent.name, partial: true });
  }
}

@agent({ description: '' })
class Talkative extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (;;) yield context.event({ author: context.agent.name });
  }
}

@agent({ description: '' })
class Broken extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    yield context.event({ author: context.agent.name });
    throw new Error('Broken.');
  }
}

/** A tool `pay` that runs until `finish` is called. */
async function shop(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const effects: string[] = [];
  let finish: () => void = () => undefined;
  let start: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const started = new Promise<void>((resolve) => (start = resolve));
  const pay = async () => {
    effects.push('pay');
    start();
    await finished;
    return { paid: true };
  };
  const askAgain = (_args: unknown, { signal, sessionId, userId }: ToolContext) =>
    runner.ask('Again?', { sessionId, userId, signal });
  @agent({
    description: '',
    tools: [
      new FunctionTool({ name: 'pay', description: '', run: pay }),
      new FunctionTool({ name: 'refund', description: '', confirm: true, run: () => 'refunded' }),
      new FunctionTool({ name: 'ask_again', description: '', exposeErrors: true, run: askAgain }),
    ],
  })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner: Runner = await createRunner(Clerk, { model, config });
  return { runner, model, effects, finish, started };
}

function repeated(count: number): ScriptedStep[] {
  return Array.from({ length: count }, () => says('a'));
}

type Part = NonNullable<Event['content']>['parts'] extends (infer Item)[] | undefined ? Item : never;

function shape({ text, functionCall, functionResponse }: Part): unknown {
  return functionCall === undefined ? (functionResponse?.response ?? text) : `?${functionCall.name ?? ''}`;
}

async function stored(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
