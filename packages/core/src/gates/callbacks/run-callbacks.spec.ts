import {
  callsTool,
  eventsOf,
  ManualClock,
  says,
  ScriptedModel,
  type ScriptedStep,
  streams,
} from '@adorn/testing';

import type { PluginHost, Reply, RunEnd } from '../../backend.js';
import {
  agent,
  type CallbackContext,
  Clock,
  ContainerModule,
  type Content,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  LlmAgent,
  Logger,
  Plugin,
  type ReadonlyContext,
  type RunConfig,
  type Runner,
} from '../../index.js';

describe('onRegister', () => {
  it('is called once, in the order of the plugins, with what the runner is', async () => {
    const hosts: [string, PluginHost][] = [];
    class Registered extends Plugin {
      constructor(readonly name: string) {
        super();
      }

      override onRegister(host: PluginHost): void {
        hosts.push([this.name, host]);
      }
    }

    const { runner } = await start([], [new Registered('one'), new Registered('two')]);

    expect(hosts.map(([name, { appName, root }]) => [name, appName, root])).toEqual([
      ['one', 'clerk', runner.root],
      ['two', 'clerk', runner.root],
    ]);
    expect(hosts[0]?.[1].get(Logger)).toBeDefined();
    await send(runner);
    expect(hosts).toHaveLength(2);
  });

  it('that throws rejects createRunner, naming the plugin', async () => {
    const plugin = plugged({ onRegister: rejecting('no license') });

    await expect(start([], [plugin])).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: 'The callback onRegister of the plugin "plugged" failed: no license',
    });
  });
});

describe('onUserMessage', () => {
  it('may replace the message, one plugin after another: the log and the model have the last one', async () => {
    const { runner, model } = await start(
      [says('Hello.')],
      [
        plugged({ onUserMessage: ({ parts }: Content) => text(`${parts?.[0]?.text ?? ''}, two`) }),
        plugged({ onUserMessage: () => undefined }, 'silent'),
        plugged({ onUserMessage: () => null as unknown as undefined }, 'null'),
        plugged({ onUserMessage: ({ parts }: Content) => text(`${parts?.[0]?.text ?? ''}, three`) }, 'last'),
      ],
    );

    await send(runner, 'one');

    expect((await stored(runner)).map(({ author, text: said }) => [author, said])).toEqual([
      ['user', 'one, two, three'],
      ['clerk', 'Hello.'],
    ]);
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'one, two, three' }] }]);
  });

  it('that replaces the message leaves no timer of a time limit behind', async () => {
    const clock = new ManualClock();
    const services = new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock));
    const model = new ScriptedModel(says('Hello.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), {
      model,
      plugins: [plugged({ onUserMessage: () => text('masked') })],
      modules: [services],
      config: { budget: { ms: 60_000 } },
    });

    await send(runner);

    expect(clock.waiting).toBe(0);
  });

  it('is seen by later callbacks as context.userContent', async () => {
    let seen: unknown;
    const { runner } = await start(
      [says('Hello.')],
      [
        plugged({
          onUserMessage: () => text('masked'),
          beforeRun({ userContent }: CallbackContext) {
            seen = userContent;
          },
        }),
      ],
    );

    await send(runner, 'my secret');

    expect(seen).toEqual({ role: 'user', parts: [{ text: 'masked' }] });
  });

  it('writes state with the message, over what the caller wrote', async () => {
    const { runner } = await start(
      [says('Hello.')],
      [
        plugged({
          onUserMessage(_message: Content, { state }: CallbackContext) {
            state.set('tone', 'polite');
            state.set('temp:draft', 1);
          },
        }),
      ],
    );

    await eventsOf(runner.run({ ...address, message: 'Hi', stateDelta: { tone: 'rude', city: 'Oslo' } }));

    const [message] = await stored(runner);
    expect(message?.actions.stateDelta).toEqual({ tone: 'polite', city: 'Oslo' });
  });

  it.each<[string, unknown, string]>([
    ['throws', new Error('too long'), 'too long'],
    ['returns a text', 'hello', 'it returned a text. Return a Content, '],
    ['returns a list', [], 'it returned a list without parts. Return a Content, '],
    ['returns no content', { text: 'hello' }, 'it returned an object without parts. Return a Content, '],
    ['returns an unreadable content', unreadable(), 'no parts for you'],
  ])('that %s rejects the run, and nothing is stored', async (_how, given, fault) => {
    const ends: RunEnd[] = [];
    const { runner, model } = await start(
      [],
      [
        plugged({
          onUserMessage() {
            if (given instanceof Error) throw given;
            return given as Content;
          },
          afterRun: (end: RunEnd) => void ends.push(end),
        }),
      ],
    );

    await expect(send(runner)).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: expect.stringContaining(`The callback onUserMessage of the plugin "plugged" failed: ${fault}`),
    });

    expect(await stored(runner)).toEqual([]);
    expect(model.requests).toEqual([]);
    expect(ends).toMatchObject([{ last: undefined, error: { code: 'CALLBACK_FAILED' } }]);
  });

  it('cannot change the message in place', async () => {
    const { runner } = await start(
      [says('Hello.')],
      [
        plugged({
          onUserMessage(message: Content) {
            (message.parts as unknown[]).push({ text: 'more' });
          },
        }),
      ],
    );

    await expect(send(runner)).rejects.toMatchObject({ code: 'CALLBACK_FAILED' });
  });

  it.each<[string, (message: Content) => Content]>([
    ['drop', () => text('yes')],
    [
      'change',
      ({ parts }) => ({
        role: 'user',
        parts: parts?.map(({ functionResponse: { id = '', name = '' } = {} }) => ({
          functionResponse: { id, name, response: { confirmed: true } },
        })),
      }),
    ],
  ])('cannot %s the answer to a request', async (_what, onUserMessage) => {
    const { runner, ran } = await start(
      [callsTool('pay', {}), says('Done.')],
      [
        plugged({
          onUserMessage: (message: Content) => (isAnswer(message) ? onUserMessage(message) : undefined),
        }),
      ],
      { confirm: true },
    );
    await send(runner);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    await expect(eventsOf(runner.reject(request))).rejects.toMatchObject({ code: 'CALLBACK_FAILED' });

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('that waits for ever is left behind when the run is cancelled; nothing is stored', async () => {
    const { runner } = await start(
      [],
      [
        plugged({
          onUserMessage(_message: Content, { invocationId }: CallbackContext) {
            runner.cancel(invocationId);
            return new Promise<undefined>(() => undefined);
          },
        }),
      ],
    );

    expect((await send(runner)).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    expect(await stored(runner)).toEqual([]);
  });
});

describe('beforeRun', () => {
  it('may answer in place of the run: no agent runs, and later plugins are not asked', async () => {
    const later = jest.fn();
    const ends: RunEnd[] = [];
    const { runner, model } = await start(
      [],
      [
        plugged({ beforeRun: () => text('We are closed.'), afterRun: (end: RunEnd) => void ends.push(end) }),
        plugged({ beforeRun: later }, 'later'),
      ],
    );

    const run = await runner.run({ ...address, message: 'Hi' });

    expect(run).toMatchObject({ status: 'answered', text: 'We are closed.' });
    expect(model.requests).toEqual([]);
    expect(later).not.toHaveBeenCalled();
    expect(ends.map(({ last }) => last?.text)).toEqual(['We are closed.']);
    expect((await stored(runner)).map(({ author, text: said }) => [author, said])).toEqual([
      ['user', 'Hi'],
      ['clerk', 'We are closed.'],
    ]);
  });

  it('makes an event of what it only writes, and the run goes on', async () => {
    const { runner } = await start(
      [says('Hello.')],
      [
        plugged({
          beforeRun({ state }: CallbackContext) {
            state.set('visits', 1);
            return null as unknown as undefined;
          },
        }),
      ],
    );

    const events = await send(runner);

    expect(events.map(({ author, text: said, actions }) => [author, said, actions.stateDelta])).toEqual([
      ['clerk', '', { visits: 1 }],
      ['clerk', 'Hello.', {}],
    ]);
  });

  it('that answers while an approval comes in leaves no call without a response', async () => {
    let isClosed = false;
    const { runner, ran } = await start(
      [callsTool('pay', {}), says('Done.')],
      [plugged({ beforeRun: () => (isClosed ? text('We are closed.') : undefined) })],
      { confirm: true },
    );
    await send(runner);
    isClosed = true;
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    const events = await eventsOf(runner.approve(request));

    expect(events.map(({ text: said }) => said)).toEqual(['We are closed.', '']);
    expect(events.at(-1)?.functionResponses).toMatchObject([
      { name: 'pay', response: { error: expect.anything() } },
    ]);
    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each<[string, () => Reply<Content>]>([
    [
      'throws',
      () => {
        throw new Error('no quota');
      },
    ],
    ['rejects', rejecting('no quota')],
  ])('that %s aborts the run, and afterRun has the error', async (_how, beforeRun) => {
    const ends: RunEnd[] = [];
    const { runner, model } = await start(
      [],
      [plugged({ beforeRun }), plugged({ afterRun: (end: RunEnd) => void ends.push(end) }, 'other')],
    );

    await expect(send(runner)).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: 'The callback beforeRun of the plugin "plugged" failed: no quota',
    });

    expect(ends).toMatchObject([{ error: { code: 'CALLBACK_FAILED' } }]);
    expect(model.requests).toEqual([]);
    expect((await stored(runner)).map(({ author }) => author)).toEqual(['user']);
    await expect(send(runner)).rejects.toMatchObject({ code: 'CALLBACK_FAILED' });
  });

  it('that waits for ever is left behind when the run is cancelled', async () => {
    const { runner } = await start(
      [],
      [
        plugged({
          beforeRun({ invocationId }: CallbackContext) {
            runner.cancel(invocationId);
            return new Promise<undefined>(() => undefined);
          },
        }),
      ],
    );

    expect((await send(runner)).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    expect((await stored(runner)).map(({ author, errorCode }) => [author, errorCode])).toEqual([
      ['user', undefined],
      ['clerk', 'CANCELLED'],
    ]);
  });
});

describe('onEvent', () => {
  it('may replace each event, one plugin after another, before it is stored and shown', async () => {
    const { runner, model } = await start(
      [callsTool('pay', {}), says('Paid with sk-1.'), says('Bye.')],
      [plugged({ onEvent: marking('a') }), plugged({ onEvent: marking('b') }, 'second')],
    );

    const events = await send(runner);

    expect(events.map(({ text: said }) => said)).toEqual(['', '', 'Paid with sk-1.ab']);
    expect((await stored(runner)).map(({ text: said }) => said)).toEqual([
      'Hello?',
      '',
      '',
      'Paid with sk-1.ab',
    ]);
    await send(runner);
    expect(model.requests.at(-1)?.contents.at(-2)).toEqual({
      role: 'model',
      parts: [{ text: 'Paid with sk-1.ab' }],
    });
  });

  it('does not see the message of the user', async () => {
    const authors: string[] = [];
    const { runner } = await start(
      [says('Hello.')],
      [plugged({ onEvent: ({ author }: Event) => void authors.push(author) })],
    );

    await send(runner);

    expect(authors).toEqual(['clerk']);
  });

  it('sees each event once, also those that are appended before they are yielded', async () => {
    const seen: string[] = [];
    const { runner } = await start(
      [callsTool('pay', {})],
      [plugged({ onEvent: ({ id }: Event) => void seen.push(id) })],
      { confirm: true },
    );

    const events = await send(runner);

    expect(seen).toHaveLength(3);
    expect([...seen].sort()).toEqual(events.map(({ id }) => id).sort());
  });

  it('sees and replaces pieces of streamed answers, which stay pieces', async () => {
    const { runner } = await start(
      [streams('Hel', 'lo.')],
      [
        plugged({
          onEvent: (event: Event) => event.with({ partial: false, content: { parts: [{ text: '*' }] } }),
        }),
      ],
      {},
      { streaming: 'sse' },
    );

    const events = await send(runner);

    expect(events.map(({ partial, text: said }) => [partial, said])).toEqual([
      [true, '*'],
      [true, '*'],
      [false, '*'],
    ]);
    expect(await stored(runner)).toHaveLength(2);
  });

  it('may replace results of calls and the state delta: both are what is stored', async () => {
    const { runner, model } = await start(
      [callsTool('pay', {}), says('Done.')],
      [
        plugged({
          onEvent(event: Event) {
            const [response] = event.functionResponses;
            if (response === undefined) return undefined;
            const content = {
              role: 'user',
              parts: [{ functionResponse: { ...response, response: { result: '***' } } }],
            };
            return event.with({
              content,
              actions: { ...event.actions, stateDelta: { card: '***' } },
            });
          },
        }),
      ],
    );

    await send(runner);

    expect(model.requests[1]?.contents.at(-1)?.parts).toEqual([
      { functionResponse: { name: 'pay', response: { result: '***' } } },
    ]);
    const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
    expect(session?.state).toEqual({ card: '***' });
  });

  it.each<[string, (event: Event) => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no regexp');
      },
      'no regexp',
    ],
    ['returns a text', () => 'hidden', 'it returned a text. Return an Event, or nothing.'],
    ['returns an object', () => ({}), 'it returned an object. Return an Event, or nothing.'],
    [
      'changes the author',
      (event) => event.with({ author: 'other' }),
      'the returned event has another author.',
    ],
    ['drops the call', (event) => event.with({ content: { parts: [] } }), 'another list of function calls.'],
    [
      'changes the arguments of the call',
      (event) =>
        event.with({
          content: { parts: [{ functionCall: { ...event.functionCalls[0], args: { cents: 1 } } }] },
        }),
      'another list of function calls.',
    ],
    [
      'adds a response',
      (event) =>
        event.with({
          content: { parts: [...(event.content?.parts ?? []), { functionResponse: { name: 'x', id: 'y' } }] },
        }),
      'another list of function responses.',
    ],
    [
      'steers',
      (event) => event.with({ actions: { ...event.actions, escalate: true } }),
      'another set of actions.',
    ],
    [
      'holds the run up',
      (event) => event.with({ longRunningToolIds: ['c1'] }),
      'another list of long-running calls.',
    ],
  ])('that %s aborts the run: the event is neither stored nor shown', async (_how, onEvent, fault) => {
    const ends: RunEnd[] = [];
    const { runner, ran } = await start(
      [callsTool('pay', {}), says('Done.')],
      [plugged({ onEvent: onEvent as never, afterRun: (end: RunEnd) => void ends.push(end) })],
    );
    const shown: Event[] = [];

    await expect(
      (async () => {
        for await (const event of runner.run({ ...address, message: 'Hello?' })) shown.push(event);
      })(),
    ).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: expect.stringContaining(fault),
    });

    expect(shown).toEqual([]);
    expect(ran).toEqual([]);
    expect((await stored(runner)).map(({ author }) => author)).toEqual(['user']);
    expect(ends).toMatchObject([{ error: { code: 'CALLBACK_FAILED' } }]);
  });

  it('may give an event without actions a state delta', async () => {
    const { runner } = await start(
      [says('Hello.')],
      [plugged({ onEvent: (event: Event) => event.with({ actions: { stateDelta: { seen: true } } }) })],
    );

    expect((await send(runner))[0]?.actions.stateDelta).toEqual({ seen: true });
  });

  it('keeps the id, the time and the branch of the event, whatever it returns', async () => {
    let original: Event | undefined;
    const { runner } = await start(
      [says('Hello.')],
      [
        plugged({
          onEvent(event: Event) {
            original = event;
            return event.with({ id: 'mine', timestamp: 1, branch: 'x', invocationId: 'y' });
          },
        }),
      ],
    );

    const [event] = await send(runner);

    expect([event?.id, event?.timestamp, event?.branch, event?.invocationId]).toEqual([
      original?.id,
      original?.timestamp,
      undefined,
      original?.invocationId,
    ]);
  });

  it('that waits for ever holds neither a cancelled run nor the next one', async () => {
    let hangs = true;
    const { runner } = await start(
      [says('Hello.'), says('Hello again.')],
      [
        plugged({
          onEvent(_event: Event, { invocationId }: ReadonlyContext) {
            if (!hangs) return undefined;
            runner.cancel(invocationId);
            return new Promise<undefined>(() => undefined);
          },
        }),
      ],
    );

    await expect(send(runner)).rejects.toMatchObject({ code: 'CANCELLED' });
    hangs = false;

    expect((await send(runner)).map(({ text: said }) => said)).toEqual(['Hello again.']);
    expect((await stored(runner)).map(({ author }) => author)).toEqual(['user', 'user', 'clerk']);
  });
});

describe('afterRun', () => {
  it('is called for all plugins in their order, with the last event', async () => {
    const ends: [string, string | undefined, boolean][] = [];
    const noting = (name: string): Plugin =>
      plugged({ afterRun: (end: RunEnd) => void ends.push([name, end.last?.text, 'error' in end]) }, name);
    const { runner } = await start([says('Hello.')], [noting('one'), noting('two')]);

    await send(runner);

    expect(ends).toEqual([
      ['one', 'Hello.', false],
      ['two', 'Hello.', false],
    ]);
  });

  it('is called once where it throws, which the run does then, too', async () => {
    let calls = 0;
    const afterRun = (): never => {
      calls++;
      throw new Error('no disk');
    };
    const { runner } = await start([says('Hello.')], [plugged({ afterRun })]);

    await expect(send(runner)).rejects.toMatchObject({ code: 'CALLBACK_FAILED' });

    expect(calls).toBe(1);
  });

  it('ends before the run does, and before the next run of the session begins', async () => {
    const order: string[] = [];
    const { runner } = await start(
      [says('One.'), says('Two.')],
      [
        plugged({
          beforeRun: () => void order.push('before'),
          async afterRun() {
            await new Promise((resolve) => setTimeout(resolve, 20));
            order.push('after');
          },
        }),
      ],
    );

    await Promise.all([send(runner), send(runner)]);

    expect(order).toEqual(['before', 'after', 'before', 'after']);
  });

  it.each<[string, (runner: Runner) => Promise<unknown>]>([
    [
      'whose reader stops',
      async (runner) => {
        for await (const event of runner.run({ ...address, message: 'Hi' })) if (event.text !== '') break;
      },
    ],
    [
      'that is cancelled',
      async (runner) => {
        const run = runner.run({ ...address, message: 'Hi' });
        run.cancel();
        await eventsOf(run);
      },
    ],
    ['that nobody reads', (runner) => runner.run({ ...address, message: 'Hi' }).output],
  ])('is called once, without an error, for a run %s', async (_how, use) => {
    const ends: RunEnd[] = [];
    const { runner } = await start(
      [says('Hello.')],
      [plugged({ afterRun: (end: RunEnd) => void ends.push(end) })],
    );

    await use(runner);

    expect(ends.map((end) => 'error' in end)).toEqual([false]);
  });

  it('that fails rejects the run once all plugins were called; later failures are logged', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const last = jest.fn();
    const failing = (name: string): Plugin => plugged({ afterRun: rejecting(name) }, name);
    const { runner } = await start(
      [says('Hello.')],
      [failing('one'), failing('two'), plugged({ afterRun: last }, 'three')],
    );

    await expect(send(runner)).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: 'The callback afterRun of the plugin "one" failed: one',
    });

    expect(last).toHaveBeenCalledTimes(1);
    expect(error.mock.calls.map(([line]: unknown[]) => line)).toEqual([
      expect.stringContaining('the callback afterRun of the plugin "two" failed after the run'),
    ]);
    expect((await stored(runner)).at(-1)?.text).toBe('Hello.');
  });

  it('that fails is only logged where the run has failed already', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { runner } = await start(
      [],
      [plugged({ beforeRun: rejecting('no quota') }), plugged({ afterRun: rejecting('no span') }, 'tracing')],
    );

    await expect(send(runner)).rejects.toThrow('no quota');

    expect(error.mock.calls).toHaveLength(1);
  });

  it('that waits for ever is left behind when the runner closes', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { runner } = await start(
      [says('Hello.')],
      [plugged({ afterRun: () => new Promise<undefined>(() => undefined) })],
    );
    const ended = send(runner).catch((error: unknown): unknown => error);

    await new Promise((resolve) => setTimeout(resolve, 50));
    await runner.close();

    expect(await ended).toMatchObject({ code: 'CANCELLED' });
    expect(warn).not.toHaveBeenCalled();
  });

  it('is not called for a run whose input is refused', async () => {
    const afterRun = jest.fn();
    const { runner } = await start([], [plugged({ afterRun })]);

    await expect(eventsOf(runner.run({ ...address, message: 5 as never }))).rejects.toThrow();

    expect(afterRun).not.toHaveBeenCalled();
  });
});

describe('a plugin', () => {
  it.each<[string, unknown]>([
    ['a class', Plugin],
    ['nothing', null],
    ['an object without a name', {}],
    ['an object with an empty name', { name: '' }],
  ])('cannot be %s', async (_what, plugin) => {
    await expect(start([], [plugin as Plugin])).rejects.toMatchObject({ code: 'PLUGIN_INVALID' });
  });

  it('that throws around an agent or a model is named in the error', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { runner } = await start([], [plugged({ beforeModel: rejecting('no cache') }, 'cache')]);

    expect((await send(runner))[0]?.errorMessage).toBe(
      'The callback beforeModel of the plugin "cache" failed: no cache',
    );
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function plugged(callbacks: Partial<Plugin>, name = 'plugged'): Plugin {
  class Plugged extends Plugin {
    readonly name = name;
  }
  return Object.assign(new Plugged(), callbacks);
}

function unreadable(): object {
  return {
    get parts(): never {
      throw new Error('no parts for you');
    },
  };
}

function rejecting(message: string): () => Promise<never> {
  return () => Promise.reject(new Error(message));
}

function text(said: string): Content {
  return { role: 'user', parts: [{ text: said }] };
}

function isAnswer({ parts }: Content): boolean {
  return parts?.some(({ functionResponse }) => functionResponse !== undefined) === true;
}

function marking(mark: string): NonNullable<Plugin['onEvent']> {
  return (event) =>
    event.text === ''
      ? undefined
      : event.with({ content: { role: 'model', parts: [{ text: event.text + mark }] } });
}

async function start(
  steps: readonly ScriptedStep[],
  plugins: readonly Plugin[],
  { confirm = false }: { readonly confirm?: boolean } = {},
  config: RunConfig = {},
) {
  const ran: unknown[] = [];
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    confirm,
    parameters: { type: 'object', properties: {} },
    run(args, { state }) {
      ran.push(args);
      state.set('card', '4111');
      return 'paid';
    },
  });
  @agent({ name: 'clerk', description: '', tools: [pay] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { model, ran, runner: await createRunner(Clerk, { model, plugins, config }) };
}

function send(runner: Runner, message = 'Hello?'): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function stored(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

afterEach(() => {
  jest.restoreAllMocks();
});
