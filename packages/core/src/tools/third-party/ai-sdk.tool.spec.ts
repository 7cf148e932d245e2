import { jsonSchema, lazySchema, tool, zodSchema } from '@ai-sdk/provider-utils';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { type } from 'arktype';
import { z } from 'zod';

import { agent, createRunner, LlmAgent } from '../../index.js';
import type { ToolSource } from '../../backend.js';

/** The JSON Schema that the AI SDK takes. */
type JSONSchema7 = Extract<Parameters<typeof jsonSchema>[0], { readonly type?: unknown }>;

const city = z.object({
  city: z.string().transform((name) => name.toUpperCase()),
  days: z.number().default(3),
});

describe('a tool of the AI SDK, in a record among the tools of an agent', () => {
  it('is declared under its key, and gets the output of its schema, the call, the message and a signal', async () => {
    const seen: unknown[] = [];
    const forecast = tool({
      description: 'Weather of a city.',
      inputSchema: city,
      execute: (input, { toolCallId, messages, abortSignal }) => {
        seen.push(input, toolCallId, messages, abortSignal instanceof AbortSignal);
        return { rain: true };
      },
    });

    const { response, declarations } = await call({ get_forecast: forecast }, { city: 'Rome' });

    expect(response).toEqual({ rain: true });
    expect(seen).toEqual([{ city: 'ROME', days: 3 }, 'c1', [{ role: 'user', content: 'Go.' }], true]);
    expect(declarations).toMatchObject([
      {
        name: 'get_forecast',
        description: 'Weather of a city.',
        parametersJsonSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ]);
  });

  const rome: JSONSchema7 = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it.each<[string, () => object]>([
    ['jsonSchema()', () => jsonSchema(rome)],
    ['jsonSchema() of a promise', () => jsonSchema(Promise.resolve(rome))],
    ['lazySchema()', () => lazySchema(() => jsonSchema(rome))],
    ['zodSchema()', () => zodSchema(z.object({ city: z.string() }))],
    ['arktype', () => type({ city: 'string' })],
    ['JSON Schema alone', () => rome],
  ])('takes a schema of %s, and checks calls against it', async (_what, schema) => {
    const echo = { description: 'Echoes.', inputSchema: schema(), execute: (input: object) => input };

    expect((await call({ echo }, { city: 'Rome' })).response).toEqual({ city: 'Rome' });
    expect((await call({ echo }, { town: 'Rome' })).response).toEqual({
      error: expect.stringContaining('Invalid arguments for "echo"') as unknown,
    });
  });

  it('takes the output and the faults of validate of jsonSchema()', async () => {
    const inputSchema = jsonSchema<{ city: string }>(rome, {
      validate: (value) => {
        const { city: name } = value as { city: string };
        return name === 'Rome'
          ? { success: true, value: { city: 'ROME' } }
          : { success: false, error: new Error('only Rome') };
      },
    });
    const echo = tool({ inputSchema, execute: (input) => input });

    expect((await call({ echo }, { city: 'Rome' })).response).toEqual({ city: 'ROME' });
    expect((await call({ echo }, { city: 'Oslo' })).response).toEqual({
      error: expect.stringContaining('only Rome') as unknown,
    });
  });

  it('takes the form of version 4', async () => {
    const echo = { parameters: z.object({ a: z.number() }), execute: ({ a }: { a: number }) => a };

    expect((await call({ echo }, { a: 1 })).response).toEqual({ result: 1 });
  });

  it('may give several values: the last is the result, all are progress', async () => {
    const count = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield { part: 1 };
        yield await Promise.resolve({ part: 2 });
      },
    });

    expect((await call({ count }, {})).response).toEqual({ part: 2 });
  });

  it.each([
    ['true', true],
    ['a function that asks', ({ city: name }: { city: string }) => name === 'ROME'],
    ['a function that asks later', () => Promise.resolve(true)],
  ])(
    'waits for a confirmation where needsApproval is %s, and runs once it is approved',
    async (_what, needsApproval) => {
      const execute = jest.fn(() => 'booked');
      @agent({ tools: [{ book: tool({ inputSchema: city, needsApproval, execute }) }] })
      class Clerk extends LlmAgent {}
      const model = new ScriptedModel(callsTool('book', { city: 'Rome' }, 'c1'), says('Booked.'));
      await using runner = await createRunner(Clerk, { model });

      const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Book.' });

      expect(pending.map(({ kind, tool: name }) => [kind, name])).toEqual([['confirmation', 'book']]);
      expect(execute).not.toHaveBeenCalled();
      const [request] = pending;
      if (request !== undefined) await eventsOf(runner.approve(request, { by: 'ada' }));
      expect(execute).toHaveBeenCalledTimes(1);
    },
  );

  it('runs unasked where needsApproval says no', async () => {
    const book = tool({ inputSchema: city, needsApproval: () => false, execute: () => 'booked' });

    expect((await call({ book }, { city: 'Rome' })).response).toEqual({ result: 'booked' });
  });

  it('does not run where needsApproval throws', async () => {
    const execute = jest.fn();
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const needsApproval = (): never => {
      throw new Error('no policy');
    };

    const { response } = await call(
      { book: tool({ inputSchema: city, needsApproval, execute }) },
      { city: 'Rome' },
    );

    expect(response).toHaveProperty('error');
    expect(execute).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('fails as any tool does: its error is hidden from the model, and the turn goes on', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const fail = tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error('secret');
      },
    });

    const { response, text } = await call({ fail }, {});

    expect(JSON.stringify(response)).not.toContain('secret');
    expect(text).toBe('Done.');
    warn.mockRestore();
  });

  const sound = tool({ inputSchema: z.object({}), execute: () => 1 });

  it.each<[string, unknown, string, string]>([
    [
      'without a record',
      sound,
      'NOT_A_TOOL',
      'has no name: list it in a record, such as { get_weather: tool }',
    ],
    [
      'without execute',
      { ask: tool({ inputSchema: z.object({}) }) },
      'NOT_A_TOOL',
      'entry "ask" has no execute',
    ],
    ['beside something else', { sound, other: 1 }, 'NOT_A_TOOL', 'entry "other" is not a tool of the AI SDK'],
    ['with an invalid name', { 'a b': sound }, 'TOOL_NAME_INVALID', '"a b" of a tool of the AI SDK'],
    [
      'with a schema that JSON has no form for',
      { when: tool({ inputSchema: z.object({ at: z.date() }), execute: () => 1 }) },
      'SCHEMA_INVALID',
      'when',
    ],
    [
      'with a schema that throws',
      { when: { inputSchema: () => JSON.parse('{') as object, execute: () => 1 } },
      'SCHEMA_INVALID',
      'when',
    ],
  ])('%s is an error when the runner is created', async (_what, source, code, words) => {
    @agent({ tools: [source as ToolSource] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk, { model: new ScriptedModel() })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words) as unknown,
    });
  });

  it('may not have the name of another tool', async () => {
    await expect(
      call({ sound }, {}, [{ sound: tool({ inputSchema: z.object({}), execute: () => 2 }) }]),
    ).rejects.toMatchObject({ code: 'TOOL_NAME_TAKEN' });
  });

  it('is no tool for the compiler outside a record', () => {
    // @ts-expect-error -- it has no name
    const source: ToolSource = { description: 'Alone.', inputSchema: z.object({}), execute: () => 1 };
    expect(source).toBeDefined();
  });
});

/** What a call of the first tool of the record gives, to an agent that has the record. */
async function call(record: ToolSource, args: Record<string, unknown>, more: readonly ToolSource[] = []) {
  @agent({ tools: [record, ...more] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(callsTool(Object.keys(record)[0] ?? '', args, 'c1'), says('Done.'));
  await using runner = await createRunner(Clerk, { model });
  const events = await eventsOf(runner.run({ message: 'Go.' }));
  const [entry] = (model.requests[0]?.config.tools ?? []) as { functionDeclarations: unknown[] }[];
  return {
    response: events
      .filter(({ partial }) => !partial)
      .flatMap(({ functionResponses }) => functionResponses)[0]?.response,
    declarations: entry?.functionDeclarations,
    text: events.at(-1)?.text,
  };
}
