import { startAnthropicEmulator, startOpenAiEmulator } from './provider-emulators.js';
import { answersWith, callsFunctions, saysText } from './answer-steps.js';
import { cutsStream, failsWith } from './fault-steps.js';

describe('startOpenAiEmulator', () => {
  it('answers chat completions, whole and streamed', async () => {
    await using server = await startOpenAiEmulator([saysText('Hi.'), saysText('H', 'i.')]);

    const whole = await post(server.url, '/v1/chat/completions', { model: 'm' });
    const streamed = await post(server.url, '/v1/chat/completions', { model: 'm', stream: true });

    expect(JSON.parse(whole.text)).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
      usage: { total_tokens: 2 },
    });
    expect(eventsIn(streamed.text).map(({ choices }) => (choices as object[])[0])).toMatchObject([
      { delta: { content: 'H' }, finish_reason: null },
      { delta: { content: 'i.' } },
      { finish_reason: 'stop' },
      {},
    ]);
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(server.requests).toMatchObject([
      { model: 'm', stream: false, apiVersion: 'v1' },
      { stream: true },
    ]);
  });

  it('sends the arguments of a call in two halves', async () => {
    await using server = await startOpenAiEmulator([callsFunctions({ name: 'a', args: { b: 1 }, id: 'c1' })]);

    const { text } = await post(server.url, '/v1/chat/completions', { stream: true });

    const deltas = eventsIn(text).flatMap(({ choices }) => choices as { delta: { tool_calls?: Call[] } }[]);
    const calls = deltas.flatMap(({ delta }) => delta.tool_calls ?? []);
    expect(calls).toMatchObject([{ index: 0, id: 'c1', function: { name: 'a' } }, { index: 0 }]);
    expect(calls.map((call) => call.function.arguments).join('')).toBe('{"b":1}');
  });

  it('answers responses', async () => {
    const parts = [{ text: 'I add.', thought: true, thoughtSignature: 's' }, { text: 'Four.' }];
    await using server = await startOpenAiEmulator([answersWith({ parts, finishReason: 'MAX_TOKENS' })]);

    expect(JSON.parse((await post(server.url, '/v1/responses', {})).text)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [
        { type: 'reasoning', encrypted_content: 's' },
        { type: 'message', content: [{ type: 'output_text', text: 'Four.' }] },
      ],
    });
  });

  it('fails in the words of OpenAI, and knows no other path', async () => {
    await using server = await startOpenAiEmulator([failsWith(429, { message: 'Slow down', retryAfter: 3 })]);

    const failure = await post(server.url, '/v1/responses', {});

    expect([failure.status, failure.headers.get('retry-after')]).toEqual([429, '3']);
    expect(JSON.parse(failure.text)).toMatchObject({
      error: { message: 'Slow down', type: 'rate_limit_error' },
    });
    expect(await post(server.url, '/v1/embeddings', {})).toMatchObject({
      status: 404,
      text: expect.stringContaining(
        'It speaks POST /{version}/chat/completions, /{version}/responses.',
      ) as unknown,
    });
  });
});

describe('startAnthropicEmulator', () => {
  it('answers messages, whole and streamed, each block with its start and stop', async () => {
    const parts = [{ text: 'I add.', thought: true, thoughtSignature: 's' }, { text: 'Four.' }];
    await using server = await startAnthropicEmulator([answersWith({ parts }), answersWith({ parts })]);

    const whole = await post(server.url, '/v1/messages', {});
    const streamed = await post(server.url, '/v1/messages', { stream: true });

    expect(JSON.parse(whole.text)).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'I add.', signature: 's' },
        { type: 'text', text: 'Four.' },
      ],
      stop_reason: 'end_turn',
    });
    expect(eventsIn(streamed.text).map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1],
      ['content_block_stop', 1],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
  });

  it('tears a stream down in the middle, and fails in the words of Anthropic', async () => {
    const chunk = { candidates: [{ content: { parts: [{ text: 'Hal' }] } }] };
    await using server = await startAnthropicEmulator([
      cutsStream(chunk),
      failsWith(529, { message: 'Busy' }),
    ]);

    await expect(post(server.url, '/v1/messages', { stream: true })).rejects.toThrow('terminated');
    expect(JSON.parse((await post(server.url, '/v1/messages', {})).text)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Busy' },
    });
  });
});

interface Call {
  readonly function: { readonly arguments: string };
}

async function post(
  url: string,
  path: string,
  body: object,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function eventsIn(text: string): Record<string, unknown>[] {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}
