import type { Content, Part } from '@adorn/core';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkLanguageModel } from './specification.js';
import { RecordingServer, VENDORS, type Vendor } from './vendors.fixture.js';
import { ask } from './wires.fixture.js';

const THOUGHT = 'I think in private.';
const SIGNATURE = 'c2lnbmF0dXJl';
const FOUND = 'A page about Oslo.';
const PAGE = {
  type: 'web_search_result',
  url: 'https://x.test',
  title: FOUND,
  pageAge: null,
  encryptedContent: 'x',
};
const TOOLS = [{ functionDeclarations: [{ name: 'get', parametersJsonSchema: { type: 'object' } }] }];

/** An answer with everything that only its maker understands, as packages of the AI SDK pass it on. */
function answers({ provider, modelId }: Vendor): AiSdkLanguageModel {
  const key = provider.split('.')[0]?.replace('amazon-', '') ?? '';
  const providerMetadata = { [key]: { signature: SIGNATURE, itemId: SIGNATURE } };
  const content = [
    { type: 'reasoning', text: THOUGHT, providerMetadata },
    { type: 'reasoning', text: THOUGHT },
    { type: 'tool-call', toolCallId: 'srv_1', toolName: 'web_search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 'srv_1', toolName: 'web_search', result: [PAGE] },
    { type: 'text', text: 'Oslo it is.', providerMetadata },
    { type: 'tool-call', toolCallId: `functions.get:${'x'.repeat(60)}`, toolName: 'get', input: '{}' },
  ];
  return {
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: () =>
      Promise.resolve({ content, finishReason: { unified: 'stop', raw: 'stop' }, usage: {}, warnings: [] }),
    doStream: () => Promise.reject(new Error('not streamed')),
  } as unknown as AiSdkLanguageModel;
}

/** The history after that answer: its call is answered, and the user goes on. */
async function historyOf(maker: Vendor): Promise<Content[]> {
  const [answer] = await ask(new AiSdkModel(answers(maker)));
  const id = answer?.content?.parts?.find((part: Part) => part.functionCall)?.functionCall?.id;
  const functionResponse = { name: 'get', response: { degrees: 9 }, ...(id !== undefined && { id }) };
  return [
    { role: 'user', parts: [{ text: 'Where?' }] },
    answer?.content ?? {},
    { role: 'user', parts: [{ functionResponse }] },
    { role: 'user', parts: [{ text: 'Sure?' }] },
  ];
}

async function requestOf(receiver: Vendor, contents: Content[]): Promise<string> {
  await using server = await RecordingServer.start();
  const model = new AiSdkModel(receiver.model(server.url), { retry: { attempts: 1 } });
  await expect(ask(model, { contents, config: { tools: TOOLS } })).rejects.toMatchObject({ status: 400 });
  return server.bodies[0] ?? '';
}

describe.each(VENDORS)('a conversation that began with $name', (maker) => {
  it.each(VENDORS.filter((receiver) => receiver !== maker && !isSameMaker(receiver, maker)))(
    'goes on with $name, without thoughts, signatures and tools of the first',
    async (receiver) => {
      const body = await requestOf(receiver, await historyOf(maker));

      expect(body).toContain('Oslo it is.');
      expect(body).toContain('degrees');
      for (const own of [THOUGHT, SIGNATURE, FOUND, 'web_search']) expect(body).not.toContain(own);
      for (const id of callIdsIn(JSON.parse(body))) expect(id).toMatch(receiver.callId);
    },
  );
});

describe('a conversation with one vendor', () => {
  it.each(['Anthropic', 'Bedrock', 'Groq'])('keeps the thoughts of %s', async (name) => {
    const own = VENDORS.find((vendor) => vendor.name === name) as Vendor;

    expect(await requestOf(own, await historyOf(own))).toContain(THOUGHT);
  });

  it('leaves out the thoughts of another family of models', async () => {
    const own = VENDORS.find(({ name }) => name === 'OpenRouter') as Vendor;
    const contents = await historyOf({ ...own, modelId: 'deepseek/deepseek-r1' });

    expect(await requestOf(own, contents)).not.toContain(THOUGHT);
  });

  it('keeps what was stored before parts told their model, if it bears the name of the vendor', async () => {
    const own = VENDORS.find(({ name }) => name === 'Anthropic') as Vendor;
    const stored = (text: string, aiSdk: object): Part => ({ text, thought: true, partMetadata: { aiSdk } });
    const parts = [stored('signed', { anthropic: { signature: SIGNATURE } }), stored('unsigned', {})];
    const body = await requestOf(own, [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [...parts, { text: 'Hello.' }] },
      { role: 'user', parts: [{ text: 'Bye' }] },
    ]);

    expect(body).toContain('"thinking":"signed"');
    expect(body).not.toContain('unsigned');
  });
});

/** Both APIs of OpenAI. */
function isSameMaker(one: Vendor, other: Vendor): boolean {
  return one.provider.split('.')[0] === other.provider.split('.')[0] && one.modelId === other.modelId;
}

/** The ids of calls and of responses, on any wire. */
function callIdsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const isId = /^(?:tool_call_id|call_id|toolUseId|tool_use_id)$/.test(key);
    const isCall = key === 'id' && ('function' in value || ('input' in value && 'name' in value));
    return (isId || isCall) && typeof child === 'string' ? [child] : callIdsIn(child);
  });
}
