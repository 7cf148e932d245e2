import {
  builtInCodeExecution,
  createRunner,
  defineAgent,
  fileSearch,
  FunctionTool,
  googleSearch,
  type Tool,
  urlContext,
  vertexAiSearch,
} from '@adorn/core';
import {
  answersWith,
  callsFunctions,
  eventsOf,
  type GeminiScript,
  saysText,
  startGeminiEmulator,
} from '@adorn/testing';

import { GeminiModel } from './gemini.model.js';
import type { GeminiOptions } from './gemini-options.js';

const refund = new FunctionTool({ name: 'refund', description: 'Refunds.', run: () => 'done' });

describe('googleSearch over the wire', () => {
  const groundingMetadata = {
    webSearchQueries: ['opening hours'],
    groundingChunks: [{ web: { uri: 'https://example.com', title: 'example.com' } }],
    searchEntryPoint: { renderedContent: '<div></div>' },
  };

  it.each([false, true])(
    'is an entry of the request, and its sources are in the event (streaming: %s)',
    async (streams) => {
      const answer = answersWith({ parts: [{ text: 'At seven.' }], candidate: { groundingMetadata } });

      const { bodies, events } = await talk([googleSearch()], [answer], { streams });

      expect(bodies[0]?.['tools']).toEqual([{ googleSearch: {} }]);
      expect(bodies[0]).not.toHaveProperty('toolConfig');
      expect(events.at(-1)).toMatchObject({ text: 'At seven.', groundingMetadata });
    },
  );
});

describe('urlContext over the wire', () => {
  const page = { retrievedUrl: 'https://example.com', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' };

  it.each([false, true])('tells in the event which pages were read (streaming: %s)', async (streams) => {
    const candidate = { urlContextMetadata: { urlMetadata: [page] } };
    const answer = answersWith({ parts: [{ text: 'A page.' }], candidate });

    const { bodies, events } = await talk([urlContext()], [answer], { streams });

    expect(bodies[0]?.['tools']).toEqual([{ urlContext: {} }]);
    expect(events.at(-1)).toMatchObject(candidate);
    expect(JSON.parse(JSON.stringify(events.at(-1)))).toMatchObject(candidate);
  });

  it('keeps the pages of all chunks of a stream', async () => {
    const other = { ...page, retrievedUrl: 'https://example.org' };
    const script: GeminiScript = [
      {
        kind: 'chunks',
        chunks: [
          chunkOf('One', { urlContextMetadata: { urlMetadata: [page] } }),
          chunkOf('.', { urlContextMetadata: { urlMetadata: [page, other] }, finishReason: 'STOP' }),
        ],
      },
    ];

    const { events } = await talk([urlContext()], script, { streams: true });

    expect(events.at(-1)?.urlContextMetadata).toEqual({ urlMetadata: [page, other] });
  });

  it('does without metadata that is none', async () => {
    const candidate = { urlContextMetadata: { urlMetadata: null } };

    const { events } = await talk([urlContext()], [answersWith({ parts: [{ text: 'A page.' }], candidate })]);

    expect(events.at(-1)?.text).toBe('A page.');
    expect(events.at(-1)?.urlContextMetadata).toBeUndefined();
  });
});

describe('builtInCodeExecution over the wire', () => {
  const parts = [
    { executableCode: { id: 'x1', language: 'PYTHON', code: 'print(6 * 7)' } },
    { codeExecutionResult: { id: 'x1', outcome: 'OUTCOME_OK', output: '42\n' } },
    { text: 'It is 42.', thoughtSignature: 'c2ln' },
  ];

  it.each([false, true])(
    'keeps code and output as parts and sends them back as they came (streaming: %s)',
    async (streams) => {
      const { bodies, events } = await talk(
        [builtInCodeExecution()],
        [answersWith({ parts }), saysText('Yes.')],
        {
          streams,
          messages: ['What is 6 * 7?', 'Sure?'],
        },
      );

      expect(bodies[0]?.['tools']).toEqual([{ codeExecution: {} }]);
      expect(events.some(({ functionResponses }) => functionResponses.length > 0)).toBe(false);
      expect(bodies[1]?.['contents']).toMatchObject([
        { role: 'user' },
        { role: 'model', parts },
        { role: 'user' },
      ]);
    },
  );

  it('asks again where the answer ends with the output of the code', async () => {
    const script = [answersWith({ parts: parts.slice(0, 2) }), saysText('It is 42.')];

    const { bodies, events } = await talk([builtInCodeExecution()], script);

    expect(bodies).toHaveLength(2);
    expect(events.at(-1)?.text).toBe('It is 42.');
  });
});

describe('functions beside tools that Google runs', () => {
  const searched = [
    {
      toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['order A-17'] } },
      thoughtSignature: 'c2ln',
    },
    { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: { search_suggestions: '' } } },
    { functionCall: { id: 'f1', name: 'refund', args: {} }, thoughtSignature: 'c2lnMg==' },
  ];

  it('are asked for with Gemini 3; calls of the server are sent back as they came, and only functions run', async () => {
    const { bodies, events } = await talk(
      [googleSearch(), refund],
      [answersWith({ parts: searched }), saysText('Done.')],
      {
        model: 'gemini-3-flash-preview',
      },
    );

    expect(bodies[0]).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'refund' }] }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    });
    expect(bodies[1]?.['contents']).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: searched },
      { role: 'user', parts: [{ functionResponse: { id: 'f1', name: 'refund' } }] },
    ]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toHaveLength(1);
  });

  it('leave out the option where all tools are functions, or all are of Google', async () => {
    const options = { model: 'gemini-3-flash-preview' };
    const lone = await talk([refund], [callsFunctions({ name: 'refund' }), saysText('Done.')], options);
    const searching = await talk([googleSearch(), urlContext()], [saysText('Done.')], options);

    for (const body of [...lone.bodies, ...searching.bodies]) expect(body).not.toHaveProperty('toolConfig');
  });

  it.each(['gemini-2.5-pro', 'gemini-flash-latest'])(
    'are asked through an agent of their own for %s',
    async (model) => {
      const warn = jest.spyOn(console, 'warn').mockReturnValue();
      const asks = callsFunctions({ name: 'google_search', args: { request: 'Opening hours?' } });

      const { bodies, events } = await talk(
        [googleSearch(), refund],
        [asks, saysText('At seven.'), saysText('They open at seven.')],
        { model },
      );

      const functions = { functionDeclarations: [{ name: 'refund' }, { name: 'google_search' }] };
      expect(bodies.map(({ tools }) => tools)).toMatchObject([
        [functions],
        [{ googleSearch: {} }],
        [functions],
      ]);
      expect(events.at(-1)).toMatchObject({ text: 'They open at seven.' });
      warn.mockRestore();
    },
  );

  it('are asked through an agent of their own for Vertex AI, and the log says so', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();

    await start([googleSearch(), refund], { model: 'gemini-3-flash-preview', vertexai: true });

    expect(warn).toHaveBeenCalledWith(expect.stringContaining('one more model call'));
    warn.mockRestore();
  });
});

describe('which models have a tool', () => {
  const datastore = 'projects/p/locations/global/collections/c/dataStores/d';
  const files = { fileSearchStoreNames: ['fileSearchStores/a'] };

  it.each<[string, Tool, GeminiOptions]>([
    ['Gemini 1', urlContext(), { model: 'gemini-1.5-pro' }],
    ['another family', googleSearch(), { model: 'gemma-3-27b-it' }],
    ['AI Studio', vertexAiSearch({ datastore }), {}],
    ['Vertex AI', fileSearch(files), { vertexai: true }],
  ])('%s has not', async (_what, tool, options) => {
    await expect(start([tool], options)).rejects.toMatchObject({ code: 'PROVIDER_TOOL_UNSUPPORTED' });
  });

  it.each<[string, Tool, GeminiOptions]>([
    ['a name without a generation', googleSearch(), { model: 'gemini-flash-latest' }],
    ['a tuned model', builtInCodeExecution(), { model: 'tunedModels/harbour' }],
    ['AI Studio', fileSearch(files), {}],
    [
      'Vertex AI',
      vertexAiSearch({ datastore }),
      { vertexai: true, model: 'publishers/google/models/gemini-2.5-pro' },
    ],
  ])('%s has', async (_what, tool, options) => {
    await expect(start([tool], options)).resolves.toBeDefined();
  });

  it('is told by the environment too', async () => {
    process.env['GOOGLE_GENAI_USE_VERTEXAI'] = 'true';
    try {
      await expect(start([fileSearch(files)], {})).rejects.toMatchObject({
        code: 'PROVIDER_TOOL_UNSUPPORTED',
      });
    } finally {
      delete process.env['GOOGLE_GENAI_USE_VERTEXAI'];
    }
  });
});

function chunkOf(text: string, candidate: object): Record<string, unknown> {
  return { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...candidate }] };
}

interface Setup {
  readonly model?: string;
  readonly streams?: boolean;
  readonly messages?: readonly string[];
}

/** What an agent with these tools sends to Gemini, and its events. */
async function talk(
  tools: readonly Tool[],
  script: GeminiScript,
  { model = 'gemini-2.5-flash', streams = false, messages = ['Go.'] }: Setup = {},
) {
  await using emulator = await startGeminiEmulator(script);
  const gemini = new GeminiModel({ model, apiKey: 'test-key', baseUrl: emulator.url });
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model: gemini });
  const events = [];
  for (const message of messages) {
    const config = { streaming: streams ? ('sse' as const) : ('none' as const) };
    events.push(...(await eventsOf(runner.run({ sessionId: 's1', message, config }))));
  }
  return {
    bodies: emulator.requests.map(({ body }) => body),
    events: events.filter(({ partial }) => !partial),
  };
}

async function start(tools: readonly Tool[], options: GeminiOptions): Promise<unknown> {
  const model = new GeminiModel({ apiKey: 'test-key', ...options });
  const runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
  await runner.close();
  return runner;
}
