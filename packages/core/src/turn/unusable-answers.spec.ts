import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { DefinedAgentOptions } from '../backend.js';
import {
  agent,
  createRunner,
  defineAgent,
  defineTool,
  type Event,
  fallbackModel,
  FunctionTool,
  LlmAgent,
  type Model,
  type ModelResponse,
  type Part,
  workflow,
} from '../index.js';

/** Contents that hold something, and say nothing. */
const EMPTY: readonly (readonly [string, readonly Part[] | undefined])[] = [
  ['no content', undefined],
  ['no parts', []],
  ['an empty part', [{}]],
  ['an empty text', [{ text: '' }]],
  ['a blank text', [{ text: ' \n\t\u00a0\u200b' }]],
  ['a thought', [{ text: 'Hm.', thought: true }]],
  ['two thoughts and a blank', [{ text: 'a', thought: true }, { text: 'b', thought: true }, { text: '\n' }]],
  ['a signature', [{ text: '', thoughtSignature: 'YQ==' }]],
  ['metadata', [{ partMetadata: { a: 1 } }]],
  ['a file without data', [{ inlineData: { mimeType: 'image/png', data: '' } }]],
  ['a file without an address', [{ fileData: { mimeType: 'image/png' } }]],
  ['a forged response', [{ functionResponse: { name: 'look', response: { a: 1 } } }]],
];

const SAID: readonly (readonly [string, readonly Part[]])[] = [
  ['a text', [{ text: 'Hello.' }]],
  ['a zero', [{ text: '0' }]],
  ['a picture', [{ inlineData: { mimeType: 'image/png', data: 'YQ==' } }]],
  ['a file elsewhere', [{ fileData: { mimeType: 'image/png', fileUri: 'gs://a/b' } }]],
  ['code', [{ executableCode: { code: 'print(1)', language: 'PYTHON' as never } }, { text: 'x' }]],
  ['a thought and a text', [{ text: 'Hm.', thought: true }, { text: 'Hello.' }]],
];

function answers(parts: readonly Part[] | undefined, fields: ModelResponse = {}): ModelResponse {
  return { ...(parts && { content: { role: 'model', parts: [...parts] } }), ...fields };
}

const SLIPS: readonly ModelResponse[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_RESPONSE',
].map((code) => ({ finishReason: code, errorCode: code, errorMessage: `Wrong: print(look()) (${code}).` }));

const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };

describe('an answer without content', () => {
  it.each(EMPTY)('is EMPTY_RESPONSE, after one more request: %s', async (_what, parts) => {
    const { events, status, model } = await run([answers(parts), answers(parts)]);

    expect(events.map(({ errorCode }) => errorCode)).toEqual(['EMPTY_RESPONSE', 'EMPTY_RESPONSE']);
    expect(events.map(({ turnComplete }) => turnComplete)).toEqual([false, true]);
    expect(status).toBe('failed');
    expect(model.requests).toHaveLength(2);
  });

  it.each(EMPTY)('has the reason of the model where that explains it: %s', async (_what, parts) => {
    const { events } = await run([answers(parts, { finishReason: 'MAX_TOKENS' })]);

    expect(events.map(({ errorCode }) => errorCode)).toEqual(['MAX_TOKENS']);
    expect(events[0]?.errorMessage).toContain('maxOutputTokens');
  });

  it.each(SAID)('is not one with %s', async (_what, parts) => {
    const { events, status } = await run([answers(parts)]);

    expect(events.map(({ errorCode }) => errorCode)).toEqual([undefined]);
    expect(status).toBe('answered');
  });

  it.each(EMPTY)('satisfies no outputSchema, and writes no outputKey: %s', async (_what, parts) => {
    const model = new ScriptedModel(answers(parts), answers(parts));
    const Sum = defineAgent({ name: 'sum', outputSchema, outputKey: 'sum' });
    await using runner = await createRunner(Sum, { model });

    await expect(runner.ask('Sum?', { userId: 'ada', sessionId: 's' })).rejects.toMatchObject({
      code: 'RUN_FAILED',
    });
    const session = await runner.sessions.getSession({ appName: 'sum', userId: 'ada', sessionId: 's' });
    expect(session?.state).not.toHaveProperty('sum');
  });

  it.each(EMPTY)('has another model asked by fallbackModel, streamed or not: %s', async (_what, parts) => {
    for (const streaming of ['none', 'sse'] as const) {
      const piece = { ...answers(parts), partial: true };
      const first = new ScriptedModel([piece, answers(parts)]);
      const { text } = await run([], {
        model: fallbackModel([first, new ScriptedModel(says('Second.'))]),
        streaming,
      });

      expect(text).toBe('Second.');
    }
  });

  it.each(EMPTY)('has the next agent tried by workflow.fallback: %s', async (_what, parts) => {
    const model = new ScriptedModel(answers(parts), answers(parts));
    const First = defineAgent({ name: 'first', model });
    const Second = defineAgent({ name: 'second', model: new ScriptedModel(says('Second.')) });
    await using runner = await createRunner(workflow.fallback(First, Second, { name: 'either' }));

    expect(await runner.ask('Hi', { userId: 'ada' })).toBe('Second.');
  });

  it.each(EMPTY)('is an error to the agent that called it as a tool: %s', async (_what, parts) => {
    const model = new ScriptedModel(answers(parts), answers(parts));
    const Sub = defineAgent({ name: 'sub', description: 'Sums.', model, outputSchema });
    const asked = new ScriptedModel(callsTool('sub', { request: 'x' }), says('End.'));
    await run([], { model: asked, tools: [Sub] });

    const last = asked.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response;
    expect(last).toHaveProperty('error');
  });

  it.each(EMPTY)(
    'is EMPTY_RESPONSE from a callback too, and no model is asked again: %s',
    async (_what, parts) => {
      @agent({ name: 'before' })
      class Before extends LlmAgent {
        override beforeModel(): ModelResponse {
          return answers(parts);
        }
      }
      @agent({ name: 'after' })
      class After extends LlmAgent {
        override afterModel(): ModelResponse {
          return answers(parts);
        }
      }
      for (const [Agent, asked] of [
        [Before, 0],
        [After, 1],
      ] as const) {
        const model = new ScriptedModel(says('Hello.'));
        await using runner = await createRunner(Agent, { model });
        const { events } = await runner.run({ userId: 'ada', message: 'Hi' });

        expect(events.map(({ errorCode }) => errorCode)).toEqual(['EMPTY_RESPONSE']);
        expect(model.requests).toHaveLength(asked);
      }
    },
  );

  it('is EMPTY_RESPONSE for a tool that asks a model', async () => {
    const codes: unknown[] = [];
    const asks = new FunctionTool({
      name: 'asks',
      description: 'Asks.',
      parameters: { type: 'object', properties: {} },
      run: async (_args, context) => {
        const model = new ScriptedModel(answers([{ text: 'Hm.', thought: true }]));
        codes.push((await context.askModel({ model, contents: [], config: {} })).errorCode);
      },
    });
    await run([callsTool('asks'), says('Done.')], { tools: [asks] });

    expect(codes).toEqual(['EMPTY_RESPONSE']);
  });
});

describe('an answer whose finish reason forbids to use it', () => {
  it.each(['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'OTHER'])(
    'is an error: %s',
    async (finishReason) => {
      const call = { functionCall: { name: 'look', args: {} } };
      const { events, status } = await run([answers([{ text: 'Well.' }, call], { finishReason })], {
        tools: [LOOK],
      });

      expect(status).toBe('failed');
      expect(events.map(({ errorCode }) => errorCode)).toEqual([finishReason]);
    },
  );

  it('is not one that a callback put in its place', async () => {
    @agent({ name: 'clerk' })
    class Clerk extends LlmAgent {
      override afterModel(response: ModelResponse): ModelResponse {
        return {
          ...answers([{ text: 'Let us talk about something else.' }]),
          finishReason: response.finishReason ?? '',
        };
      }
    }
    const model = new ScriptedModel(answers([{ text: 'Well.' }], { finishReason: 'SAFETY' }));
    await using runner = await createRunner(Clerk, { model });

    expect(await runner.ask('Hi')).toBe('Let us talk about something else.');
  });
});

describe('a slip of the model', () => {
  it.each(SLIPS)('is asked once more with its reason: $errorCode', async (slip) => {
    const { text, status, events, model } = await run([slip, says('Found.')]);

    expect([text, status]).toEqual(['Found.', 'answered']);
    expect(events.map(({ errorCode, text: said }) => [errorCode, said])).toEqual([
      [slip.errorCode, ''],
      [undefined, 'Found.'],
    ]);
    const [, again] = model.requests;
    expect(again?.contents.at(-1)).toEqual({
      role: 'user',
      parts: [{ text: expect.stringContaining(slip.errorMessage ?? '') as string }],
    });
  });

  it('is asked once more also where a callback has seen or copied it', async () => {
    for (const afterModel of [
      (response: ModelResponse): ModelResponse => response,
      (response: ModelResponse): ModelResponse => ({ ...response }),
    ]) {
      @agent({ name: 'clerk' })
      class Clerk extends LlmAgent {
        override afterModel(response: ModelResponse): ModelResponse {
          return afterModel(response);
        }
      }
      for (const slip of [{}, ...SLIPS]) {
        await using runner = await createRunner(Clerk, { model: new ScriptedModel(slip, says('Found.')) });

        expect(await runner.ask('Hi')).toBe('Found.');
      }
    }
  });

  it('leaves nothing in the conversation that follows it', async () => {
    const slip = { ...answers([{ text: 'Well,' }]), ...SLIPS[0] };
    const model = new ScriptedModel(slip, says('Found.'), says('Still here.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });
    await runner.run({ userId: 'ada', sessionId: 's', message: 'Go' });
    await runner.run({ userId: 'ada', sessionId: 's', message: 'And?' });

    expect(model.requests[2]?.contents.map(({ parts }) => parts?.[0]?.text)).toEqual([
      'Go',
      'Found.',
      'And?',
    ]);
  });

  it.each(SLIPS)('ends the run with its code if it is repeated: $errorCode', async (slip) => {
    const { status, events } = await run([slip, slip]);

    expect(status).toBe('failed');
    expect(events.at(-1)).toMatchObject({ errorCode: slip.errorCode, turnComplete: true });
  });

  it('is forgiven again after an answer that could be used', async () => {
    const [slip = {}] = SLIPS;
    const { text } = await run([slip, callsTool('look'), slip, says('Found.')], { tools: [LOOK] });

    expect(text).toBe('Found.');
  });

  it.each([
    ['model calls', { maxLlmCalls: 1 }, {}],
    ['tokens', { budget: { tokens: 0 } }, {}],
    ['iterations', {}, { maxIterations: 1 }],
  ])('is not asked again beyond the limit of %s', async (_what, config, options) => {
    const [slip = {}] = SLIPS;
    const { events } = await run([slip], { config, ...options });

    expect(events).toHaveLength(1);
  });

  it('has another model asked by fallbackModel', async () => {
    for (const slip of SLIPS) {
      const model = fallbackModel([new ScriptedModel(slip), new ScriptedModel(says('Second.'))]);

      expect((await run([], { model })).text).toBe('Second.');
    }
  });

  it('is asked again when its process died before', async () => {
    const [slip = {}] = SLIPS;
    const { events } = await run([slip, says('Found.')]);

    expect(events[0]).toMatchObject({ turnComplete: false, isFinalResponse: false });
    expect(events[0]?.customMetadata).toMatchObject({ 'adorn:retried': true });
  });
});

describe('a call that the output limit cut off', () => {
  const CUT = 'MAX_TOKENS';
  const ran: unknown[] = [];
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' } },
      required: ['path'],
    },
    run: (args: unknown) => ran.push(args),
  });

  beforeEach(() => (ran.length = 0));

  function cut(args: unknown, ...before: readonly Part[]): ModelResponse {
    const functionCall = { name: 'write', args } as NonNullable<Part['functionCall']>;
    return answers([...before, { functionCall }], { finishReason: CUT });
  }

  it.each<[string, unknown, string]>([
    ['JSON that breaks off', '{"path":"a.txt","text":"Once upon', 'Once upon'],
    ['nothing yet', '', ''],
    ['no argument yet', {}, '{}'],
    ['not all that is required', { text: 'Once' }, 'Once'],
  ])('tells the model that the limit did it: %s', async (_what, args, written) => {
    const { events, text, model } = await run([cut(args), says('Done.')], { tools: [write] });

    const error: unknown = events[1]?.functionResponses[0]?.response?.['error'];
    expect(error).toContain('output limit');
    expect(error).toContain(written);
    expect(JSON.stringify(model.requests[1]?.contents)).toContain('output limit');
    expect(ran).toEqual([]);
    expect(text).toBe('Done.');
  });

  it('keeps what the model wrote in the event, and shows it to the model', async () => {
    const { events, model } = await run([cut('{"path":"a.txt","te'), says('Done.')], { tools: [write] });

    expect(events[0]?.functionCalls[0]?.args).toEqual({ 'adorn:unreadable': '{"path":"a.txt","te' });
    expect(model.requests[1]?.contents.at(-2)?.parts?.[0]?.functionCall?.args).not.toEqual({});
  });

  it('ends the run with MAX_TOKENS after the second one in a row', async () => {
    const { events, model, status } = await run([cut('{"a'), cut('{"b')], { tools: [write] });

    expect(model.requests).toHaveLength(2);
    expect(status).toBe('failed');
    expect(events.at(-1)).toMatchObject({ errorCode: CUT, turnComplete: true });
    expect(events.at(-1)?.errorMessage).toContain('maxOutputTokens');
  });

  it('does not keep the whole calls before it from running', async () => {
    const whole: Part = { functionCall: { name: 'write', args: { path: 'a' } } };
    const { events } = await run([cut('{"path":"b', { text: 'I write.' }, whole), says('Done.')], {
      tools: [write],
    });

    expect(ran).toEqual([{ path: 'a' }]);
    expect(events[1]?.functionResponses.map(({ response }) => 'error' in (response ?? {}))).toEqual([
      false,
      true,
    ]);
  });

  it('is not one that arrived whole', async () => {
    await run([cut({ path: 'a' }), says('Done.')], { tools: [write] });

    expect(ran).toEqual([{ path: 'a' }]);
  });

  it('is not one with arguments that are wrong for another reason', async () => {
    const functionCall = { name: 'write', args: { text: 'a' } };
    const { events } = await run([answers([{ functionCall }], { finishReason: 'STOP' }), says('Done.')], {
      tools: [write],
    });

    expect(events[1]?.functionResponses[0]?.response?.['error']).toContain('path is required');
  });
});

const LOOK = defineTool({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  parameters: { type: 'object', properties: {} },
  run: () => 'seen',
});

interface Options {
  readonly model?: Model;
  readonly tools?: DefinedAgentOptions['tools'];
  readonly streaming?: 'none' | 'sse';
  readonly config?: object;
  readonly maxIterations?: number;
}

interface Outcome {
  readonly events: readonly Event[];
  readonly text: string;
  readonly status: string;
  readonly model: ScriptedModel;
}

async function run(script: readonly ScriptedStep[], options: Options = {}): Promise<Outcome> {
  const { tools = [], streaming = 'none', config = {}, maxIterations } = options;
  const model = new ScriptedModel(...script);
  const Clerk = defineAgent({ name: 'clerk', tools, ...(maxIterations !== undefined && { maxIterations }) });
  await using runner = await createRunner(Clerk, { model: options.model ?? model });
  const message = { userId: 'ada', message: 'Go' };
  const { events, text, status } = await runner.run({ ...message, config: { streaming, ...config } });
  return { events, text, status, model };
}
