import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';

import type { LangChainTool, ToolSource } from '../../backend.js';
import { agent, createRunner, LlmAgent, withOptions } from '../../index.js';

/**
 * The shape of LangChain's `StructuredTool`, which validates its input itself: `@langchain/core` brings 45 MB, so it is no
 * dependency of the specs.
 */
class StructuredTool<Input> {
  readonly calls: { input: unknown; config: unknown }[] = [];
  returnDirect = false;

  constructor(
    readonly name: string,
    readonly description: string,
    readonly schema: z.ZodType<Input> | Record<string, unknown>,
    private readonly work: (input: Input) => unknown,
  ) {}

  async invoke(input: unknown, config?: { readonly signal?: AbortSignal }): Promise<unknown> {
    this.calls.push({ input, config });
    const parsed = this.schema instanceof z.ZodType ? await this.schema.parseAsync(input) : (input as Input);
    return this.work(parsed);
  }
}

const multiply = (): StructuredTool<{ a: number; b: number }> =>
  new StructuredTool(
    'multiply',
    'Multiplies two numbers.',
    z.object({ a: z.string().transform(Number), b: z.number().max(9) }),
    ({ a, b }) => String(a * b),
  );

describe('a LangChain tool among the tools of an agent', () => {
  it('is declared by its schema, and gets the arguments as the model gave them, with a signal', async () => {
    const tool = multiply();

    const { response, declarations } = await call(tool, { a: '6', b: 7 });

    expect(response).toEqual({ result: '42' });
    expect(tool.calls).toEqual([
      { input: { a: '6', b: 7 }, config: { signal: expect.any(AbortSignal) as unknown } },
    ]);
    expect(declarations).toMatchObject([
      {
        name: 'multiply',
        description: 'Multiplies two numbers.',
        parametersJsonSchema: { properties: { a: { type: 'string' }, b: { type: 'number' } } },
      },
    ]);
  });

  it('may have a JSON Schema', async () => {
    const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    const tool = new StructuredTool<{ q: string }>('search', 'Searches.', schema, ({ q }) => ({ found: q }));

    expect((await call(tool, { q: 'x' })).response).toEqual({ found: 'x' });
    expect((await call(tool, {})).response).toHaveProperty('error');
    expect(tool.calls).toHaveLength(1);
  });

  it('may take one text, as DynamicTool does', async () => {
    const schema = z3.object({ input: z3.string().optional() }).transform(({ input }) => input);
    const tool = {
      name: 'text',
      description: '',
      schema,
      invoke: ({ input }: { input: string }) => `got ${input}`,
    };

    const { response, declarations } = await call(tool, { input: 'hello' });

    expect(response).toEqual({ result: 'got hello' });
    expect(declarations).toMatchObject([
      { parametersJsonSchema: { properties: { input: { type: 'string' } }, required: ['input'] } },
    ]);
  });

  it('is not invoked with arguments that its library refuses', async () => {
    const tool = new StructuredTool(
      'book',
      'Books.',
      z.object({ day: z.string().refine((day) => day !== 'Sunday', 'closed on Sunday') }),
      () => 'booked',
    );

    const { response } = await call(tool, { day: 'Sunday' });

    expect(response).toEqual({ error: expect.stringContaining('closed on Sunday') as unknown });
    expect(tool.calls).toEqual([]);
  });

  it('may return the message for the model itself', async () => {
    const message = { content: 'It rains.', tool_call_id: 'x', lc_namespace: ['langchain_core'] };

    expect((await call(new StructuredTool('rain', '', z.object({}), () => message), {})).response).toEqual({
      result: 'It rains.',
    });
  });

  it('is the answer where it is direct', async () => {
    const tool = multiply();
    tool.returnDirect = true;

    const { model } = await call(tool, { a: '6', b: 7 });

    expect(model.requests).toHaveLength(1);
  });

  it('passes the gates: a wrapped one asks first', async () => {
    const tool = multiply();
    @agent({ tools: [withOptions(tool, { confirm: 'Multiply?' })] })
    class Clerk extends LlmAgent {}
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(callsTool('multiply', { a: '6', b: 7 })),
    });

    const { pending } = await runner.run({ userId: 'ada', message: 'Go.' });

    expect(pending).toMatchObject([{ kind: 'confirmation', hint: 'Multiply?' }]);
    expect(tool.calls).toEqual([]);
  });

  it('goes into tools without a cast, and is one tool where two agents list it', async () => {
    const tool: LangChainTool = multiply();
    const tools: readonly ToolSource[] = [tool, tool];

    @agent({ tools })
    class Clerk extends LlmAgent {}

    await using runner = await createRunner(Clerk, { model: new ScriptedModel(says('Hi.')) });
    expect(await runner.ask('Hi.')).toBe('Hi.');
  });

  it.each<[string, unknown, string]>([
    ['an invalid name', new StructuredTool('my tool', '', z.object({}), () => 1), 'TOOL_NAME_INVALID'],
    [
      'a schema that JSON has no form for',
      new StructuredTool('a', '', z.object({ at: z.date() }), () => 1),
      'SCHEMA_INVALID',
    ],
    [
      'a schema of zod 3',
      { name: 'a', description: '', schema: z3.object({}), invoke: () => 1 },
      'SCHEMA_INVALID',
    ],
    ['no schema', { name: 'a', description: '', invoke: () => 1 }, 'NOT_A_TOOL'],
    ['a schema that is none', { name: 'a', description: '', schema: null, invoke: () => 1 }, 'NOT_A_TOOL'],
  ])('with %s is an error when the runner is created', async (_what, source, code) => {
    @agent({ tools: [source as ToolSource] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk, { model: new ScriptedModel() })).rejects.toMatchObject({ code });
  });
});

/** What a call of the tool gives, to an agent that has it. */
async function call(tool: LangChainTool, args: Record<string, unknown>) {
  @agent({ tools: [tool] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(callsTool(tool.name, args, 'c1'), says('Done.'));
  await using runner = await createRunner(Clerk, { model });
  const events = await eventsOf(runner.run({ message: 'Go.' }));
  const [entry] = (model.requests[0]?.config.tools ?? []) as { functionDeclarations: unknown[] }[];
  return {
    model,
    response: events.flatMap(({ functionResponses }) => functionResponses)[0]?.response,
    declarations: entry?.functionDeclarations,
  };
}
