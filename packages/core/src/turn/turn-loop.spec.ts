import { callsTool, callsTools, eventsOf, says, type ScriptedStep, ScriptedModel } from '@adorn/testing';

import {
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type Part,
  type RunConfig,
  type Runner,
} from '../index.js';

describe('a run of an agent', () => {
  it('asks the model again after each batch of calls, with each of them answered', async () => {
    const { events, model } = await converse([
      callsTool('look', {}, 'c1'),
      callsTool('look', {}, 'c2'),
      says('Done.'),
    ]);

    expect(model.requests.map(({ contents }) => contents.length)).toEqual([1, 3, 5]);
    expect(
      events.map(({ functionCalls, functionResponses, text }) => [
        functionCalls.length,
        functionResponses.length,
        text,
      ]),
    ).toEqual([
      [1, 0, ''],
      [0, 1, ''],
      [1, 0, ''],
      [0, 1, ''],
      [0, 0, 'Done.'],
    ]);
  });

  it('goes on after a name that no tool has: the model is told the nearest', async () => {
    const { events } = await converse([
      callsTools({ name: 'finishh', id: 'c1' }, { name: 'look', id: 'c2' }),
      says('Done.'),
    ]);

    expect(events[1]?.functionResponses).toEqual([
      {
        id: 'c1',
        name: 'finishh',
        response: { error: 'There is no tool called "finishh". Did you mean finish?' },
      },
      { id: 'c2', name: 'look', response: { seen: true } },
    ]);
    expect(events[2]?.text).toBe('Done.');
  });

  it('ends with its response where the tool says so', async () => {
    const { events, model } = await converse([callsTool('finish')]);

    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ isFinalResponse: true, actions: { skipSummarization: true } });
    expect(model.requests).toHaveLength(1);
  });

  it('ends with the response of a tool that escalates', async () => {
    const { events, model } = await converse([callsTool('escalate')]);

    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ actions: { escalate: true } });
    expect(model.requests).toHaveLength(1);
  });

  it('asks the model again where code that it ran had the last word', async () => {
    const code: Part[] = [
      { executableCode: { code: 'print(6 * 7)' } },
      { text: 'So:' },
      { codeExecutionResult: { output: '42' } },
    ];
    const { events, model } = await converse([
      { content: { role: 'model', parts: code } },
      says('It is 42.'),
    ]);

    expect(events.map(({ isFinalResponse, turnComplete }) => [isFinalResponse, turnComplete])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(model.requests[1]?.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  });

  it('tells the model of an agent that nobody knows, and goes on itself', async () => {
    const { events } = await converse([callsTool('hand_over'), says('I stay.')]);

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error: 'unknown agent nobody; transfer not performed',
    });
    expect(events[1]?.actions.transferToAgent).toBeUndefined();
    expect(events[2]).toMatchObject({ author: 'clerk', text: 'I stay.' });
  });

  it.each<[string, RunConfig, number | undefined, ScriptedStep[], string, string]>([
    [
      'model calls',
      { maxLlmCalls: 2 },
      undefined,
      [callsTool('look'), callsTool('look')],
      'LLM_CALL_LIMIT',
      'invocation exhausted its budget of model calls',
    ],
    [
      'turns',
      {},
      2,
      [callsTool('look'), callsTool('look')],
      'MAX_ITERATIONS',
      'agent exhausted its iteration budget',
    ],
    [
      'wrong calls in a row',
      { maxInvalidCalls: 2 },
      undefined,
      [callsTool('loook'), callsTool('look', { extra: 1 })],
      'INVALID_CALL_LIMIT',
      'the model made as many answers in a row as maxInvalidCalls allows, each with calls of an unknown tool or invalid arguments only',
    ],
  ])(
    'ends with one event after too many %s',
    async (_what, config, maxIterations, steps, errorCode, errorMessage) => {
      const { events, model } = await converse(steps, config, maxIterations);

      expect(events.filter((event) => event.errorCode !== undefined)).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ author: 'clerk', errorCode, errorMessage, turnComplete: true });
      expect(events.at(-2)?.functionResponses).toHaveLength(1);
      model.assertDone();
    },
  );

  it('counts wrong calls anew after a good one', async () => {
    const { events } = await converse(
      [callsTool('loook'), callsTool('look'), callsTool('loook'), says('Done.')],
      { maxInvalidCalls: 2 },
    );

    expect(events.at(-1)?.text).toBe('Done.');
  });

  it('counts no call as wrong whose tool failed', async () => {
    jest.spyOn(console, 'warn').mockReturnValue();
    const { events } = await converse([callsTool('fail'), callsTool('fail'), says('Done.')], {
      maxInvalidCalls: 1,
    });

    expect(events.at(-1)?.text).toBe('Done.');
    jest.restoreAllMocks();
  });
});

describe('a run that was cancelled', () => {
  it('answers a tool that does not stop, and ends with one event', async () => {
    const runner = await clerk([callsTool('hang')]);
    hung = (invocationId) => runner.cancel(invocationId);

    const events = await eventsOf(runner.run({ message: 'Go.' }));

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error:
        'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
      outcome: 'unknown',
    });
    expect(events.slice(2)).toMatchObject([
      { errorCode: 'CANCELLED', errorMessage: 'invocation was cancelled', turnComplete: true },
    ]);
  });

  it('does not wait for a tool that is called after it was cancelled', async () => {
    const runner = await clerk([callsTool('hang')]);
    hung = () => undefined;
    const codes: (string | undefined)[] = [];

    const reading = (async (): Promise<string> => {
      for await (const event of runner.run({ message: 'Go.' })) {
        codes.push(event.errorCode);
        runner.cancel(event.invocationId);
      }
      return 'ended';
    })();

    await expect(Promise.race([reading, soon('still waiting')])).resolves.toBe('ended');
    expect(codes.at(-1)).toBe('CANCELLED');
  });

  it('does not wait for a tool whose turn comes after it was cancelled: it is answered as the others are', async () => {
    const runner = await clerk([
      callsTools({ name: 'hang', id: 'c1' }, { name: 'alone', id: 'c2' }, { name: 'hang', id: 'c3' }),
    ]);
    hung = (invocationId) => runner.cancel(invocationId);

    const run = eventsOf(runner.run({ message: 'Go.' }));
    const events = await Promise.race([run, soon(undefined)]);

    expect(events?.[1]?.functionResponses.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
    expect(events?.at(-1)?.errorCode).toBe('CANCELLED');
  });
});

describe('a run that goes on after a pause', () => {
  it('runs what was approved, and asks the model when the last of the batch is answered', async () => {
    const runner = await clerk([
      callsTools({ name: 'refund', id: 'c1' }, { name: 'refund', id: 'c2' }),
      says('Done.'),
    ]);
    await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
    const [first, second] = await runner.pending({ sessionId: 's1' });

    const one = first && (await eventsOf(runner.approve(first)));
    const two = second && (await eventsOf(runner.reject(second, { reason: 'too much' })));

    expect(one?.map(({ functionResponses }) => functionResponses)).toEqual([
      [{ id: 'c1', name: 'refund', response: { result: 'refunded' } }],
    ]);
    expect(two?.map(({ functionResponses, text }) => [functionResponses[0]?.response, text])).toEqual([
      [{ error: 'tool call was rejected', reason: 'too much' }, ''],
      [undefined, 'Done.'],
    ]);
  });

  it('asks the model only when all calls are answered of each answer whose results arrive', async () => {
    const runner = await clerk([
      callsTools({ name: 'book', id: 'c1' }, { name: 'book', id: 'c2' }),
      callsTool('book', {}, 'c3'),
      says('Booked.'),
    ]);
    await eventsOf(runner.run({ sessionId: 's1', message: 'Two seats.' }));
    await eventsOf(runner.run({ sessionId: 's1', message: 'And one more.' }));
    const supply = (...ids: string[]): Promise<Event[]> => {
      const parts = ids.map((id) => ({ functionResponse: { id, name: 'book', response: { seat: id } } }));
      return eventsOf(runner.run({ sessionId: 's1', message: { role: 'user', parts } }));
    };

    expect(await supply('c3', 'c1')).toEqual([]);
    expect((await supply('c2')).map(({ text }) => text)).toEqual(['Booked.']);
  });

  it('goes on also where a later call, left in the middle, bears the id of one of the batch', async () => {
    const runner = await clerk([
      callsTools({ name: 'look', id: 'c1' }, { name: 'book', id: 'c2' }),
      callsTool('look', {}, 'c1'),
      says('Booked.'),
    ]);
    await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
    for await (const event of runner.run({ sessionId: 's1', message: 'Well?' }))
      if (event.functionCalls.length > 0) break;
    const [request] = await runner.pending({ sessionId: 's1' });

    const events = request && (await eventsOf(runner.supply(request, { seat: '1A' })));

    expect(
      events?.map(({ text, functionResponses }) => functionResponses[0]?.response?.['outcome'] ?? text),
    ).toEqual(['unknown', 'Booked.']);
  });

  it('tells each tool which event its call was made in, also where one message answers calls of two', async () => {
    const runner = await clerk([callsTool('refund', {}, 'c1'), callsTool('refund', {}, 'c2'), says('Done.')]);
    const first = await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
    const second = await eventsOf(runner.run({ sessionId: 's1', message: 'Again.' }));
    const pending = await runner.pending({ sessionId: 's1' });
    const parts = pending.map(({ id }): Part => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } },
    }));

    refunds.length = 0;
    await eventsOf(runner.run({ sessionId: 's1', message: { role: 'user', parts } }));

    expect(refunds).toEqual([
      ['c1', first[0]?.id],
      ['c2', second[0]?.id],
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['0', 0],
    ['an empty text', ''],
    ['an object without a hint', {}],
  ])(
    'asks where the predicate answers %s: only a plain no lets a call through unasked',
    async (_what, asked) => {
      let ran = 0;
      const guarded = new FunctionTool({
        name: 'guarded',
        description: '',
        confirm: () => asked as boolean,
        run: () => ++ran,
      });
      const model = new ScriptedModel(callsTool('guarded'), says('Done.'));
      await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [guarded] }), { model });

      await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));

      expect(ran).toBe(0);
      expect(await runner.pending({ sessionId: 's1' })).toMatchObject([
        { kind: 'confirmation', tool: 'guarded' },
      ]);
    },
  );
});

const refunds: [string, string][] = [];
let hung: (invocationId: string) => void = () => undefined;

const tools = [
  new FunctionTool({ name: 'look', description: '', run: () => ({ seen: true }) }),
  new FunctionTool({ name: 'book', description: '', longRunning: true, run: () => ({ ticket: 7 }) }),
  new FunctionTool({ name: 'alone', description: '', sequential: true, run: () => 'alone' }),
  new FunctionTool({
    name: 'finish',
    description: '',
    run: (_args, { actions }) => {
      actions.skipSummarization = true;
    },
  }),
  new FunctionTool({
    name: 'escalate',
    description: '',
    run: (_args, { actions }) => {
      actions.escalate = true;
    },
  }),
  new FunctionTool({
    name: 'fail',
    description: '',
    run: () => {
      throw new Error('out of order');
    },
  }),
  new FunctionTool({
    name: 'hand_over',
    description: '',
    run: (_args, { actions }) => {
      actions.transferToAgent = 'nobody';
    },
  }),
  new FunctionTool({
    name: 'hang',
    description: '',
    timeout: Infinity,
    run: (_args, { invocationId }) => {
      setImmediate(() => {
        hung(invocationId);
      });
      return new Promise(() => undefined);
    },
  }),
  new FunctionTool({
    name: 'refund',
    description: '',
    confirm: true,
    run: (_args, { functionCallId, functionCallEventId }) => {
      refunds.push([functionCallId, functionCallEventId]);
      return 'refunded';
    },
  }),
];

function clerk(steps: ScriptedStep[]): Promise<Runner> {
  return createRunner(defineAgent({ name: 'clerk', tools }), { model: new ScriptedModel(...steps) });
}

async function converse(
  steps: ScriptedStep[],
  config: RunConfig = {},
  maxIterations?: number,
): Promise<{ events: Event[]; model: ScriptedModel }> {
  const model = new ScriptedModel(...steps);
  const Clerk = defineAgent({ name: 'clerk', tools, ...(maxIterations !== undefined && { maxIterations }) });
  await using runner = await createRunner(Clerk, { model });
  return { events: await eventsOf(runner.run({ message: 'Go.', config })), model };
}

/** After everything that is ready to happen has happened. */
async function soon<Value>(value: Value): Promise<Value> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
  return value;
}
