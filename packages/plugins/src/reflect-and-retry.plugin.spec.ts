import { agent, createRunner, type Event, FunctionTool, LlmAgent, ToolError } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { type ReflectAndRetryOptions, ReflectAndRetryPlugin } from './reflect-and-retry.plugin.js';

describe('ReflectAndRetryPlugin', () => {
  it('answers a failed call with its error, the count and guidance, and the model goes on', async () => {
    const { responses, last } = await run([callsTool('book', {}), says('Sorry.')]);

    expect(responses).toEqual([
      { error: 'full', retry: '1 of 3', guidance: expect.stringContaining('Correct the arguments') },
    ]);
    expect(last?.text).toBe('Sorry.');
  });

  it('counts the answers in which a tool fails; after the last retry the error stays as it is', async () => {
    const { responses } = await run(calls(5), { maxRetries: 3 });

    expect(responses.map((response) => response?.['retry'])).toEqual([
      '1 of 3',
      '2 of 3',
      '3 of 3',
      undefined,
      undefined,
    ]);
    expect(responses[3]).toEqual({ error: 'full' });
  });

  it('asks for no retry with maxRetries 0', async () => {
    expect((await run(calls(1), { maxRetries: 0 })).responses).toEqual([{ error: 'full' }]);
  });

  it('counts calls of one answer once', async () => {
    const step = callsTools({ name: 'book' }, { name: 'book' }, { name: 'book' });
    const { responses } = await run([step, step, says('Sorry.')], { maxRetries: 1 });

    expect(responses.map((response) => response?.['retry'])).toEqual([
      '1 of 1',
      '1 of 1',
      '1 of 1',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('counts each tool by itself, and each run anew', async () => {
    const plugin = new ReflectAndRetryPlugin({ maxRetries: 1 });
    const first = await run([callsTool('book', {}), callsTool('cancel', {}), says('Sorry.')], plugin);
    const second = await run([callsTool('book', {}), says('Sorry.')], plugin);

    expect([...first.responses, ...second.responses].map((response) => response?.['retry'])).toEqual([
      '1 of 1',
      '1 of 1',
      '1 of 1',
    ]);
    expect((plugin as unknown as { failures: Map<string, unknown> }).failures.size).toBe(0);
  });

  it('starts the count again when the tool succeeds in a later answer', async () => {
    let runs = 0;
    const { responses } = await run(
      calls(3),
      { maxRetries: 1 },
      {
        run: () => {
          if (++runs === 2) return 'booked';
          throw new ToolError('full');
        },
      },
    );

    expect(responses.map((response) => response?.['retry'])).toEqual(['1 of 1', undefined, '1 of 1']);
    expect(responses[1]).toEqual({ result: 'booked' });
  });

  it('ends the run with a typed end where it is told to, without asking the model again', async () => {
    const { events, model } = await run([...calls(2).slice(0, 2), says('never said')], {
      maxRetries: 1,
      whenExhausted: 'end',
    });

    expect(events.at(-1)).toMatchObject({
      errorCode: 'TOOL_RETRIES_EXHAUSTED',
      errorMessage: 'the tool "book" failed after 1 retries',
      turnComplete: true,
    });
    expect(model.requests).toHaveLength(2);
  });

  it('tells the model no more about an error than it would be told without the plugin', async () => {
    const throwing = () => {
      throw new RangeError('password hunter2');
    };
    const step = [callsTool('book', {}), says('Sorry.')];
    const { responses } = await run(step, {}, { run: throwing, effect: 'read' });
    const open = await run(step, {}, { run: throwing, effect: 'read', exposeErrors: true });

    expect(responses[0]?.['error']).toBe(
      'The tool failed (RangeError). Details are hidden. Continue without it, or retry.',
    );
    expect(open.responses[0]?.['error']).toBe('password hunter2');
  });

  it.each<[string, Partial<FunctionToolFields>]>([
    ['threw', { run: () => Promise.reject(new RangeError('connection reset')) }],
    ['ran out of time', { run: () => new Promise<never>(() => undefined), timeout: 1 }],
  ])(
    'does not invite the model to repeat a call that %s and may have taken effect',
    async (_what, fields) => {
      const step = [callsTool('book', {}), callsTool('book', {}), says('Sorry.')];
      const write = await run(step, { maxRetries: 1, whenExhausted: 'end' }, fields);
      const [read, idempotent] = [
        await run(step, {}, { ...fields, effect: 'read' }),
        await run(step, {}, { ...fields, idempotent: true }),
      ];

      expect(write.responses).toEqual([
        {
          error: expect.stringMatching(/^outcome unknown: .* may have taken effect\.$/) as string,
          outcome: 'unknown',
        },
        { error: expect.stringMatching(/^outcome unknown: /) as string, outcome: 'unknown' },
      ]);
      expect(write.last?.text).toBe('Sorry.');
      expect(read.responses[0]).toMatchObject({ retry: '1 of 3' });
      expect(idempotent.responses[0]).toMatchObject({ retry: '1 of 3' });
    },
  );

  it('counts the failures of all runs together where it is told to, and a success starts the count again', async () => {
    let isDown = true;
    const plugin = new ReflectAndRetryPlugin({ maxRetries: 1, scope: 'global', whenExhausted: 'end' });
    const book = () => {
      if (isDown) throw new ToolError('full');
      return 'booked';
    };
    const first = await run(calls(1), plugin, { run: book });
    const second = await run(calls(1), plugin, { run: book });
    isDown = false;
    const third = await run(calls(1), plugin, { run: book });
    isDown = true;
    const fourth = await run(calls(1), plugin, { run: book });

    expect([first, second, third, fourth].map(({ responses }) => responses[0]?.['retry'])).toEqual([
      '1 of 1',
      undefined,
      undefined,
      '1 of 1',
    ]);
    expect([first, second, third].map(({ last }) => last?.errorCode)).toEqual([
      undefined,
      'TOOL_RETRIES_EXHAUSTED',
      undefined,
    ]);
  });

  it('watches only the tools that it is told', async () => {
    const { responses } = await run([callsTools({ name: 'book' }, { name: 'cancel' }), says('Sorry.')], {
      tools: 'can*',
    });

    expect(responses.map((response) => response?.['retry'])).toEqual([undefined, '1 of 3']);
  });

  it.each<[string, Partial<FunctionToolFields>]>([
    ['declared as such', { longRunning: true }],
    [
      'that say so while they run',
      {
        run: (_args, context) => {
          context.longRunning = true;
          throw new ToolError('full');
        },
      },
    ],
  ])(
    'leaves long-running calls %s as they are: nothing waits for a result that never comes',
    async (_what, fields) => {
      const { responses, runner } = await run([callsTool('book', {}), says('Sorry.')], {}, fields);

      expect(responses).toEqual([{ error: 'full' }]);
      expect(await runner.pending(address)).toEqual([]);
    },
  );

  it.each([{ escalate: true }, { skipSummarization: true }, { transferToAgent: 'clerk' }])(
    'lets a failed call steer nothing: %j',
    async (steering) => {
      const { last, responses } = await run(
        [callsTool('book', {}), says('Sorry.')],
        {},
        {
          run: (_args, { actions }) => {
            Object.assign(actions, steering);
            throw new ToolError('full');
          },
        },
      );

      expect(responses).toMatchObject([{ error: 'full', retry: '1 of 3' }]);
      expect(last?.text).toBe('Sorry.');
    },
  );

  it.each<[string, unknown, RegExp]>([
    ['a negative count', { maxRetries: -1 }, /maxRetries is -1/],
    ['NaN', { maxRetries: NaN }, /maxRetries is NaN/],
    ['a text', { maxRetries: '3' }, /maxRetries is "3". Pass a whole number/],
    ['an unknown end', { whenExhausted: 'throw' }, /whenExhausted/],
    ['an unknown scope', { scope: 'app' }, /scope is "app"\. .*Valid: run, global/],
    ['an unknown option', { maxRetry: 3 }, /Did you mean maxRetries/],
    ['null', null, /its options are null/],
  ])('is not made with %s', (_what, options, message) => {
    expect(() => new ReflectAndRetryPlugin(options as ReflectAndRetryOptions)).toThrow(message);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function calls(count: number): ScriptedStep[] {
  return [...Array.from({ length: count }, () => callsTool('book', {})), says('Sorry.')];
}

async function run(
  steps: readonly ScriptedStep[],
  options: ReflectAndRetryOptions | ReflectAndRetryPlugin = {},
  fields: Partial<FunctionToolFields> = {},
) {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const toolNamed = (name: string, changes: Partial<FunctionToolFields>): FunctionTool =>
    new FunctionTool({
      name,
      description: '',
      parameters: { type: 'object' },
      run: () => {
        throw new ToolError('full');
      },
      ...changes,
    });
  @agent({ name: 'clerk', description: '', tools: [toolNamed('book', fields), toolNamed('cancel', {})] })
  class Clerk extends LlmAgent {}
  const plugin = options instanceof ReflectAndRetryPlugin ? options : new ReflectAndRetryPlugin(options);
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, plugins: [plugin] });
  const events: Event[] = await eventsOf(runner.run({ ...address, message: 'Book.' }));
  const responses = events.flatMap(({ functionResponses }) =>
    functionResponses.map(({ response }) => response),
  );
  return { events, responses, last: events.at(-1), model, runner };
}

afterEach(() => {
  jest.restoreAllMocks();
});
