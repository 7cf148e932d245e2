import { type ModelEmulator, saysText } from '@adorn/testing';

import {
  ANTHROPIC,
  ask,
  COMPATIBLE,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  OPENAI_V2,
  OPENAI_V4,
  TestedServers,
  type TestedWire,
} from './wires.fixture.js';

const servers = new TestedServers();
afterEach(() => servers.closeAll());

const ORDER = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^W' }, note: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};
const STRICT_ORDER = {
  type: 'object',
  properties: { id: { type: 'string', description: '(pattern: ^W)' }, note: { type: ['string', 'null'] } },
  required: ['id', 'note'],
  additionalProperties: false,
};
const RECORD = { type: 'object', additionalProperties: { type: 'string' } };

const tools = [
  {
    functionDeclarations: [
      { name: 'find_order', description: 'Finds an order.', parametersJsonSchema: ORDER },
      { name: 'tag', parametersJsonSchema: RECORD },
    ],
  },
];

describe('tools', () => {
  it.each([OPENAI_RESPONSES, OPENAI_V4])(
    'are strict over $name, if strict mode can express them',
    async (wire) => {
      const { tools: declared } = (await sent(wire, { tools })) as { tools: object[] };

      expect(declared).toEqual([
        {
          type: 'function',
          name: 'find_order',
          description: 'Finds an order.',
          parameters: STRICT_ORDER,
          strict: true,
        },
        { type: 'function', name: 'tag', parameters: RECORD, strict: false },
      ]);
    },
  );

  it('are strict over chat completions', async () => {
    const { tools: declared } = (await sent(OPENAI_CHAT, { tools })) as { tools: object[] };

    expect(declared[0]).toMatchObject({ function: { parameters: STRICT_ORDER, strict: true } });
  });

  it('are strict in specification v2 only if all of them can be', async () => {
    const [first] = tools[0]?.functionDeclarations ?? [];
    const mixed = (await sent(OPENAI_V2, { tools })) as { tools: object[] };
    const alone = (await sent(OPENAI_V2, { tools: [{ functionDeclarations: [first ?? {}] }] })) as {
      tools: object[];
    };

    expect(mixed.tools).toMatchObject([{ strict: false }, { strict: false }]);
    expect(alone.tools).toMatchObject([{ strict: true, parameters: STRICT_ORDER }]);
  });

  it.each([ANTHROPIC, COMPATIBLE])('have plain JSON Schema over $name', async (wire) => {
    const { tools: declared } = (await sent(wire, { tools })) as { tools: Record<string, unknown>[] };

    const [first] = declared;
    expect(first?.['input_schema'] ?? (first?.['function'] as Record<string, unknown>)['parameters']).toEqual(
      ORDER,
    );
  });

  it('are required, allowed or forbidden as the config says', async () => {
    const choiceOf = async (functionCallingConfig: object): Promise<unknown> => {
      const body = await sent(COMPATIBLE, { tools, toolConfig: { functionCallingConfig } });
      return [body['tool_choice'], (body['tools'] as object[] | undefined)?.length];
    };

    expect(await choiceOf({ mode: 'ANY' })).toEqual(['required', 2]);
    expect(await choiceOf({ mode: 'ANY', allowedFunctionNames: ['tag'] })).toEqual([
      { type: 'function', function: { name: 'tag' } },
      1,
    ]);
    expect(await choiceOf({ mode: 'NONE' })).toEqual(['none', 2]);
  });

  it('of the provider are declared beside them', async () => {
    const { model, server } = await servers.start(OPENAI_RESPONSES, [saysText('Hi.')], {
      providerTools: { web_search: { id: 'openai.web_search', args: { searchContextSize: 'low' } } },
    });

    await ask(model, { config: { tools } });

    expect(server.requests[0]?.body['tools']).toContainEqual({
      type: 'web_search',
      search_context_size: 'low',
    });
  });
});

describe('a structured answer', () => {
  const config = { responseMimeType: 'application/json', responseJsonSchema: ORDER };

  it.each([OPENAI_CHAT, OPENAI_RESPONSES, OPENAI_V2, OPENAI_V4])(
    'is asked for in strict form over $name, and read without its nulls',
    async (wire) => {
      const { model, server } = await servers.start(wire, [saysText('{"id":"W1",', '"note":null}')]);

      const whole = (await ask(model, { config, stream: true })).at(-1);

      const { response_format: chat, text } = server.requests[0]?.body as Record<
        string,
        Record<string, unknown>
      >;
      const format = chat?.['json_schema'] ?? text?.['format'];
      expect(format).toMatchObject({ schema: STRICT_ORDER, strict: true });
      expect(whole?.content?.parts?.[0]?.text).toBe('{"id":"W1"}');
    },
  );

  it('that is a list is asked for within an object, and read out of it', async () => {
    const list = { type: 'array', items: ORDER };
    const { model, server } = await servers.start(OPENAI_CHAT, [
      saysText('{"result":[{"id":"W1","note":null}]}'),
    ]);

    const [whole] = await ask(model, { config: { ...config, responseJsonSchema: list } });

    expect(server.requests[0]?.body['response_format']).toMatchObject({
      json_schema: { schema: { properties: { result: { type: 'array', items: STRICT_ORDER } } } },
    });
    expect(whole?.content?.parts?.[0]?.text).toBe('[{"id":"W1"}]');
  });

  it("has Anthropic's form in output_config.format", async () => {
    const body = await sent(ANTHROPIC, config);

    expect(body['output_config']).toMatchObject({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { id: { type: 'string' } },
          required: ['id'],
          additionalProperties: false,
        },
      },
    });
    expect(JSON.stringify(body['output_config'])).not.toContain('"pattern"');
  });

  it('is stated in the instruction of a server that takes no schema, in JSON mode', async () => {
    const body = await sent(COMPATIBLE, { ...config, systemInstruction: 'Be brief.' });

    expect(body['response_format']).toEqual({ type: 'json_object' });
    const [system] = body['messages'] as { content: string }[];
    expect(system?.content).toContain(`Be brief.\n\nAnswer with JSON only`);
    expect(system?.content).toContain(JSON.stringify(ORDER));
  });

  it('of any schema is the JSON mode of OpenAI, and an instruction to Anthropic', async () => {
    const anyJson = { responseMimeType: 'application/json' };

    expect(await sent(OPENAI_CHAT, anyJson)).toMatchObject({ response_format: { type: 'json_object' } });
    expect(await sent(ANTHROPIC, anyJson)).toMatchObject({
      system: [{ text: expect.stringContaining('JSON only') as unknown }],
    });
  });

  it('goes beside tools to OpenAI and Anthropic', async () => {
    const support = async (wire: TestedWire): Promise<boolean> =>
      (await servers.start(wire, [])).model.supportsSchemaBesideTools;

    expect(await support(OPENAI_RESPONSES)).toBe(true);
    expect(await support(ANTHROPIC)).toBe(true);
    expect(await support(COMPATIBLE)).toBe(false);
  });
});

async function sent(wire: TestedWire, config: object): Promise<ModelEmulator['requests'][0]['body']> {
  const { model, server } = await servers.start(wire, [saysText('{}')]);
  await ask(model, { config: config });
  return server.requests[0]?.body ?? {};
}
