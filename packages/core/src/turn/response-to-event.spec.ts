import {
  callsTool,
  callsTools,
  eventsOf,
  says,
  type ScriptedStep,
  ScriptedModel,
  streams,
} from '@adorn/testing';

import type { RunInput } from '../backend.js';
import {
  agent,
  ConsoleLogger,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
} from '../index.js';

describe('an answer as an event', () => {
  it('bears what the model said of it', async () => {
    const facts = {
      finishReason: 'STOP',
      modelVersion: 'gemini-2.5-flash-001',
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 5 },
      groundingMetadata: { webSearchQueries: ['time'] },
      citationMetadata: { citations: [{ uri: 'https://example.com' }] },
    };

    const [event] = await run([{ ...says('Noon.'), ...facts }]);

    expect(event).toMatchObject({
      author: 'clerk',
      text: 'Noon.',
      turnComplete: true,
      partial: false,
      isFinalResponse: true,
      ...facts,
    });
  });

  it('is the answer of a model that gave none: it says why', async () => {
    const [event, ...rest] = await run([
      { errorCode: 'SAFETY', errorMessage: 'blocked', finishReason: 'SAFETY' },
    ]);

    expect(event).toMatchObject({
      content: undefined,
      errorCode: 'SAFETY',
      errorMessage: 'blocked',
      finishReason: 'SAFETY',
      turnComplete: true,
    });
    expect(rest).toEqual([]);
  });

  it('makes no calls where it came with an error, and keeps what was said', async () => {
    const call = { functionCall: { id: 'c1', name: 'look', args: {} } };
    const content = { role: 'model', parts: [{ text: 'I look.' }, call] };

    const [event, ...rest] = await run([{ content, errorCode: 'SAFETY' }]);

    expect(event).toMatchObject({ text: 'I look.', functionCalls: [], errorCode: 'SAFETY' });
    expect(rest).toEqual([]);
  });

  it.each<[string, ScriptedStep, object]>([
    [
      'throws',
      () => {
        throw new Error('no network');
      },
      { errorCode: 'MODEL_FAILED', errorMessage: 'no network' },
    ],
    ['says nothing at all, twice', [], { errorCode: 'EMPTY_RESPONSE' }],
  ])('is made also where the model %s', async (_what, step, fault) => {
    const events = await run([step, step]);

    expect(events.at(-1)).toMatchObject({ author: 'clerk', turnComplete: true, ...fault });
  });

  it('says what a callback around the model threw, and the log names the agent', async () => {
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    @agent({ name: 'scout', description: '' })
    class Scout extends LlmAgent {
      override beforeModel(): never {
        throw new Error('no quota');
      }
    }
    const Clerk = defineAgent({ name: 'clerk', subAgents: [Scout] });
    const model = new ScriptedModel(callsTool('transfer_to_agent', { agent_name: 'scout' }));
    await using runner = await createRunner(Clerk, { model });

    const events = await eventsOf(runner.run({ message: 'Go.' }));

    expect(events.at(-1)).toMatchObject({
      author: 'scout',
      errorCode: 'CALLBACK_FAILED',
      turnComplete: true,
    });
    expect(error.mock.calls).toEqual([
      [
        'a callback around the model failed',
        { agent: 'clerk/scout', error: expect.objectContaining({ code: 'CALLBACK_FAILED' }) as unknown },
      ],
    ]);
    error.mockRestore();
  });

  it('is not logged as that of a callback where the model throws', async () => {
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();

    await run([
      () => {
        throw new Error('no network');
      },
    ]);

    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
  });

  it('is not the end of the turn where it calls a tool, and lists the long-running ones', async () => {
    const [event] = await run([
      callsTools({ name: 'book', id: 'c1' }, { name: 'look', id: 'c2' }),
      says('Done.'),
    ]);

    expect(event).toMatchObject({ turnComplete: false, longRunningToolIds: ['c1'] });
    expect(event?.functionCalls.map(({ id, name }) => [id, name])).toEqual([
      ['c1', 'book'],
      ['c2', 'look'],
    ]);
  });

  it('keeps the parts of the model as they are, but for an id that a call lacks', async () => {
    const parts = [
      { text: 'hm', thought: true, thoughtSignature: 'YQ==' },
      { functionCall: { name: 'look', args: {} }, thoughtSignature: 'Yg==' },
    ];

    const [event] = await run([{ content: { role: 'model', parts } }, says('Done.')]);

    expect(event?.content).toEqual({
      role: 'model',
      parts: [
        parts[0],
        {
          ...parts[1],
          functionCall: { id: expect.stringMatching(/^adk-/) as unknown, name: 'look', args: {} },
        },
      ],
    });
  });
});

describe('a streamed answer', () => {
  it('comes in pieces that bear the id of the whole and are not stored', async () => {
    const { events, stored } = await converse([streams('It is ', 'noon.')], { config: { streaming: 'sse' } });

    expect(events.map(({ text, partial, turnComplete }) => [text, partial, turnComplete])).toEqual([
      ['It is ', true, false],
      ['noon.', true, false],
      ['It is noon.', false, true],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
    expect(stored.map(({ text }) => text)).toEqual(['Go.', 'It is noon.']);
  });

  it('is the whole alone where nobody asked for pieces', async () => {
    expect((await run([streams('It is ', 'noon.')])).map(({ text }) => text)).toEqual(['It is noon.']);
  });
});

describe('the output key', () => {
  it('keeps the text of the last answer, and of no other', async () => {
    const { events, state } = await converse(
      [callsTool('look'), says('It is noon.')],
      {},
      { outputKey: 'time' },
    );

    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([{}, {}, { time: 'It is noon.' }]);
    expect(state).toEqual({ time: 'It is noon.' });
  });

  it('leaves out thoughts', async () => {
    const answer = { content: { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'Noon.' }] } };

    expect((await converse([answer], {}, { outputKey: 'time' })).state).toEqual({ time: 'Noon.' });
  });

  it('keeps the value where there is an output schema', async () => {
    const { state } = await converse(
      [says('{"hour":12}')],
      {},
      { outputKey: 'time', outputSchema: { type: 'object' } },
    );

    expect(state).toEqual({ time: { hour: 12 } });
  });

  it('keeps nothing of an answer that did not come', async () => {
    expect((await converse([{ errorCode: 'SAFETY' }], {}, { outputKey: 'time' })).state).toEqual({});
  });
});

const look = new FunctionTool({ name: 'look', description: '', run: () => ({ seen: true }) });
const book = new FunctionTool({
  name: 'book',
  description: '',
  longRunning: true,
  run: () => ({ ticket: 7 }),
});

async function run(steps: ScriptedStep[]): Promise<Event[]> {
  return (await converse(steps)).events;
}

async function converse(
  steps: ScriptedStep[],
  input: Partial<RunInput> = {},
  options: Partial<Parameters<typeof defineAgent>[0]> = {},
) {
  const Clerk = defineAgent({ ...options, name: 'clerk', tools: [look, book] });
  await using runner = await createRunner(Clerk, { model: new ScriptedModel(...steps) });
  const events = await eventsOf(runner.run({ ...input, sessionId: 's1', message: 'Go.' }));
  const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
  return { events, stored: session?.events ?? [], state: { ...session?.state } };
}
