import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  ConsoleLogger,
  type Content,
  createRunner,
  defineAgent,
  FunctionTool,
  type Message,
  Model,
  type ModelResponse,
  Plugin,
  type Runner,
} from '../../../index.js';

/** Contents as a model's class, a client in plain JavaScript, or a callback may give them. */
const CONTENTS: readonly [string, unknown][] = [
  ['null', null],
  ['a text', 'Hello'],
  ['parts that are null', { role: 'model', parts: null }],
  ['parts that are a text', { role: 'model', parts: 'Hello' }],
  ['parts that are an object', { role: 'model', parts: {} }],
  ['a part that is null', { role: 'model', parts: [null, { text: 'Hello' }] }],
  ['a part that is a number', { role: 'model', parts: [1] }],
  ['a null response', { role: 'model', parts: [{ text: 'Hello', functionResponse: null }] }],
  ['a null call', { role: 'model', parts: [{ text: 'Hello', functionCall: null }] }],
  [
    'a call without fields',
    { role: 'model', parts: [{ functionCall: { id: null, name: null, args: null } }] },
  ],
  ['a text that is an object', { role: 'model', parts: [{ text: { a: 1 } }] }],
  ['a part of 10,000 levels', { role: 'model', parts: [{ text: 'Hello', partMetadata: nested(10_000) }] }],
  [
    'a call with 10,000 levels',
    { role: 'model', parts: [{ functionCall: { name: 'look', args: nested(10_000) } }] },
  ],
  ['a call with a cycle', { role: 'model', parts: [{ functionCall: { name: 'look', args: cycle() } }] }],
];

describe('a conversation with unclean contents', () => {
  it.each(CONTENTS)('goes on after a model answered with %s', async (_what, content) => {
    await using runner = await runnerOf(new YieldingModel({ content }));

    await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    await expectUsable(runner);
  });

  it.each(CONTENTS)('goes on after a model streamed %s', async (_what, content) => {
    const model = new YieldingModel({ content, partial: true }, { content, finishReason: 'STOP' });
    await using runner = await runnerOf(model);

    await eventsOf(runner.run({ sessionId: 's1', message: 'Hi', config: { streaming: 'sse' } }));

    await expectUsable(runner);
  });

  it.each(CONTENTS.slice(1).filter(([, content]) => isRecord(content)))(
    'goes on after a callback answered with %s',
    async (_what, content) => {
      const model = new ScriptedModel(says('second'));
      const plugins = [new AnsweringPlugin(content as Content)];
      await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model, plugins });

      await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

      await expectUsable(runner);
    },
  );

  it.each<[string, unknown]>([
    ['a null response', { role: 'user', parts: [{ text: 'Hi', functionResponse: null }] }],
    ['a null call', { role: 'user', parts: [{ text: 'Hi', functionCall: null }] }],
    ['a null role', { role: null, parts: [{ text: 'Hi' }] }],
    ['an unknown field of 10,000 levels', [{ text: 'Hi', custom: nested(10_000) }]],
  ])('goes on after a user said %s', async (_what, message) => {
    await using runner = await runnerOf(new ScriptedModel(says('first'), says('second')));

    await eventsOf(runner.run({ sessionId: 's1', message: message as Message }));

    await expectUsable(runner);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'Hello'],
  ])('answers MALFORMED_RESPONSE where a model yielded %s', async (_what, response) => {
    await using runner = await runnerOf(new YieldingModel(response));

    const events = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(events.at(-1)).toMatchObject({ errorCode: 'MALFORMED_RESPONSE' });
    await expectUsable(runner);
  });

  it('keeps no metadata of an answer that JSON cannot hold', async () => {
    const usageMetadata = { totalTokenCount: 1n };
    await using runner = await runnerOf(
      new YieldingModel({ ...says('Hi'), usageMetadata, errorMessage: null }),
    );

    const [answer] = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(answer).toMatchObject({ text: 'Hi', usageMetadata: undefined });
    expect(() => JSON.stringify(answer)).not.toThrow();
  });

  it('keeps the metadata of an answer of which nothing usable is left, and says MALFORMED_RESPONSE', async () => {
    const usageMetadata = { totalTokenCount: 7 };
    const content = { role: 'model', parts: [{ text: { a: 1 } }] };
    await using runner = await runnerOf(new YieldingModel({ content, usageMetadata, finishReason: 'STOP' }));

    const [answer] = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(answer).toMatchObject({
      errorCode: 'MALFORMED_RESPONSE',
      errorMessage: 'The model returned values that are not content parts. Ask again.',
      usageMetadata,
      finishReason: 'STOP',
    });
  });

  it('has no error in an answer that has a text beside what was left out', async () => {
    const content = { parts: [{ text: 'Hello' }, { text: 7 }] };
    await using runner = await runnerOf(new YieldingModel({ content }));

    const [answer] = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(answer).toMatchObject({ author: 'clerk', errorCode: undefined, turnComplete: true });
  });

  it('keeps the error that an answer came with, also where its content is unclean', async () => {
    const response = { content: { parts: [{ text: 7 }] }, errorCode: 'SAFETY', errorMessage: 'blocked' };
    await using runner = await runnerOf(new YieldingModel(response));

    const [answer] = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(answer).toMatchObject({ errorCode: 'SAFETY', errorMessage: 'blocked' });
  });
});

describe('the log of an answer with values of the wrong kind', () => {
  it('names the field, what was found and what was wanted', async () => {
    const parts = [{ text: 7 }, { text: 'Hello', thought: 'yes' }, { functionCall: [] }];

    expect(await warningsOf({ role: 'model', parts })).toEqual([
      [
        'a model answered with values of the wrong type; they were dropped',
        {
          agent: 'clerk',
          fields: [
            'part.text: a number, not a text',
            'part.thought: a text, not a boolean',
            'part.functionCall: a list, not an object',
          ],
        },
      ],
    ]);
  });

  it('lists the first ten', async () => {
    const parts = Array.from({ length: 11 }, (_, index) => (index === 0 ? { thought: 1 } : { text: index }));

    expect(await warningsOf({ role: 'model', parts })).toMatchObject([
      [
        expect.any(String),
        {
          fields: [
            'part.thought: a number, not a boolean',
            ...Array<string>(9).fill('part.text: a number, not a text'),
          ],
        },
      ],
    ]);
  });

  it.each<[string, unknown]>([
    ['fields that are null', { role: 'model', parts: [null, { text: 'Hello', functionCall: null }] }],
    ['fields that nobody knows', { role: 'model', parts: [{ text: 'Hello', mood: 'calm' }] }],
    ['arguments that the model hears of', { parts: [{ functionCall: { name: 'look', args: 'a=1' } }] }],
  ])('is silent about %s', async (_what, content) => {
    expect(await warningsOf(content)).toEqual([]);
  });
});

describe('a call whose arguments cannot be read', () => {
  it.each<[string, unknown, string]>([
    ['10,000 levels', nested(10_000), 'more than 200 levels of nesting'],
    ['a list', [1], 'must be an object, not a list'],
    ['a text', 'a=1', 'must be an object, not a text'],
    ['a list as JSON text', '[1]', 'must be an object, not a text'],
    ['a bigint', { a: 1n }, 'a bigint at a'],
  ])('is refused, and its tool does not run: %s', async (_what, args, reason) => {
    const runs: unknown[] = [];
    const tool = new FunctionTool({
      name: 'look',
      description: 'Test.',
      parameters: ANY,
      run: (given) => runs.push(given),
    });
    const content = { role: 'model', parts: [{ functionCall: { name: 'look', args } }] };
    const Agent = defineAgent({ name: 'clerk', tools: [tool] });
    await using runner = await createRunner(Agent, { model: new YieldingModel({ content }) });

    const events = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    const error: unknown = events[1]?.functionResponses[0]?.response?.['error'];
    expect(error).toContain('Invalid arguments for "look"');
    expect(error).toContain(reason);
    expect(runs).toEqual([]);
    await expectUsable(runner);
  });

  it('runs with the object that a model wrote as JSON text', async () => {
    const runs: unknown[] = [];
    const tool = new FunctionTool({
      name: 'look',
      description: 'Test.',
      parameters: ANY,
      run: (given) => runs.push(given),
    });
    const content = { role: 'model', parts: [{ functionCall: { name: 'look', args: '{"at":"sea"}' } }] };
    const Agent = defineAgent({ name: 'clerk', tools: [tool] });
    await using runner = await createRunner(Agent, { model: new YieldingModel({ content }) });

    const [call] = await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));

    expect(call?.functionCalls[0]?.args).toEqual({ at: 'sea' });
    expect(runs).toEqual([{ at: 'sea' }]);
  });
});

const ANY = { type: 'object' };

const look = new FunctionTool({ name: 'look', description: 'Test.', run: () => 'seen' });

/** Yields what it is given at its first call, and "second" at every later one. */
class YieldingModel extends Model {
  readonly name = 'yielding';
  private readonly responses: readonly unknown[];
  private calls = 0;

  constructor(...responses: unknown[]) {
    super();
    this.responses = responses;
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    if (this.calls++ > 0) yield says('second');
    else yield* this.responses as ModelResponse[];
  }
}

/** Answers the first message in place of the agent. */
class AnsweringPlugin extends Plugin {
  readonly name = 'answering';

  constructor(private answer: Content | undefined) {
    super();
  }

  override beforeAgent(): Content | undefined {
    const { answer } = this;
    this.answer = undefined;
    return answer;
  }
}

function runnerOf(model: Model): Promise<Runner> {
  return createRunner(defineAgent({ name: 'clerk', tools: [look] }), { model });
}

/** The warnings, each with its facts, of a run in which a model answers with the content. */
async function warningsOf(content: unknown): Promise<unknown[]> {
  const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();
  await using runner = await runnerOf(new YieldingModel({ content }));
  await eventsOf(runner.run({ sessionId: 's1', message: 'Hi' }));
  const { calls } = warn.mock;
  warn.mockRestore();
  return calls;
}

async function expectUsable(runner: Runner): Promise<void> {
  expect(await runner.ask('And now?', { sessionId: 's1' })).toBe('second');
  expect(await runner.pending({ sessionId: 's1' })).toEqual([]);
  const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
  expect(() => JSON.stringify(session?.events)).not.toThrow();
}

/** A callback that returns something else is refused: see the specs of callbacks. */
function isRecord(content: unknown): boolean {
  return typeof content === 'object' && !Array.isArray(content);
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function cycle(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}
