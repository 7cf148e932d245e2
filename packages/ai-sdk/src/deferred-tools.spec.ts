import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createRunner, defineAgent, FunctionTool } from '@adorn/core';

import { type AiSdkModel, aiSdkModel, type AiSdkModelOptions } from './index.js';
import { RecordingServer } from './vendors.fixture.js';
import { ask } from './wires.fixture.js';

const apiKey = 'test-key-0123456789';
const ADDRESS = { userId: 'ada', sessionId: 's1' };
const QUERY = { query: 'refund' };

function tool(name: string): FunctionTool {
  return new FunctionTool({ name, description: `Does ${name}.`, effect: 'read', run: () => `${name} done` });
}

/** The model searches, calls what it has found, and answers. */
const ANTHROPIC_ANSWERS = [
  [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: QUERY },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'refund' }],
      },
    },
    { type: 'tool_use', id: 'toolu_1', name: 'refund', input: {} },
  ],
  [{ type: 'text', text: 'Refunded.' }],
].map((content, index, { length }) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: index < length - 1 ? 'tool_use' : 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
}));

const OPENAI_ANSWERS = [
  [
    {
      type: 'tool_search_call',
      id: 'tsc_1',
      call_id: null,
      execution: 'server',
      status: 'completed',
      arguments: { paths: ['refund'] },
    },
    {
      type: 'tool_search_output',
      id: 'tso_1',
      call_id: null,
      execution: 'server',
      status: 'completed',
      tools: [{ type: 'function', name: 'refund' }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'refund',
      arguments: '{}',
      status: 'completed',
    },
  ],
  [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Refunded.', annotations: [] }],
    },
  ],
].map((output) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-5.4',
  output,
  usage: { input_tokens: 1, output_tokens: 1 },
}));

/** A declaration, or a part of a conversation, as a wire has it. */
type Entry = Readonly<Record<string, unknown>>;

interface Body {
  readonly tools: readonly Entry[];
  readonly messages?: readonly { readonly content: readonly Entry[] }[];
  readonly input?: readonly Entry[];
}

/** A conversation of an agent with three tools; the bodies of its requests, and what it says. */
async function converse(model: AiSdkModel, server: RecordingServer, agent: object = {}) {
  const names = ['find_order', 'refund', 'track'];
  const desk = defineAgent({ name: 'desk', tools: names.map(tool), ...agent });
  await using runner = await createRunner(desk, { model });
  const { text } = await runner.run({ ...ADDRESS, message: 'Refund it.', config: { streaming: 'none' } });
  return { text, bodies: server.bodies.map((body) => JSON.parse(body) as Body) };
}

function deferredIn({ tools }: Body): unknown[] {
  return tools.filter((one) => one['defer_loading'] === true).map(({ name }) => name);
}

const deferTools = (name: string): boolean => name !== 'find_order';

function claude(server: RecordingServer, options: AiSdkModelOptions = {}): AiSdkModel {
  const anthropic = createAnthropic({ baseURL: server.url, apiKey });
  const providerTools = { search: anthropic.tools.toolSearchBm25_20251119() };
  return aiSdkModel(anthropic('claude-sonnet-4-5'), { deferTools, providerTools, ...options });
}

describe('deferred tools', () => {
  it('are found by the search of Anthropic, called, and found once in a conversation', async () => {
    await using server = await RecordingServer.start(200, ANTHROPIC_ANSWERS);

    const { text, bodies } = await converse(claude(server), server);

    expect(text).toBe('Refunded.');
    for (const body of bodies) expect(deferredIn(body)).toEqual(['refund', 'track']);
    expect(bodies[0]?.tools.at(-1)).toEqual({
      type: 'tool_search_tool_bm25_20251119',
      name: 'tool_search_tool_bm25',
    });
    const [, asked, answered] = bodies[1]?.messages ?? [];
    expect(asked?.content.map(({ type }) => type)).toEqual([
      'server_tool_use',
      'tool_search_tool_result',
      'tool_use',
    ]);
    expect(asked?.content[1]).toMatchObject({
      content: { tool_references: [{ type: 'tool_reference', tool_name: 'refund' }] },
    });
    expect(JSON.stringify(answered)).toContain('refund done');
  });

  it('are found by the search of OpenAI', async () => {
    await using server = await RecordingServer.start(200, OPENAI_ANSWERS);
    const openai = createOpenAI({ baseURL: server.url, apiKey });
    const providerTools = { search: openai.tools.toolSearch() };

    const { text, bodies } = await converse(
      aiSdkModel(openai('gpt-5.4'), { deferTools, providerTools }),
      server,
    );

    expect(text).toBe('Refunded.');
    for (const body of bodies) expect(deferredIn(body)).toEqual(['refund', 'track']);
    expect(bodies[0]?.tools.at(-1)).toEqual({ type: 'tool_search' });
    expect(bodies[1]?.input?.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'tool_search_call',
        'tool_search_output',
        'function_call',
        'function_call_output',
      ]),
    );
  });

  it('are not the last of what Anthropic caches, if there is no instruction to mark', async () => {
    await using server = await RecordingServer.start(200, ANTHROPIC_ANSWERS);
    const functionDeclarations = ['find_order', 'refund'].map((name) => ({ name, description: name }));

    await ask(claude(server), { config: { tools: [{ functionDeclarations }] } });

    const [body] = server.bodies.map((text) => JSON.parse(text) as Body);
    expect(body?.tools.filter((one) => 'cache_control' in one).map(({ name }) => name)).toEqual([
      'find_order',
    ]);
  });

  it('are not those that the instruction tells to call', async () => {
    await using server = await RecordingServer.start(200, ANTHROPIC_ANSWERS);
    const subAgents = [defineAgent({ name: 'bank', description: 'Knows money.' })];

    const { bodies } = await converse(claude(server, { deferTools: () => true }), server, { subAgents });

    expect(deferredIn(bodies[0] as Body)).toEqual(['find_order', 'refund', 'track']);
    expect(bodies[0]?.tools.map(({ name }) => name)).toContain('transfer_to_agent');
  });

  it('are read by a model that has to call one', async () => {
    await using server = await RecordingServer.start(200, ANTHROPIC_ANSWERS);
    const generateContentConfig = { toolConfig: { functionCallingConfig: { mode: 'ANY' } } };

    const { bodies } = await converse(claude(server), server, { generateContentConfig });

    expect(deferredIn(bodies[0] as Body)).toEqual([]);
  });

  it.each([
    [{ deferTools: true }, 'its option deferTools is a boolean'],
    [{ deferTools: ['refund'] }, 'its option deferTools is a list'],
    [{ deferTools, providerTools: {} }, 'has no search beside it'],
    [
      { deferTools, providerTools: { web: { id: 'anthropic.web_search_20250305' } } },
      'has no search beside it',
    ],
  ])('are refused as %j', (options, fault) => {
    const anthropic = createAnthropic({ apiKey });

    expect(() => aiSdkModel(anthropic('claude-sonnet-4-5'), options as never)).toThrow(fault);
  });
});
