import {
  answersJson,
  embedsAs,
  failsWith,
  type GeminiEmulator,
  type GeminiRequest,
  type GeminiScript,
  startGeminiEmulator,
} from '@adorn/testing';

import { GeminiEmbedder, type GeminiEmbedderOptions } from './gemini.embedder.js';

describe('GeminiEmbedder', () => {
  const running: GeminiEmulator[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: GeminiScript): Promise<GeminiEmulator> {
    const emulator = await startGeminiEmulator(script);
    running.push(emulator);
    return emulator;
  }

  it('asks gemini-embedding-001 for 768 numbers unless told otherwise', async () => {
    const vector = Array.from({ length: 768 }, (_, index) => index);
    const emulator = await start([embedsAs(vector)]);
    const embedder = new GeminiEmbedder({ baseUrl: emulator.url, apiKey: 'test-key' });

    expect(await embedder.embed(['Harbour.'])).toEqual([vector]);

    expect(embedder).toMatchObject({ name: 'gemini-embedding-001', dimensions: 768, minScore: 0.5 });
    expect(emulator.requests).toMatchObject([
      {
        path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
        headers: { 'x-goog-api-key': 'test-key' },
        body: {
          requests: [
            {
              model: 'models/gemini-embedding-001',
              content: { parts: [{ text: 'Harbour.' }] },
              taskType: 'RETRIEVAL_DOCUMENT',
              outputDimensionality: 768,
            },
          ],
        },
      },
    ]);
  });

  it('says when a text is there to find others', async () => {
    const emulator = await start([embedsAs([1, 0])]);

    await embedderOf(emulator).embed(['Harbour?'], 'query');

    expect(emulator.requests[0]?.body).toMatchObject({ requests: [{ taskType: 'RETRIEVAL_QUERY' }] });
  });

  it('asks for a hundred texts at a time, and gives the vectors in their order', async () => {
    const texts = Array.from({ length: 250 }, (_, index) => String(index));
    const emulator = await start((request) => embedsAs(...askedOf(request).map((text) => [Number(text), 1])));

    expect(await embedderOf(emulator).embed(texts)).toEqual(texts.map((text) => [Number(text), 1]));

    expect(emulator.requests.map((request) => askedOf(request).length)).toEqual([100, 100, 50]);
  });

  it('asks nobody about no texts', async () => {
    expect(await embedderOf(await start([])).embed([])).toEqual([]);
  });

  it('asks Vertex AI for each text by itself', async () => {
    const emulator = await start((request) => {
      const [{ content = '' } = {}] = request.body['instances'] as { content?: string }[];
      return answersJson({ predictions: [{ embeddings: { values: [Number(content), 1] } }] });
    });
    const vertex = { vertexai: true, project: 'p', location: 'l' };

    expect(await embedderOf(emulator, vertex).embed(['1', '2'])).toEqual([
      [1, 1],
      [2, 1],
    ]);

    expect(emulator.requests[0]?.path).toBe(
      '/v1beta1/projects/p/locations/l/publishers/google/models/gemini-embedding-001:predict',
    );
  });

  it('asks again after a failure that may pass, and not for long', async () => {
    const emulator = await start([
      failsWith(503),
      embedsAs([1, 0]),
      failsWith(503),
      failsWith(503),
      failsWith(503),
    ]);
    const embedder = embedderOf(emulator);

    expect(await embedder.embed(['Harbour.'])).toEqual([[1, 0]]);
    await expect(embedder.embed(['Harbour.'])).rejects.toMatchObject({ code: 'MODEL_FAILED', status: 503 });
  });

  it.each([
    ['too few vectors', embedsAs()],
    ['vectors of another length', embedsAs([1, 0, 0])],
    ['no vectors at all', answersJson({ embeddings: [{}] })],
  ])('refuses %s', async (_what, step) => {
    await expect(embedderOf(await start([step])).embed(['Harbour.'])).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('not a vector of 2 numbers for each text') as string,
    });
  });

  it('says what is missing where there is no key', async () => {
    const embedder = new GeminiEmbedder({ apiKey: ' ', vertexai: false });
    const keys = ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] as const;
    const kept = keys.map((key) => process.env[key]);
    for (const key of keys) process.env[key] = '';

    await expect(embedder.embed(['Harbour.'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });

    for (const [index, key] of keys.entries()) process.env[key] = kept[index] ?? '';
  });
});

function embedderOf({ url }: GeminiEmulator, options: GeminiEmbedderOptions = {}): GeminiEmbedder {
  const timing = { now: () => 0, random: () => 0.5, sleep: () => Promise.resolve() };
  return new GeminiEmbedder({ baseUrl: url, apiKey: 'test-key', dimensions: 2, ...options }, timing);
}

/** The texts that the Gemini API was asked to embed. */
function askedOf({ body }: GeminiRequest): string[] {
  const requests = body['requests'] as { content: { parts: { text: string }[] } }[];
  return requests.map(({ content }) => content.parts[0]?.text ?? '');
}
