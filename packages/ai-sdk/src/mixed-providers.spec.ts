import {
  answersWith,
  callsFunctions,
  type GeminiStep,
  type ModelEmulator,
  saysText,
  startGeminiEmulator,
} from '@adorn/testing';
import { createRunner, defineAgent, defineTool, GeminiModel, routeModel } from 'adorn';

import { aiSdkModel } from './ai-sdk.model.js';
import { ANTHROPIC, COMPATIBLE, OPENAI_RESPONSES, type TestedWire } from './wires.fixture.js';

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: () => ({ degrees: 9 }),
});

const call = callsFunctions({ name: 'get_weather', args: { city: 'Oslo' } });

/** A thought and a text, as a provider signs them. */
function thinks(text: string): GeminiStep {
  return answersWith({
    parts: [{ text: `I think of ${text}`, thought: true, thoughtSignature: 'c2ln' }, { text }],
  });
}

describe('a conversation of several providers', () => {
  it('goes on from each of them to the next, with calls, and without the thoughts of the others', async () => {
    await using gemini = await startGeminiEmulator([call, thinks('Gemini'), saysText('Back.')]);
    await using openai = await OPENAI_RESPONSES.start([call, thinks('OpenAI')]);
    await using anthropic = await ANTHROPIC.start([call, thinks('Anthropic')]);
    await using local = await COMPATIBLE.start([call, saysText('Local')]);
    const models = {
      gemini: new GeminiModel({ baseUrl: gemini.url, apiKey: 'test' }),
      openai: modelOf(OPENAI_RESPONSES, openai),
      anthropic: modelOf(ANTHROPIC, anthropic),
      local: modelOf(COMPATIBLE, local),
    };
    let current: keyof typeof models = 'gemini';
    const model = routeModel(() => models[current], Object.values(models));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [getWeather] }), { model });

    const answers: string[] = [];
    for (current of ['gemini', 'openai', 'anthropic', 'local', 'gemini'] as const)
      answers.push(await runner.ask('And now?', { userId: 'ada', sessionId: 's1' }));

    expect(answers).toEqual(['Gemini', 'OpenAI', 'Anthropic', 'Local', 'Back.']);
    expect(JSON.stringify(openai.requests[0]?.body)).not.toContain('I think of Gemini');
    expect(JSON.stringify(anthropic.requests[0]?.body)).not.toContain('I think of Gemini');
    expect(JSON.stringify(gemini.requests[2]?.body)).not.toMatch(/aiSdk|I think of (OpenAI|Anthropic)/);
    expect(idsOf(local.requests[1])).toHaveLength(4);
    expect(idsOf(local.requests[1])).toEqual(responseIdsOf(local.requests[1]));
  });
});

function modelOf(wire: TestedWire, { url }: ModelEmulator): ReturnType<typeof aiSdkModel> {
  return aiSdkModel(wire.model(url));
}

interface ChatMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

function messagesOf(request: ModelEmulator['requests'][0] | undefined): readonly ChatMessage[] {
  return (request?.body['messages'] ?? []) as readonly ChatMessage[];
}

function idsOf(request: ModelEmulator['requests'][0] | undefined): string[] {
  return messagesOf(request).flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
}

function responseIdsOf(request: ModelEmulator['requests'][0] | undefined): string[] {
  return messagesOf(request).flatMap(({ tool_call_id: id }) => id ?? []);
}
