import { answersWith, callsFunctions, saysText, streamsJson } from './answer-steps.js';
import {
  cutsStream,
  failsWith,
  neverAnswers,
  resetsConnection,
  sendsMalformedJson,
  sendsNothing,
  slowly,
} from './fault-steps.js';
import { type GeminiEmulator, startGeminiEmulator } from './provider-emulators.js';
import type { GeminiScript } from './gemini-script.js';

const WHOLE = '/v1beta/models/gemini-2.5-flash:generateContent';
const STREAM = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse';

describe('startGeminiEmulator', () => {
  const running: GeminiEmulator[] = [];

  afterEach(async () => {
    await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: GeminiScript): Promise<GeminiEmulator> {
    const emulator = await startGeminiEmulator(script);
    running.push(emulator);
    return emulator;
  }

  it('answers its steps in order and captures what it was asked', async () => {
    const emulator = await start([
      callsFunctions({ name: 'now', thoughtSignature: 'c2ln' }),
      saysText('Noon.'),
    ]);

    const first = await post(emulator.url + WHOLE, { contents: [1] }, { 'x-goog-api-key': 'secret' });
    const second = await post(emulator.url + WHOLE, { contents: [1, 2] });

    expect(await first.json()).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2ln' }],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'gemini-emulator',
    });
    expect(textOf(await second.json())).toBe('Noon.');
    expect(emulator.requests).toMatchObject([
      {
        path: WHOLE,
        apiVersion: 'v1beta',
        model: 'gemini-2.5-flash',
        stream: false,
        headers: { 'x-goog-api-key': 'secret' },
        body: { contents: [1] },
      },
      { body: { contents: [1, 2] } },
    ]);
    await emulator.close();
  });

  it('answers a function of the request, in the paths of Vertex AI as well', async () => {
    const emulator = await start(({ model, apiVersion }) => saysText(`${model} of ${apiVersion}`));
    const path = '/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:generateContent';

    expect(textOf(await (await post(emulator.url + path)).json())).toBe('gemini-x of v1beta1');
  });

  it('streams a whole answer in pieces, its finish reason with the last', async () => {
    const emulator = await start([
      answersWith({ parts: [{ text: 'a'.repeat(30) }], finishReason: 'MAX_TOKENS' }),
    ]);

    const events = eventsOf(await (await post(emulator.url + STREAM)).text());

    expect(events.map(textOf)).toEqual(['a'.repeat(24), 'a'.repeat(6)]);
    expect(events).toMatchObject([{}, { candidates: [{ finishReason: 'MAX_TOKENS' }] }]);
    expect(events[0]).not.toMatchObject({ candidates: [{ finishReason: 'MAX_TOKENS' }] });
  });

  it('joins chunks where it is asked for a whole answer', async () => {
    const emulator = await start([saysText('It is ', 'noon.')]);

    expect(await (await post(emulator.url + WHOLE)).json()).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'It is noon.' }] }, finishReason: 'STOP' }],
      usageMetadata: { totalTokenCount: 3 },
    });
  });

  it('answers what the script does not hold with 500, and tells it when it is closed', async () => {
    const emulator = await start([saysText('Once.')]);
    await post(emulator.url + WHOLE);

    const response = await post(emulator.url + WHOLE);

    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: {
        code: 500,
        message: expect.stringContaining('after all 1 steps of its script were used') as string,
      },
    });
    await expect(emulator.close()).rejects.toMatchObject({ code: 'SCRIPT_EXHAUSTED' });
  });

  it('tells of steps that were never asked for', async () => {
    const emulator = await start([saysText('Once.'), saysText('Twice.')]);
    await post(emulator.url + WHOLE);

    await expect(emulator.close()).rejects.toMatchObject({
      code: 'SCRIPT_LEFT_OVER',
      message:
        'The emulator used 1 of the 2 steps of its script. Remove the unused steps, or find out ' +
        'why the model was called less often.',
    });
  });

  it('tells of a script function that threw', async () => {
    const emulator = await start(() => {
      throw new Error('no such case');
    });

    expect((await post(emulator.url + WHOLE)).status).toBe(500);
    await expect(emulator.close()).rejects.toThrow('no such case');
  });

  it('does not know other paths', async () => {
    const emulator = await start([]);

    const response = await post(`${emulator.url}/v1beta/models/gemini-2.5-flash:countTokens`);

    expect(response.status).toBe(404);
    expect(await response.text()).toContain('does not know POST /v1beta/models/gemini-2.5-flash:countTokens');
  });

  it("fails in Google's words, and says when to come back", async () => {
    const emulator = await start([
      failsWith(429, { message: 'Slow down.', retryAfter: 7, details: [{ a: 1 }] }),
    ]);

    const response = await post(emulator.url + WHOLE);

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual({
      error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED', details: [{ a: 1 }] },
    });
  });

  it.each([
    ['whole', WHOLE],
    ['streamed', STREAM],
  ])('resets the connection of a %s answer', async (_kind, path) => {
    const emulator = await start([resetsConnection()]);

    await expect(post(emulator.url + path)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('cuts a stream in the middle of a chunk', async () => {
    const emulator = await start([cutsStream({ n: 1 })]);
    const response = await post(emulator.url + STREAM);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();

    const first = await reader.read();

    expect(new TextDecoder().decode(first.value)).toMatch(/^data: \{"n":1\}\r\n\r\ndata: \{"candidates"/);
    await expect(reader.read()).rejects.toThrow('terminated');
  });

  it('sends what is not JSON, and nothing at all', async () => {
    const emulator = await start([sendsMalformedJson('{"a'), sendsMalformedJson('{"a'), sendsNothing()]);

    expect(await (await post(emulator.url + WHOLE)).text()).toBe('{"a');
    expect(await (await post(emulator.url + STREAM)).text()).toBe('data: {"a\r\n\r\n');
    expect(await (await post(emulator.url + WHOLE)).text()).toBe('');
  });

  it('streams the chunks it is given as they are', async () => {
    const emulator = await start([streamsJson({ promptFeedback: { blockReason: 'SAFETY' } })]);

    expect(eventsOf(await (await post(emulator.url + STREAM)).text())).toEqual([
      { promptFeedback: { blockReason: 'SAFETY' } },
    ]);
  });

  it('gives up a slow step when the asker leaves, and hangs up on who still waits when it is closed', async () => {
    const emulator = await start([
      slowly(1, saysText('late')),
      slowly(600_000, saysText('too late')),
      neverAnswers(),
    ]);
    expect(textOf(await (await post(emulator.url + WHOLE)).json())).toBe('late');
    const leaving = new AbortController();

    const left = fetch(emulator.url + WHOLE, { method: 'POST', body: '{}', signal: leaving.signal });
    while (emulator.requests.length < 2) await new Promise(setImmediate);
    leaving.abort();
    await expect(left).rejects.toThrow();
    const waiting = post(emulator.url + WHOLE);
    while (emulator.requests.length < 3) await new Promise(setImmediate);
    await emulator.close();

    await expect(waiting).rejects.toThrow();
  });
});

function post(url: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
}

function eventsOf(text: string): unknown[] {
  return text
    .split('\r\n\r\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as unknown);
}

function textOf(answer: unknown): string | undefined {
  const { candidates } = answer as { candidates?: { content: { parts: { text?: string }[] } }[] };
  return candidates?.[0]?.content.parts[0]?.text;
}
