import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { StateDelta } from '../backend.js';
import {
  agent,
  ArtifactService,
  BaseAgent,
  Clock,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  CredentialService,
  defineAgent,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  MemoryService,
  type Part,
  type Runner,
  SessionService,
  tool,
} from '../index.js';

describe('Runner.run', () => {
  it('holds a conversation with a tool call', async () => {
    const { runner } = await start(callsTool('get_time', { zone: 'UTC' }), says('It is noon.'));

    const events = await eventsOf(runner.run({ ...address, message: 'What time is it?' }));

    expect(events.map(shown)).toEqual([
      ['clerk', '', ['get_time'], []],
      ['clerk', '', [], [{ result: 'noon in UTC' }]],
      ['clerk', 'It is noon.', [], []],
    ]);
  });

  it('stores the message before anybody hears it, and each event before it is seen', async () => {
    const { runner } = await start(callsTool('get_time', { zone: 'UTC' }), says('It is noon.'));
    const counts: number[] = [];

    for await (const event of runner.run({ ...address, message: 'What time is it?' })) {
      const events = await storedEvents(runner);
      expect(events.at(-1)?.id).toBe(event.id);
      counts.push(events.length);
    }

    expect(counts).toEqual([2, 3, 4]);
    expect((await storedEvents(runner)).map(({ author }) => author)).toEqual([
      'user',
      'clerk',
      'clerk',
      'clerk',
    ]);
  });

  it('hands out the stores that its modules bind', async () => {
    const { runner } = await start();

    expect(runner.memory).toBe(runner.get(MemoryService));
    expect(runner.artifacts).toBe(runner.get(ArtifactService));
    expect(runner.sessions).toBe(runner.get(SessionService));
  });

  it('gives every event the id of the invocation, the one it was given where it was', async () => {
    const { runner } = await start(says('One.'), says('Two.'));

    const [first] = await eventsOf(runner.run({ ...address, message: 'One?' }));
    const [second] = await eventsOf(runner.run({ ...address, message: 'Two?', invocationId: 'e-1' }));

    expect(first?.invocationId).toMatch(/^e-[0-9a-f-]{36}$/);
    expect(second?.invocationId).toBe('e-1');
    expect((await storedEvents(runner)).map(({ invocationId }) => invocationId)).toEqual([
      first?.invocationId,
      first?.invocationId,
      'e-1',
      'e-1',
    ]);
  });

  it('goes on with a conversation of that id, and begins one that there is not', async () => {
    const { runner, model } = await start(says('Hello.'), says('Ada.'), says('Hello.'));

    await eventsOf(runner.run({ ...address, message: 'I am Ada.' }));
    await eventsOf(runner.run({ ...address, message: 'Who am I?' }));
    await eventsOf(runner.run({ ...address, userId: 'bob', message: 'Hello.' }));

    expect(model.requests.map(({ contents }) => contents.map(({ parts }) => parts?.[0]?.text))).toEqual([
      ['I am Ada.'],
      ['I am Ada.', 'Hello.', 'Who am I?'],
      ['Hello.'],
    ]);
  });

  it('writes stateDelta with the message: temp: for the run, the rest for good', async () => {
    const { runner, model } = await start(says('Hello.'), says('Hello again.'));
    await runner.sessions.createSession(key, { 'user:tier': 'gold' });

    await eventsOf(
      runner.run({
        ...address,
        message: 'Hello.',
        stateDelta: { customer: 'Ada', 'temp:mood': 'glad' },
      }),
    );
    await eventsOf(runner.run({ ...address, message: 'And?' }));

    const stored = await runner.sessions.getSession(key);
    expect(stored?.state).toEqual({ customer: 'Ada', 'user:tier': 'gold' });
    expect(model.requests.map(({ config }) => config.systemInstruction)).toEqual([
      'Your name is "clerk".\n\nServe Ada (gold) who is glad.',
      'Your name is "clerk".\n\nServe Ada (gold) who is .',
    ]);
  });

  it.each<[string, unknown]>([
    ['a key of the application', { city: 'Oslo', 'app:policy': 'Refunds need no approval.' }],
    ['a key of the user', { 'user:tier': 'gold' }],
    ['__proto__', JSON.parse('{ "__proto__": { "admin": true } }')],
    ['a key of the framework', { _adorn_epoch: 1 }],
    ['null', null],
    ['an array', [['city', 'Oslo']]],
    ['a string', 'city=Oslo'],
  ])('refuses a stateDelta with %s, and stores nothing', async (_what, stateDelta) => {
    const { runner } = await start();

    const run = eventsOf(runner.run({ ...address, message: 'Hi.', stateDelta: stateDelta as StateDelta }));

    await expect(run).rejects.toMatchObject({ code: 'STATE_DELTA_REFUSED' });
    expect(await runner.sessions.getSession(key)).toBeUndefined();
    const other = await runner.sessions.createSession({ ...key, userId: 'bob' });
    expect({ ...other.state }).toEqual({});
  });

  it('yields events as they are stored: without temp: keys', async () => {
    const note = new FunctionTool({
      name: 'note',
      description: 'Notes.',
      run: async function* (_args, { state }) {
        state.set('temp:draft', 'secret');
        state.set('city', 'Oslo');
        yield 'noting';
        return state.get('temp:draft');
      },
    });
    class Clerk extends LlmAgent {
      override async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield context.event({ author: 'clerk', partial: true, actions: { stateDelta: { 'temp:piece': 1 } } });
        yield* super.run(context);
      }
    }
    agent({ name: 'clerk', description: '', tools: [note] })(Clerk);
    const model = new ScriptedModel(callsTool('note'), says('Done.'));
    const runner = await createRunner(Clerk, { model });

    const events = await eventsOf(runner.run({ ...address, message: 'Note it.' }));

    expect(events.flatMap(({ actions }) => Object.keys(actions.stateDelta))).toEqual(['city']);
    const stored = await runner.sessions.getSession({ ...key, appName: 'clerk' });
    const whole = events.filter(({ partial }) => !partial);
    expect(stored?.events.slice(1).map((event) => event.toJSON())).toEqual(
      whole.map((event) => event.toJSON()),
    );
  });

  it('refuses the time of a clock that gives NaN, and stores nothing under it', async () => {
    const clock = new ContainerModule(({ bind }) => void bind(Clock).toConstantValue({ now: () => NaN }));
    const model = new ScriptedModel();
    const runner = await createRunner(defineAgent({ name: 'clerk' }), { model, modules: [clock] });

    const run = eventsOf(runner.run({ ...address, message: 'Hi.' }));

    await expect(run).rejects.toMatchObject({
      code: 'EVENT_INVALID',
      message: expect.stringContaining('Clock.now'),
    });
    const stored = await runner.sessions.getSession({ ...key, appName: 'clerk' });
    expect(stored?.events).toEqual([]);
  });

  it('stores an event once that an agent appends and yields', async () => {
    class Own extends BaseAgent {
      override async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        const event = context.event({ author: 'own', content: { role: 'model', parts: [{ text: 'Hi.' }] } });
        await context.append(event);
        yield event;
        yield event;
      }
    }
    agent({ name: 'own', description: '' })(Own);
    const runner = await createRunner(Own);

    await eventsOf(runner.run({ ...address, message: 'Hi.' }));

    const stored = await runner.sessions.getSession({ ...key, appName: 'own' });
    expect(stored?.events.map(({ author }) => author)).toEqual(['user', 'own']);
  });

  it('answers a call of a tool that is not there, and of one called wrongly, and goes on', async () => {
    const { runner } = await start(
      callsTools({ name: 'get_tiem', args: {} }, { name: 'get_time', args: { zone: {}, city: 'Oslo' } }),
      says('Sorry.'),
    );

    const [, response, last] = await eventsOf(runner.run({ ...address, message: 'What time is it?' }));

    expect(response?.functionResponses.map((one) => one.response)).toEqual([
      { error: 'There is no tool called "get_tiem". Did you mean get_time or set_time?' },
      {
        error:
          'Invalid arguments for "get_time": city is not a parameter; zone must be string, not {}. Correct them and call the tool again.',
      },
    ]);
    expect(last?.text).toBe('Sorry.');
  });

  it.each<[string, unknown]>([
    ['an empty list', []],
    ["a model's content", { role: 'model', parts: [{ text: 'Hello.' }] }],
    ['a function call', { functionCall: { name: 'get_time' } }],
    ['a number', 7],
  ])('refuses %s for a message, and stores nothing', async (_what, message) => {
    const { runner } = await start();

    await expect(eventsOf(runner.run({ ...address, message: message as string }))).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
    });
    expect((await storedEvents(runner)).length).toBe(0);
  });
});

describe('Runner.ask', () => {
  it('gives the text of the answer', async () => {
    const { runner } = await start(callsTool('get_time', { zone: 'UTC' }), says('It is noon.'));

    expect(await runner.ask('What time is it?')).toBe('It is noon.');
  });

  it.each<[string, unknown, string]>([
    ['a text', 'The card.', 'The card.'],
    ['a list', [1, 2], '[1,2]'],
    ['an object', { card: 7 }, '{"card":7}'],
    ['an object that holds a text alone', { text: 'The card.' }, 'The card.'],
    ['nothing', undefined, 'null'],
  ])('gives the result of a tool that skips summarization: %s', async (_what, result, text) => {
    const show = new FunctionTool({
      name: 'show',
      description: '',
      run: (_args, { actions }) => {
        actions.skipSummarization = true;
        return result;
      },
    });
    const model = new ScriptedModel(callsTool('show'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [show] }), { model });

    expect(await runner.ask('Show it.')).toBe(text);
  });

  it('gives the answer that follows code which the model ran', async () => {
    const parts: Part[] = [{ text: 'Let me see.' }, { codeExecutionResult: { output: '42' } }];
    const { runner } = await start({ content: { role: 'model', parts } }, says('It is 42.'));

    expect(await runner.ask('What is 6 * 7?')).toBe('It is 42.');
  });

  it.each<[what: string, isStored: boolean, sessions: readonly (string | undefined)[], warnings: number]>([
    ['at once where a store is bound', true, [undefined, undefined], 1],
    ['at the second session where all is in memory', false, ['s1', 's1', 's2', 's3'], 1],
    ['never for conversations that begin and end in memory', false, [undefined, undefined], 0],
  ])('warns once of runs without a userId: %s', async (_what, isStored, sessions, warnings) => {
    class Vault extends CredentialService {
      load = (): Promise<undefined> => Promise.resolve(undefined);
      save = (): Promise<void> => Promise.resolve();
      delete = (): Promise<void> => Promise.resolve();
    }
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockImplementation(() => undefined);
    const model = new ScriptedModel(...sessions.map(() => says('Hello.')));
    const services = new ContainerModule(({ bind }) => {
      if (isStored) bind(CredentialService).toConstantValue(new Vault());
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk', model }), { modules: [services] });

    for (const sessionId of sessions) await runner.run({ sessionId, message: 'Hi.' });
    await runner.run({ userId: 'ada', message: 'Hi.' }).catch(() => undefined);

    const told = warn.mock.calls.filter(([line]) => line.includes('the default user "user"'));
    warn.mockRestore();
    expect(told).toHaveLength(warnings);
  });

  it('begins a new conversation of the default user, unless one is named', async () => {
    const { runner } = await start(says('One.'), says('Two.'), says('Three.'));

    await runner.ask('One?');
    await runner.ask('Two?');
    await runner.ask('Three?', address);

    expect(await runner.sessions.listSessions({ appName: 'clerk', userId: 'user' })).toHaveLength(2);
    expect(await runner.sessions.listSessions({ appName: 'clerk', userId: 'ada' })).toMatchObject([
      { id: 's1' },
    ]);
  });

  it('throws where somebody has to be asked, with what is asked', async () => {
    const { runner } = await start(callsTool('set_time', { zone: 'UTC' }));

    await expect(runner.ask('Set it.', address)).rejects.toMatchObject({
      code: 'RUN_PAUSED',
      message:
        "The run waits for an answer: confirmation of set_time. Answer the requests in the error's " +
        '"pending" with runner.approve, runner.reject or runner.supply.',
      sessionId: 's1',
      pending: [{ kind: 'confirmation', tool: 'set_time', hint: 'Approve execution of tool `set_time`?' }],
    });
  });

  it('throws where there was no answer, saying why', async () => {
    const { runner } = await start(() => {
      throw new Error('no network');
    });

    await expect(runner.ask('Hello?')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: 'The run ended without an answer: MODEL_FAILED, no network. See the events of the run.',
    });
  });
});

describe('Runner.close', () => {
  it('lets nothing run any more', async () => {
    const { runner } = await start();

    await runner.close();

    await expect(runner.ask('Hello?')).rejects.toMatchObject({
      code: 'RUNNER_CLOSED',
      message: 'The runner is closed. Create another one with createRunner.',
    });
    const rewound = runner.rewind({ ...address, invocationId: 'e-1' });
    await expect(rewound).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });

  it('is done by `await using`', async () => {
    let used: Runner;
    {
      await using runner = (await start()).runner;
      used = runner;
    }

    await expect(used.ask('Hello?')).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });
});

const address = { userId: 'ada', sessionId: 's1' };
const key = { appName: 'clerk', ...address };

const zone = {
  type: 'object',
  properties: { zone: { type: 'string' } },
  required: ['zone'],
  additionalProperties: false,
};

class Times {
  @tool({ description: 'Time in a zone.', parameters: zone })
  getTime(args: { zone: string }): string {
    return `noon in ${args.zone}`;
  }

  @tool({ description: 'Sets the time.', effect: 'destructive', parameters: zone })
  setTime(args: { zone: string }): string {
    return `set in ${args.zone}`;
  }
}

@agent({
  description: '',
  tools: [Times],
  instruction: 'Serve {customer?} ({user:tier?}) who is {temp:mood?}.',
})
class Clerk extends LlmAgent {}

async function start(...steps: readonly ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  return { model, runner: await createRunner(Clerk, { model }) };
}

async function storedEvents(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession(key))?.events ?? [];
}

function shown({ author, text, functionCalls, functionResponses }: Event) {
  return [
    author,
    text,
    functionCalls.map(({ name }) => name),
    functionResponses.map(({ response }) => response),
  ];
}
