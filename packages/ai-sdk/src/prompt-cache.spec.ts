import { createAnthropic } from '@ai-sdk/anthropic';
import {
  type Content,
  createRunner,
  defineAgent,
  FunctionTool,
  loadArtifacts,
  preloadMemory,
  type Runner,
} from '@adorn/core';
import { callsFunctions, saysText, startAnthropicEmulator } from '@adorn/testing';

import type { AiSdkModelOptions } from './ai-sdk-options.js';
import { AiSdkModel, aiSdkModel } from './ai-sdk.model.js';
import { AnthropicCache, type CachedRequest, type MessagesBody } from './anthropic-cache.fixture.js';
import { RecordingServer, VENDORS } from './vendors.fixture.js';
import { ask } from './wires.fixture.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const RULES = 'You work in a house of many rooms. Be exact, be short, be kind. '.repeat(60);
const TURNS = 30;

function look(index: number): FunctionTool {
  return new FunctionTool({
    name: `look${String(index)}`,
    description: 'Looks for what is asked for in the store of the house. '.repeat(4),
    parameters: { type: 'object', properties: { q: { type: 'string', description: 'Words.' } } },
    effect: 'read',
    run: async (_args, context) => {
      const count = Number(context.state.get('n') ?? 0) + 1;
      context.state.set('n', count);
      await context.saveArtifact(`page${String(count)}`, { text: 'words' });
      return { found: `row ${String(count)} of the table `.repeat(40) };
    },
  });
}

interface Case {
  readonly agent?: object;
  readonly options?: AiSdkModelOptions;
  /** How many calls the model makes at once. */
  readonly calls?: number;
}

/** A conversation of thirty turns with forty tools, three other agents, and memory; its requests at Anthropic. */
async function converse({ agent = {}, options = {}, calls = 1 }: Case): Promise<MessagesBody[]> {
  const names = Array.from({ length: calls }, (_, index) => `look${String(index)}`);
  const script = Array.from({ length: TURNS }, (_, turn) => [
    callsFunctions(...names.map((name) => ({ name, args: { q: `room ${String(turn)}` } }))),
    saysText(`Answer ${String(turn)}.`),
  ]).flat();
  await using server = await startAnthropicEmulator(script);
  const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'test' });
  const others = ['billing', 'garden', 'kitchen'].map((name) =>
    defineAgent({ name, description: `Knows about the ${name}.`, instruction: RULES }),
  );
  const desk = defineAgent({
    name: 'desk',
    description: 'A desk.',
    instruction: RULES,
    subAgents: others,
    tools: [...Array.from({ length: 40 }, (_, index) => look(index)), preloadMemory(), loadArtifacts()],
    ...agent,
  });
  const model = aiSdkModel(anthropic('claude-sonnet-4-5'), options);
  await using runner = await createRunner(desk, { appName: 'house', model });
  await remember(runner);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const message = `Question ${String(turn)}: what is in room ${String(turn)}, and who works there?`;
    await runner.run({ ...ADDRESS, message });
  }
  return server.requests.map(({ body }) => body as unknown as MessagesBody);
}

async function remember(runner: Runner): Promise<void> {
  const rooms = Array.from({ length: 8 }, (_, room) => ({
    content: { role: 'user', parts: [{ text: `Room ${String(room)} is where somebody works, said Ada.` }] },
  }));
  await runner.memory.addMemory({ appName: 'house', userId: 'ada' }, rooms);
}

/** The requests from the second turn on. */
function laterRequests(bodies: readonly MessagesBody[]): CachedRequest[] {
  const cache = new AnthropicCache();
  return bodies.map((body) => cache.send(body)).slice(2);
}

function shareOf(requests: readonly CachedRequest[]): number {
  const sum = (field: 'read' | 'size'): number => requests.reduce((total, one) => total + one[field], 0);
  return sum('read') / sum('size');
}

describe('the requests of a conversation with Claude', () => {
  it.each<[string, Case]>([
    ['a fixed instruction', {}],
    ['an instruction whose end changes', { agent: { instruction: `${RULES}\nNotes of {user:name?}.` } }],
    [
      'a static instruction, and one that changes with each call',
      { agent: { staticInstruction: RULES, instruction: 'Number of notes: {n?}.' } },
    ],
    ['calls of twelve tools at once', { calls: 12 }],
    [
      'a mark that the user states',
      { options: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } } },
    ],
  ])('are read from the cache to nine tenths, with %s', async (_name, one) => {
    const later = laterRequests(await converse(one));

    expect(later).toHaveLength(2 * (TURNS - 1));
    expect(shareOf(later)).toBeGreaterThanOrEqual(0.9);
  });

  it('have the same bytes twice for the same log', async () => {
    const texts = (await Promise.all([converse({}), converse({})])).map((bodies) =>
      JSON.stringify(bodies).replaceAll(/toolu_\w+/g, 'id'),
    );

    expect(texts[0]).toBe(texts[1]);
  });

  it('have no mark where the cache is switched off', async () => {
    const bodies = await converse({ options: { cache: false } });

    expect(JSON.stringify(bodies)).not.toContain('cache_control');
  });
});

describe('the marks of a request', () => {
  const said = (role: string, text: string): Content => ({ role, parts: [{ text }] });
  const contents = [said('user', 'Hello.'), said('model', 'Hi.'), said('user', 'Go.'), said('user', 'NOW')];
  const request = {
    contents,
    config: { systemInstruction: 'Fixed.\nUser: Ada.' },
    stable: { instruction: 7, earlier: 3, contents: 3 },
  };

  it.each([
    ['Anthropic', '"cache_control":{"type":"ephemeral"}'],
    ['Bedrock', '"cachePoint":{"type":"default"}'],
    ['OpenRouter', '"cache_control":{"type":"ephemeral"}'],
  ])('are behind the fixed instruction and the conversation, for %s', async (name, mark) => {
    const body = await bodyFor(name);

    expect(body.split(mark)).toHaveLength(4);
    expect(placesOf(body, [mark, 'Fixed.', 'User: Ada.', 'Hello.', 'Hi.', 'Go.', 'NOW'])).toEqual([
      ...['Fixed.', mark, 'User: Ada.', 'Hello.', mark, 'Hi.', 'Go.', mark, 'NOW'],
    ]);
  });

  it.each(['OpenAI', 'Google', 'Groq', 'Mistral', 'Mistral on OpenRouter', 'compatible'])(
    'are not there for %s, which caches without them',
    async (name) => {
      expect(await bodyFor(name)).not.toMatch(/cache_control|cachePoint/);
    },
  );

  it('are not there for a model of Bedrock that refuses them', async () => {
    expect(await bodyFor('Bedrock', 'meta.llama3-3-70b-instruct-v1:0')).not.toContain('cachePoint');
  });

  it('are behind the tools where there is no instruction', async () => {
    const declaration = {
      name: 'look',
      description: '',
      parametersJsonSchema: { type: 'object', properties: {} },
    };
    const config = { tools: [{ functionDeclarations: [declaration] }] };

    const { tools } = JSON.parse(await bodyFor('Anthropic', undefined, { config })) as { tools: object[] };

    expect(tools).toMatchObject([{ name: 'look', cache_control: { type: 'ephemeral' } }]);
  });

  async function bodyFor(name: string, modelId?: string, more: object = {}): Promise<string> {
    await using server = await RecordingServer.start();
    const found = VENDORS.find((vendor) => vendor.name === name);
    const made = found?.model(server.url);
    if (!made) throw new Error(`no vendor ${name}`);
    const model =
      modelId === undefined ? made : Object.assign(Object.create(made) as typeof made, { modelId });
    await ask(new AiSdkModel(model, { retry: { attempts: 1 } }), { ...request, ...more }).catch(
      () => undefined,
    );
    return server.bodies[0] ?? '';
  }
});

/** The texts in the order in which a body has them. */
function placesOf(body: string, texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    [...body.matchAll(new RegExp(text.replaceAll(/[.{}]/g, '\\$&'), 'g'))].map(({ index }) => ({
      index,
      text,
    })),
  );
  return found.sort((one, other) => one.index - other.index).map(({ text }) => text);
}
