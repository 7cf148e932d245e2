import {
  callsTool,
  callsTools,
  eventsOf,
  ManualClock,
  says,
  ScriptedModel,
  type ScriptedStep,
} from '@adorn/testing';

import type { Budget } from '../../../backend.js';
import {
  agent,
  BaseAgent,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  workflow,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  type Model,
  type ModelResponse,
  type RunConfig,
  type Runner,
  SessionService,
} from '../../../index.js';

describe('the budget of an invocation', () => {
  it.each<[string, Budget, string]>([
    ['tokens', { tokens: 20 }, 'TOKEN_LIMIT'],
    ['US dollars', { usd: 0.2, cost: ({ totalTokenCount = 0 }) => totalTokenCount / 100 }, 'COST_LIMIT'],
    ['bytes of results', { bytes: 40 }, 'BYTE_LIMIT'],
  ])('ends the run once its %s are spent, before the next model call', async (_what, budget, code) => {
    const { runner, model } = await start({ budget }, look(), look(), says('never'));

    const events = await eventsOf(runner.run({ ...address, message: 'Look.' }));

    expect(events.at(-1)).toMatchObject({ errorCode: code, turnComplete: true });
    expect(model.requests).toHaveLength(2);
  });

  it.each<[string, ModelResponse['usageMetadata']]>([
    ['a total', { totalTokenCount: 25, promptTokenCount: 1 }],
    ['no total, but the answer', { promptTokenCount: 10, candidatesTokenCount: 15 }],
    ['no total, but thoughts', { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 10 }],
    ['no total, but prompts of tools', { promptTokenCount: 5, toolUsePromptTokenCount: 20 }],
    ['a total of nothing', { totalTokenCount: 0, promptTokenCount: 25 }],
    ['a total that is no number', { totalTokenCount: NaN, promptTokenCount: 25, thoughtsTokenCount: -1 }],
  ])('counts all kinds of tokens that the model reports: %s', async (_what, usageMetadata) => {
    for (const [tokens, code] of [
      [25, 'TOKEN_LIMIT'],
      [26, undefined],
    ] as const) {
      const { runner } = await start(
        { budget: { tokens } },
        { ...callsTool('look'), usageMetadata },
        says('Done.'),
      );
      const events = await eventsOf(runner.run({ ...address, message: 'Look.' }));

      expect(events.at(-1)?.errorCode).toBe(code);
    }
  });

  it.each<[string, Budget['cost']]>([
    [
      'throws',
      () => {
        throw new Error('no price');
      },
    ],
    ['gives no number', () => 'much' as never],
    ['gives NaN', () => NaN],
    ['gives a negative number', () => -1],
  ])('ends the run if cost %s', async (_what, cost) => {
    const { runner, model } = await start(
      { budget: { usd: 100, ...(cost && { cost }) } },
      look(),
      says('never'),
    );

    const events = await eventsOf(runner.run({ ...address, message: 'Look.' }));

    expect(events.at(-1)?.errorCode).toBe('COST_LIMIT');
    expect(model.requests).toHaveLength(1);
  });

  it('goes on after a pause with what is left of tokens and model calls', async () => {
    for (const [config, code] of [
      [{ budget: { tokens: 20 } }, 'TOKEN_LIMIT'],
      [{ maxLlmCalls: 2 }, 'LLM_CALL_LIMIT'],
    ] as const) {
      const { runner, model } = await start(config, pay(), look(), says('never'));
      await eventsOf(runner.run({ ...address, message: 'Pay.' }));
      const [request] = await runner.pending(address);
      if (request === undefined) throw new Error('nothing is pending');

      const events = await eventsOf(runner.approve(request));

      expect(events.at(-1)?.errorCode).toBe(code);
      expect(model.requests).toHaveLength(2);
    }
  });

  it('goes on in a run that is resumed with what is left', async () => {
    const { runner, model } = await start({ maxLlmCalls: 2 }, look(), look(), says('never'));
    for await (const { functionResponses } of runner.run({ ...address, message: 'Look.' }))
      if (functionResponses.length > 0) break;

    const events = await eventsOf(runner.resume(address));

    expect(events.at(-1)?.errorCode).toBe('LLM_CALL_LIMIT');
    expect(model.requests).toHaveLength(2);
  });

  it.each<[string, ScriptedStep[]]>([
    ['that failed', [isDown, callsTool('pay'), callsTool('look'), says('never')]],
    ['of a tool', [callsTool('ponder'), says('Hm.'), callsTool('pay'), says('never')]],
  ])('counts the model calls %s before a pause', async (_which, steps) => {
    const model = new ScriptedModel(...steps);
    const runner = await createRunner(workflow.fallback(clerk('first', model), clerk('second', model)), {
      config: { maxLlmCalls: 3 },
    });
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    const code = await approveFirst(runner);

    expect(code).toBe('LLM_CALL_LIMIT');
    expect(model.requests).toHaveLength(3);
  });

  it('counts what a workflow says itself as no model call', async () => {
    const model = new ScriptedModel(pay(), says('Paid.'));
    const payment = clerk('payment', model);
    @agent({ name: 'root', description: '', subAgents: [payment] })
    class Announcing extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const text of ['One.', 'Two.'])
          yield context.event({ author: 'root', content: { role: 'model', parts: [{ text }] } });
        yield* context.invoke(payment);
      }
    }
    const runner = await createRunner(Announcing, { config: { maxLlmCalls: 2 } });
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    expect(await approveFirst(runner)).toBeUndefined();
    expect(model.requests).toHaveLength(2);
  });

  it('counts an answer of `beforeModel` as no model call', async () => {
    const model = new ScriptedModel(pay(), says('Paid.'));
    @agent({ name: 'greets', description: '', model })
    class Greets extends LlmAgent {
      override beforeModel() {
        return { content: { role: 'model', parts: [{ text: 'Hi.' }] } };
      }
    }
    const runner = await createRunner(workflow.sequence(Greets, clerk('payment', model)), {
      config: { maxLlmCalls: 2 },
    });
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    expect(await approveFirst(runner)).toBeUndefined();
    expect(model.requests).toHaveLength(2);
  });

  describe('of the losers of a race, before a pause', () => {
    it.each<[string, RunConfig, string | undefined]>([
      ['model calls', { maxLlmCalls: 5 }, 'LLM_CALL_LIMIT'],
      ['model calls', { maxLlmCalls: 6 }, undefined],
      ['tokens of their tools', { budget: { tokens: 21 } }, 'TOKEN_LIMIT'],
      ['tokens of their tools', { budget: { tokens: 22 } }, undefined],
    ])('counts the %s: %j', async (_what, config, end) => {
      const model = new ScriptedModel(pay(), says('Paid.'));
      const sessions = new InMemorySessionService();
      const modules = [
        new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions)),
      ];
      const open = (): Promise<Runner> =>
        createRunner(workflow.sequence(lostRace(), clerk('payment', model)), { config, modules });
      await eventsOf((await open()).run({ ...address, message: 'Pay.' }));

      expect(await approveFirst(await open())).toBe(end);
    });
  });

  describe('of models that tools ask', () => {
    const hm = { ...says('Hm.'), usageMetadata: { totalTokenCount: 11 } };

    it.each<[string, RunConfig, string]>([
      ['tokens', { budget: { tokens: 11 } }, 'TOKEN_LIMIT'],
      ['price', { budget: { usd: 2, cost: () => 2 } }, 'COST_LIMIT'],
      ['price that cannot be told', { budget: { usd: 2, cost: () => NaN } }, 'COST_LIMIT'],
    ])('counts the %s within the run', async (_what, config, end) => {
      const model = new ScriptedModel(callsTool('ponder'), hm, says('never'));
      const runner = await createRunner(clerk('clerk', model), { config });

      const events = await eventsOf(runner.run({ ...address, message: 'Think.' }));

      expect(events.at(-1)?.errorCode).toBe(end);
      expect(model.requests).toHaveLength(2);
    });

    it('refuses a tool that has spent all to ask once more', async () => {
      const model = new ScriptedModel(callsTool('ponder'), says('never'));
      const ponderTwice = new FunctionTool({
        name: 'ponder',
        description: '',
        run: async (_args, context) => {
          const { usageMetadata: usage } = await context.askModel({
            contents: [],
            config: {},
            model: new ScriptedModel(hm),
          });
          await context.askModel({ contents: [], config: {}, model: new ScriptedModel(hm) });
          return usage ?? null;
        },
      });
      const root = defineAgent({ name: 'clerk', model, tools: [ponderTwice] });
      const runner = await createRunner(root, { config: { budget: { tokens: 10 } } });

      const events = await eventsOf(runner.run({ ...address, message: 'Think.' }));

      const [response] = events.flatMap(({ functionResponses }) => functionResponses);
      expect(response?.response).toEqual({ error: 'The run may not call a model any more.' });
    });

    it.each<[string, RunConfig['budget'], string | undefined]>([
      ['tokens', { tokens: 21 }, 'TOKEN_LIMIT'],
      ['tokens', { tokens: 22 }, undefined],
      ['price', { usd: 4, cost: () => 2 }, 'COST_LIMIT'],
      ['price', { usd: 5, cost: () => 2 }, undefined],
      [
        'price that cannot be told',
        { usd: 9, cost: ({ totalTokenCount }) => (totalTokenCount === 11 ? NaN : 0) },
        'COST_LIMIT',
      ],
    ])('counts their %s across a pause: %j', async (_what, budget, end) => {
      const model = new ScriptedModel(
        { ...callsTools({ name: 'ponder', args: {} }, { name: 'pay', args: {} }), usageMetadata },
        hm,
        says('Paid.'),
      );
      const sessions = new InMemorySessionService();
      const modules = [
        new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions)),
      ];
      const open = (): Promise<Runner> =>
        createRunner(clerk('clerk', model), { config: { budget }, modules });
      await eventsOf((await open()).run({ ...address, message: 'Pay.' }));

      expect(await approveFirst(await open())).toBe(end);
    });
  });

  it('counts a structured answer that comes as a call once', async () => {
    class Narrow extends ScriptedModel {
      override get supportsSchemaBesideTools() {
        return false;
      }
    }
    const model = new Narrow(callsTool('set_model_response', { sum: 5 }), pay(), says('Paid.'));
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } };
    const tools = [new FunctionTool({ name: 'look', description: '', run: () => 'ten bytes.' })];
    const counts = defineAgent({ name: 'counts', model, tools, outputSchema });
    const runner = await createRunner(workflow.sequence(counts, clerk('payment', model)), {
      config: { maxLlmCalls: 3 },
    });
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));

    expect(await approveFirst(runner)).toBeUndefined();
    expect(model.requests).toHaveLength(3);
  });

  it('counts the pauses of one invocation together, and begins anew with a new message', async () => {
    const { runner, model } = await start(
      { budget: { tokens: 25 } },
      pay(),
      pay(),
      pay(),
      look(),
      says('Hello.'),
    );
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    await approveFirst(runner);
    await approveFirst(runner);
    expect(await approveFirst(runner)).toBe('TOKEN_LIMIT');
    expect(model.requests).toHaveLength(3);

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?' }));

    expect(events.at(-1)?.text).toBe('Hello.');
  });

  it('does not count the time of a pause, but that before and after it', async () => {
    const clock = new ManualClock();
    const { runner } = await start({ budget: { ms: 60_000 } }, clock, pay(), says('Paid.'), pay());
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    await clock.advance(3_600_000);

    expect(await approveFirst(runner)).toBeUndefined();
  });

  it('ends the run with TIME_LIMIT when its time is over, and aborts what is under way', async () => {
    const { runner, aborted } = await start({ budget: { ms: 30 } }, callsTool('hang'), says('never'));

    const events = await eventsOf(runner.run({ ...address, message: 'Hang.' }));

    expect(events.at(-1)).toMatchObject({ errorCode: 'TIME_LIMIT', turnComplete: true });
    expect(aborted).toEqual(['hang']);
  });

  it.each([
    'onUserMessage',
    'beforeRun',
    'beforeAgent',
    'beforeModel',
    'afterModel',
    'beforeTool',
    'afterTool',
  ])('ends a run whose %s never answers', async (hook) => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
    const model = new ScriptedModel(callsTool('look'), says('never'));
    const plugins = [{ name: 'hanging', [hook]: () => new Promise(() => undefined) }];
    const config = { budget: { ms: 30 } };
    await using runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [look] }), {
      config,
      plugins,
    });

    const { status, events } = await runner.run({ ...address, message: 'Look.' });

    expect([status, events.at(-1)?.errorCode]).toEqual(['failed', 'TIME_LIMIT']);
  });

  it('has the fields of the run laid over those of the runner', async () => {
    const { runner, model } = await start({ budget: { tokens: 20 } }, look(), look(), look(), says('Done.'));

    const config = { budget: { tokens: Infinity } };
    const events = await eventsOf(runner.run({ ...address, message: 'Look.', config }));

    expect(events.at(-1)?.text).toBe('Done.');
    expect(model.requests).toHaveLength(4);
  });

  it.each<[unknown, string]>([
    [{ token: 5 }, 'tokens'],
    [{ tokens: -1 }, 'budget.tokens is -1'],
    [{ tokens: NaN }, 'budget.tokens is NaN'],
    [{ ms: '5' }, 'budget.ms is 5'],
    [{ usd: 5 }, 'Pass the price of a model call'],
    [null, 'budget is null'],
    [[], 'budget is an array'],
    [5, 'budget is 5'],
  ])('refuses %j, and says what is wrong', async (budget, message) => {
    await expect(start({ budget: budget as never })).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
      message: expect.stringContaining(message),
    });
  });
});

const address = { userId: 'ada', sessionId: 's1' };

const usageMetadata = { totalTokenCount: 10 };

function isDown(): never {
  throw new Error('The model is down.');
}

/** A race that ends when one loser waits for its model, and the tool of the other has asked a model. */
function lostRace() {
  let end: (answer: ModelResponse) => void;
  const won = new Promise<ModelResponse>((resolve) => {
    end = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const ponder = new FunctionTool({
    name: 'ponder',
    description: '',
    run: async (_args, context) => {
      const model = new ScriptedModel({ ...says('Hm.'), usageMetadata: { totalTokenCount: 11 } });
      await context.askModel({ contents: [], config: {}, model });
      end(says('Won.'));
      return never;
    },
  });
  return workflow.race(
    defineAgent({ name: 'ponders', model: new ScriptedModel(callsTool('ponder')), tools: [ponder] }),
    defineAgent({ name: 'waits', model: new ScriptedModel(() => never) }),
    defineAgent({ name: 'wins', model: new ScriptedModel(() => won) }),
  );
}

/** An agent that pays after a yes, and asks its model by a tool. */
function clerk(name: string, model: Model) {
  const tools = [
    new FunctionTool({ name: 'look', description: '', run: () => 'ten bytes.' }),
    new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' }),
    new FunctionTool({
      name: 'ponder',
      description: '',
      run: async (_args, context) => (await context.askModel({ contents: [], config: {} })).content ?? null,
    }),
  ];
  return defineAgent({ name, model, tools });
}

function look(): ScriptedStep {
  return { ...callsTool('look'), usageMetadata };
}

function pay(): ScriptedStep {
  return { ...callsTool('pay'), usageMetadata };
}

async function start(config: RunConfig, ...given: readonly (ScriptedStep | Clock)[]) {
  const clock = given.find((one) => one instanceof Clock);
  const model = new ScriptedModel(...given.filter((one): one is ScriptedStep => !(one instanceof Clock)));
  const aborted: string[] = [];
  const tools = [
    new FunctionTool({ name: 'look', description: '', run: () => 'ten bytes.' }),
    new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' }),
    new FunctionTool({
      name: 'hang',
      description: '',
      run: (_args, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => aborted.push('hang'));
        }),
    }),
  ];
  const services = new ContainerModule(({ bind }) => {
    if (clock !== undefined) bind(Clock).toConstantValue(clock);
  });
  const root = defineAgent({ name: 'clerk', model, tools });
  const runner = await createRunner(root, { config, modules: [services] });
  return { runner, model, aborted };
}

async function approveFirst(runner: Runner): Promise<string | undefined> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('nothing is pending');
  const events = await eventsOf(runner.approve(request));
  return events.at(-1)?.errorCode;
}
