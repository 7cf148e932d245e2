import type { AiSdkLanguageModel } from '../specification.js';
import { AiSdkModel } from '../ai-sdk.model.js';
import { ask } from '../wires.fixture.js';

/** A model that calls a tool with arguments as a package of the AI SDK passes them on. */
function callsWith(input: unknown): AiSdkLanguageModel {
  const content = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get', input }];
  return {
    specificationVersion: 'v3',
    provider: 'some.chat',
    modelId: 'some',
    supportedUrls: {},
    doGenerate: () =>
      Promise.resolve({
        content,
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {},
        warnings: [],
      }),
    doStream: () => Promise.reject(new Error('not streamed')),
  } as unknown as AiSdkLanguageModel;
}

describe('the arguments of a call', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }],
    ['the JSON of an object', '{"a":1}', { a: 1 }],
    ['the JSON of a text with the JSON of an object', JSON.stringify('{"a":1}'), { a: 1 }],
    ['nothing', '', {}],
    ['the JSON of a list', '["Oslo"]', '["Oslo"]'],
    ['the JSON of a text with the JSON of a list', JSON.stringify('["Oslo"]'), '["Oslo"]'],
    ['the JSON of a text', '"Oslo"', 'Oslo'],
    ['no JSON', '{"a":', '{"a":'],
  ])('are an object, or what the model wrote: %s', async (_, input, args) => {
    const [response] = await ask(new AiSdkModel(callsWith(input)));

    expect(response?.content?.parts?.[0]?.functionCall?.args).toEqual(args);
  });
});
