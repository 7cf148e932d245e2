import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

import type { AgentOptions, ExplicitSchema } from '../../../backend.js';
import { agent, createRunner, FunctionTool, LlmAgent, type Part, StaticToolset } from '../../../index.js';

/** A city that is not Atlantis, which the library makes capitals of. */
const libraries: [name: string, schema: ExplicitSchema][] = [
  [
    'zod',
    z.object({
      city: z
        .string()
        .refine((city) => city !== 'atlantis', 'It is lost')
        .transform((city) => city.toUpperCase())
        .describe('The city.'),
    }),
  ],
  [
    'valibot',
    v.object({
      city: v.pipe(
        v.string(),
        v.description('The city.'),
        v.check((city) => city !== 'atlantis', 'It is lost'),
        v.transform((city) => city.toUpperCase()),
      ),
    }),
  ],
  [
    'arktype',
    type({
      city: type('string')
        .describe('The city.', 'self')
        .narrow((city, context) => city !== 'atlantis' || context.reject({ message: 'It is lost' }))
        .pipe((city) => city.toUpperCase()),
    }),
  ],
];

describe('outputKey', () => {
  it('keeps the text of the last answer of a turn, and of no other event', async () => {
    const { events, state } = await run(
      { outputKey: 'answer', tools: [look] },
      [],
      {
        content: {
          role: 'model',
          parts: [{ text: 'I look.' }, { functionCall: { name: 'look', args: {} } }],
        },
      },
      says('It is fine.'),
    );

    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([{}, {}, { answer: 'It is fine.' }]);
    expect(state).toEqual({ answer: 'It is fine.' });
  });

  it.each<[string, Part[]]>([
    ['an empty text', [{ text: '' }]],
    ['thoughts alone', [{ text: 'Hm.', thought: true }]],
    ['an image alone', [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }]],
  ])('keeps nothing of an answer without a text: %s', async (_what, parts) => {
    for (const options of [{}, { outputSchema }]) {
      const { state } = await run({ ...options, outputKey: 'answer' }, [], {
        content: { role: 'model', parts },
      });
      expect(state).toEqual({});
    }
  });
});

describe('outputSchema', () => {
  it("is the model's own response schema where the agent has no tools", async () => {
    const { model, state } = await run({ outputKey: 'answer', outputSchema }, [], says('{"city":"Oslo"}'));

    expect(model.requests[0]?.config).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: outputSchema,
    });
    expect(state).toEqual({ answer: { city: 'Oslo' } });
  });

  it('stands beside the tools where the model takes both', async () => {
    const { model } = await run({ outputSchema, tools: [look] }, [], says('{"city":"Oslo"}'));

    expect(model.requests[0]?.config.responseJsonSchema).toEqual(outputSchema);
    expect(model.requests[0]?.config.systemInstruction).not.toContain('set_model_response');
    expect(namesIn(model)).toEqual(['look']);
  });

  it('is offered as a tool whose call is the answer where the model takes one or the other', async () => {
    const { model, events, state } = await run(
      { outputKey: 'answer', outputSchema, tools: [look] },
      ['either'],
      callsTool('look'),
      callsTool('set_model_response', { city: 'Oslo' }),
    );

    expect(namesIn(model)).toEqual(['look', 'set_model_response']);
    expect(model.requests[0]?.config.responseJsonSchema).toBeUndefined();
    expect(model.requests[0]?.config.systemInstruction).toContain(
      'Give the final answer only by calling set_model_response.',
    );
    expect(events.at(-1)).toMatchObject({
      author: 'clerk',
      text: '{"city":"Oslo"}',
      turnComplete: true,
      isFinalResponse: true,
    });
    expect(state).toEqual({ answer: { city: 'Oslo' } });
  });

  it('is offered as a tool also beside a toolset alone', async () => {
    const { model, events } = await run(
      { outputSchema, tools: [new StaticToolset([look])] },
      ['either'],
      callsTool('set_model_response', { city: 'Oslo' }),
    );

    expect(model.requests[0]?.config.responseJsonSchema).toBeUndefined();
    expect(events.at(-1)?.text).toBe('{"city":"Oslo"}');
  });

  it('is not answered by a call that does not fit it; the model is told and asked again', async () => {
    const { events } = await run(
      { outputSchema, tools: [look] },
      ['either'],
      callsTool('set_model_response', { town: 'Oslo' }),
      callsTool('set_model_response', { city: 'Oslo' }),
    );

    expect(events.map(({ functionResponses }) => functionResponses[0]?.response)).toEqual([
      undefined,
      {
        error:
          'Invalid arguments for "set_model_response": city is required and missing; town is not a parameter. ' +
          'Correct them and call the tool again.',
      },
      undefined,
      { city: 'Oslo' },
      undefined,
    ]);
    expect(events.at(-1)?.text).toBe('{"city":"Oslo"}');
  });

  it('is answered whole, however long the answer is', async () => {
    const city = 'x'.repeat(70_000);
    const { state } = await run(
      { outputKey: 'answer', outputSchema, tools: [look] },
      ['either'],
      callsTool('set_model_response', { city }),
    );

    expect(state).toEqual({ answer: { city } });
  });

  it('waits for the other calls of its turn', async () => {
    const { events } = await run(
      { outputSchema, tools: [look] },
      ['either'],
      callsTools({ name: 'set_model_response', args: { city: 'Oslo' } }, { name: 'look', args: {} }),
    );

    expect(events[1]?.functionResponses.map(({ response }) => response)).toEqual([
      { city: 'Oslo' },
      { result: 'fine' },
    ]);
    expect(events.at(-1)?.text).toBe('{"city":"Oslo"}');
  });

  it('keeps what is no JSON as a text, and says so in the log', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { state } = await run(
      { outputKey: 'answer', outputSchema },
      [],
      says('Oslo?'),
      says('Oslo, I think.'),
    );

    expect(state).toEqual({ answer: 'Oslo, I think.' });
    expect(warn.mock.calls).toEqual([
      ['adorn: the answer of agent "clerk" is not JSON, which its outputSchema requires; stored as text'],
    ]);
    warn.mockRestore();
  });
});

describe('an answer that does not fit its outputSchema', () => {
  it('is kept as a text, and said so in the log', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const { state } = await run({ outputKey: 'answer', outputSchema }, [], says('{}'), says('{"town":7}'));

    expect(state).toEqual({ answer: '{"town":7}' });
    expect(warn.mock.calls).toEqual([
      ['adorn: the answer of agent "clerk" does not fit its outputSchema; stored as text'],
    ]);
    warn.mockRestore();
  });

  it('is asked for in every request, and read at the end alone', async () => {
    const content = {
      role: 'model',
      parts: [{ text: '{"city":"Bergen"}' }, { functionCall: { id: 'c1', name: 'look', args: {} } }],
    };

    const { model, state } = await run(
      { outputKey: 'answer', outputSchema, tools: [look] },
      [],
      { content },
      says('{"city":"Oslo"}'),
    );

    expect(model.requests.map(({ config }) => config.responseJsonSchema)).toEqual([
      outputSchema,
      outputSchema,
    ]);
    expect(state?.['answer']).toEqual({ city: 'Oslo' });
  });

  it('is said so in the log also where no outputKey keeps it', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    await run({ outputSchema }, [], says('{}'), says('{"town":7}'));

    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

describe('outputSchema of a library', () => {
  it.each(libraries)('is sent as JSON Schema, and the answer kept as it was given: %s', async (_, schema) => {
    const { model, state } = await run(
      { outputKey: 'answer', outputSchema: schema },
      [],
      says('{"city":"oslo"}'),
    );

    expect(model.requests[0]?.config.responseJsonSchema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', description: 'The city.' } },
      required: ['city'],
    });
    expect(state).toEqual({ answer: { city: 'oslo' } });
  });

  it.each(libraries)(
    'checks an answer that comes by a call, and says what is wrong: %s',
    async (_, schema) => {
      const { events, state } = await run(
        { outputKey: 'answer', outputSchema: schema, tools: [look] },
        ['either'],
        callsTool('set_model_response', { city: 'atlantis' }),
        callsTool('set_model_response', { city: 'oslo' }),
      );

      expect(events[1]?.functionResponses[0]?.response).toEqual({
        error:
          'Invalid arguments for "set_model_response": city: It is lost. Correct them and call the tool again.',
      });
      expect(events.at(-1)?.text).toBe('{"city":"oslo"}');
      expect(state).toEqual({ answer: { city: 'oslo' } });
    },
  );

  it('may be no object, which is asked for under a name of its own', async () => {
    const cities = z.array(z.string().refine((city) => city !== 'atlantis', 'It is lost'));
    const { model, events, state } = await run(
      { outputKey: 'answer', outputSchema: cities, tools: [look] },
      ['either'],
      callsTool('set_model_response', { result: ['oslo', 'atlantis'] }),
      callsTool('set_model_response', { result: ['oslo'] }),
    );

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error:
        'Invalid arguments for "set_model_response": result[1]: It is lost. Correct them and call the tool again.',
    });
    expect(state).toEqual({ answer: ['oslo'] });
    expect(declarationsIn(model)?.at(-1)).toMatchObject({
      parametersJsonSchema: { properties: { result: { type: 'array' } }, required: ['result'] },
    });
  });

  it('is an error at start where JSON has no form for a part of it', async () => {
    await expect(run({ outputSchema: z.object({ day: z.date() }) }, [])).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message:
        '@agent of Clerk: its outputSchema cannot be used: zod cannot write it as JSON Schema: Date ' +
        'cannot be represented in JSON Schema. Take what JSON can hold, such as a string, and convert it ' +
        'in a transform. Correct the schema.',
    });
  });
});

const look = new FunctionTool({ name: 'look', description: '', run: () => 'fine' });
const outputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

class EitherModel extends ScriptedModel {
  override get supportsSchemaBesideTools(): boolean {
    return false;
  }
}

async function run(options: AgentOptions, [kind]: readonly 'either'[], ...steps: readonly ScriptedStep[]) {
  @agent({ ...options, description: '' })
  class Clerk extends LlmAgent {}
  const model = kind === 'either' ? new EitherModel(...steps) : new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model });
  const events = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Where?' }));
  const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
  return { model, events, state: session?.state };
}

function namesIn(model: ScriptedModel) {
  return declarationsIn(model)?.map(({ name }) => name);
}

function declarationsIn({ requests }: ScriptedModel) {
  const [entry] = (requests[0]?.config.tools ?? []) as { functionDeclarations?: { name?: string }[] }[];
  return entry?.functionDeclarations;
}
