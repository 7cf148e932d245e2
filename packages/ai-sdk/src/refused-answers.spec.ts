import { createGroq } from '@ai-sdk/groq';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, defineTool, fallbackModel } from 'adorn';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkLanguageModel } from './specification.js';
import { RecordingServer } from './vendors.fixture.js';
import { ask, NoWaiting } from './wires.fixture.js';

type Open = (baseURL: string) => AiSdkLanguageModel;

const groq: Open = (baseURL) => createGroq({ baseURL, apiKey: 'k' })('openai/gpt-oss-120b');
const local: Open = (baseURL) => createOpenAICompatible({ baseURL, name: 'ollama' })('gpt-oss');

const CALL = 'MALFORMED_FUNCTION_CALL';

function groqError(code: string, message: string, written?: string): object {
  return { message, type: 'invalid_request_error', code, failed_generation: written, status_code: 400 };
}

const FAILED =
  "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.";

/** Errors by which providers refuse what their model wrote. */
const ERRORS: readonly (readonly [string, Open, object | string, string, string])[] = [
  [
    'a call in text',
    groq,
    groqError('tool_use_failed', FAILED, '<function=search{"q": "otters"}</function>'),
    CALL,
    '<function=search',
  ],
  ['text only', groq, groqError('tool_use_failed', FAILED, 'I think that I should search.'), CALL, 'I think'],
  ['nothing said about it', groq, groqError('tool_use_failed', FAILED), CALL, FAILED.slice(0, 30)],
  [
    'another tool',
    groq,
    groqError('tool_use_failed', 'tool call validation failed: no such tool', '{"name":"web"}'),
    CALL,
    'no such tool',
  ],
  [
    'no JSON',
    groq,
    groqError('json_validate_failed', 'Failed to generate JSON.', '{"a": '),
    'MALFORMED_RESPONSE',
    '{"a": ',
  ],
  [
    'no form',
    groq,
    groqError('output_parse_failed', 'Parsing failed. The model generated output that could not be parsed.'),
    'MALFORMED_RESPONSE',
    'Parsing failed',
  ],
  [
    'an error of Ollama',
    local,
    { message: `error parsing tool call: raw='{"a":', err=unexpected end`, type: 'api_error' },
    CALL,
    'raw=',
  ],
];

describe('an answer that the provider refused', () => {
  describe.each(ERRORS)('for %s', (_what, open, error, code, shown) => {
    it.each([400, 500])('is a response that says why, not a failure (HTTP %s)', async (status) => {
      await using server = await RecordingServer.start(status, [{ error }]);

      const [response] = await ask(modelOf(open, server));

      expect(response).toMatchObject({ finishReason: code, errorCode: code });
      expect(response?.errorMessage).toContain(shown);
      expect(server.bodies).toHaveLength(1);
    });

    it('is the same within a stream', async () => {
      await using server = await RecordingServer.start(200, [[{ error }]]);

      const responses = await ask(modelOf(open, server), { stream: true });

      expect(responses.at(-1)).toMatchObject({ finishReason: code, errorCode: code });
    });
  });

  it('has the model asked once more, with what was wrong', async () => {
    const error = groqError('tool_use_failed', FAILED, '<function=search>');
    await using server = await RecordingServer.start(200, [{ error }, completion({ content: 'Found.' })]);
    await using runner = await runnerOf(server);

    expect(await runner.ask('Otters?')).toBe('Found.');
    expect(server.bodies[1]).toContain('<function=search>');
  });

  it('has another model asked by fallbackModel', async () => {
    await using server = await RecordingServer.start(400, [{ error: groqError('tool_use_failed', FAILED) }]);
    const model = fallbackModel([modelOf(groq, server), new ScriptedModel(says('Second.'))]);
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });

    expect(await runner.ask('Otters?')).toBe('Second.');
    expect(server.bodies).toHaveLength(1);
  });

  it.each([
    ['another code', { message: 'Bad request.', type: 'invalid_request_error', code: 'bad' }],
    ['words in the middle', { message: 'Your text says: failed to call a function.', type: 'x' }],
  ])('is none for %s', async (_what, error) => {
    await using server = await RecordingServer.start(400, [{ error }]);

    await expect(ask(modelOf(groq, server))).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  });
});

function modelOf(open: Open, { url }: RecordingServer): AiSdkModel {
  return new AiSdkModel(open(url), {}, new NoWaiting());
}

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  run: () => 'otter',
});

function runnerOf(server: RecordingServer): ReturnType<typeof createRunner> {
  return createRunner(defineAgent({ name: 'clerk', tools: [search] }), { model: modelOf(groq, server) });
}

function completion(message: object): object {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
}
