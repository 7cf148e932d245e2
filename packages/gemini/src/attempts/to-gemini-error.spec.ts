import { failsWith, plays, startGeminiEmulator } from '@adorn/testing';

import { GeminiModel } from '../gemini.model.js';
import type { GeminiOptions } from '../gemini-options.js';

const KEY = 'AIza-very-secret';

describe('what the caller is told', () => {
  it('names a model that is not there, and where the names are', async () => {
    const said = 'models/gemini-9 is not found for API version v1beta';

    expect(await errorOf(failsWith(404, { message: said }), { model: 'gemini-9' })).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message:
        `Gemini has no model "gemini-9": ${said}. ` +
        'Check the name against https://ai.google.dev/gemini-api/docs/models, such as gemini-2.5-flash; ' +
        'on Vertex AI check that the location offers it.',
    });
  });

  it('names the model also where the failure is an event of a stream', async () => {
    const error = { code: 404, message: 'models/gemini-9 is not found.', status: 'NOT_FOUND' };
    const body = Buffer.from(`data: ${JSON.stringify({ error })}\r\n\r\n`);
    const page = { status: 404, headers: { 'content-type': 'text/event-stream' }, body, stream: true };

    expect(await errorOf(plays({ response: page }), { model: 'gemini-9' }, { stream: true })).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringContaining(
        'Gemini has no model "gemini-9": models/gemini-9 is not found.',
      ) as string,
    });
  });

  it.each([
    [400, { message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] }],
    [401, { message: 'Who are you?' }],
    [403, { message: 'Not for you.' }],
  ])('calls status %i a matter of the key', async (status, failure) => {
    expect(await errorOf(failsWith(status, failure))).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(
        `(HTTP ${String(status)}): ${failure.message} Check GEMINI_API_KEY`,
      ) as string,
    });
  });

  it("passes Google's words about a bad request on", async () => {
    expect(await errorOf(failsWith(400, { message: 'Invalid value at tools[0]' }))).toMatchObject({
      code: 'MODEL_FAILED',
      status: 400,
      message:
        'Model "gemini-2.5-flash" answered with HTTP 400: Invalid value at tools[0]. Check ' +
        'generateContentConfig, the tools and the conversation.',
    });
  });

  it.each([false, true])(
    'says that a request is too long, with the window, and asks once (stream: %s)',
    async (stream) => {
      const message =
        'The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).';

      expect(await errorOf(failsWith(400, { message }), {}, { stream })).toMatchObject({
        code: 'CONTEXT_TOO_LONG',
        window: 1_048_576,
        requested: 3_475_108,
        message: expect.stringContaining(message) as string,
      });
    },
  );

  it('S15: redacts the key where Google repeats it', async () => {
    const error = await errorOf(failsWith(400, { message: `API key ${KEY} is not valid.` }));

    expect(String(error)).toContain('API key [key] is not valid.');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
  });

  it('redacts a key and a header credential that the start of a page would cut', async () => {
    const body = Buffer.from(`${'x'.repeat(495)}${KEY} and Bearer another-secret`);
    const page = { status: 418, headers: { 'content-type': 'text/plain' }, body, stream: false };

    const error = await errorOf(plays({ response: page }), {
      headers: { Authorization: 'Bearer another-secret' },
    });

    expect(String(error)).toContain('x[key');
    expect(String(error)).not.toMatch(/AIza|another/);
  });

  it('tells in short what a server says that is not Google', async () => {
    const body = Buffer.from(`<html><h1>404</h1>\n<p>${'nothing here '.repeat(40)}</p></html>`);
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body, stream: false };

    const error = await errorOf(plays({ response: page }));

    expect(error).toMatchObject({ code: 'MODEL_FAILED', status: 404 });
    expect(String(error)).toMatch(/: 404 nothing here .*…\. There is no API at this address: check baseUrl/);
  });

  it('tells what the request itself cannot hold', async () => {
    const error = await errorOf(undefined, {}, { contents: [] });

    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      status: undefined,
      message: expect.stringContaining(
        'cannot be called with this request: contents are required.',
      ) as string,
    });
  });
});

async function errorOf(
  step: ReturnType<typeof failsWith> | undefined,
  options: GeminiOptions = {},
  request: { contents?: []; stream?: boolean } = {},
): Promise<unknown> {
  await using emulator = await startGeminiEmulator(step === undefined ? [] : [step]);
  const model = new GeminiModel({ baseUrl: emulator.url, apiKey: KEY, ...options });
  const signal = new AbortController().signal;
  const contents = [{ role: 'user', parts: [{ text: 'Hello?' }] }];
  const answer = model.generate({ contents, config: {}, stream: false, signal, ...request });
  return await answer.next().then(
    () => undefined,
    (error: unknown) => error,
  );
}
