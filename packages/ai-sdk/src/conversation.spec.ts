import type { Content, Part } from '@adorn/core';
import { type ModelEmulator, saysText, streamsJson } from '@adorn/testing';

import {
  ANTHROPIC,
  ANTHROPIC_V2,
  ask,
  COMPATIBLE,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  OPENAI_V2,
  OPENAI_V4,
  TestedServers,
  type TestedWire,
} from './wires.fixture.js';

const servers = new TestedServers();
afterEach(() => servers.closeAll());

const CONVERSATION: readonly Content[] = [
  { role: 'user', parts: [{ text: 'Weather?' }] },
  {
    role: 'model',
    parts: [
      { text: 'A thought of Gemini.', thought: true, thoughtSignature: 'c2ln' },
      { text: 'I look.' },
      { functionCall: { id: 'call_a', name: 'get_weather', args: { city: 'Oslo' } } },
      { functionCall: { id: 'call_b', name: 'get_weather', args: { city: 'Rome' } } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'call_a', name: 'get_weather', response: { result: 9 } } },
      { functionResponse: { id: 'call_b', name: 'get_weather', response: { error: 'no such city' } } },
    ],
  },
  { role: 'user', parts: [{ text: 'And?' }] },
];

describe('a conversation', () => {
  it('is sent as chat messages, with the instruction and the settings', async () => {
    const config = {
      systemInstruction: 'Be brief.',
      temperature: 0.5,
      maxOutputTokens: 99,
      stopSequences: ['END'],
    };

    const body = await sent(COMPATIBLE, CONVERSATION, config);

    expect(body).toMatchObject({ temperature: 0.5, max_tokens: 99, stop: ['END'] });
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_b', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: '{"result":9}' },
      { role: 'tool', tool_call_id: 'call_b', content: '{"error":"no such city"}' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it.each([ANTHROPIC, ANTHROPIC_V2])('marks a failed call over $name', async (wire) => {
    const { messages } = (await sent(wire, CONVERSATION)) as { messages: { content: Part[] }[] };

    expect(messages[2]?.content.slice(0, 2)).toMatchObject([
      { type: 'tool_result', tool_use_id: 'call_a', content: '{"result":9}' },
      { type: 'tool_result', tool_use_id: 'call_b', is_error: true },
    ]);
  });

  it('gives calls without an id one, the same for call and response', async () => {
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [call('a'), call('b'), call('a')] },
      { role: 'user', parts: [response('a', 1), response('b', 2), response('a', 3)] },
    ];

    const { messages } = (await sent(COMPATIBLE, contents)) as { messages: Message[] };

    const ids = messages[1]?.tool_calls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
    expect(messages.slice(2).map(({ tool_call_id: id }) => id)).toEqual(ids);
  });

  it('replaces an id that a provider would refuse, in call and response alike', async () => {
    const id = `id with spaces ${'x'.repeat(90)}`;
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [{ functionCall: { id, name: 'a', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'a', response: {} } }] },
    ];

    const { messages } = (await sent(COMPATIBLE, contents)) as { messages: Message[] };

    const given = messages[1]?.tool_calls?.[0]?.id ?? '';
    expect(given).toMatch(/^[\w-]{1,64}$/);
    expect(messages[2]?.tool_call_id).toBe(given);
  });

  it.each([
    [COMPATIBLE, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    [OPENAI_CHAT, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    [OPENAI_RESPONSES, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    [OPENAI_V2, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    [OPENAI_V4, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    [ANTHROPIC, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
  ])('has images, over $name', async (wire, image) => {
    const contents = [
      { role: 'user', parts: [{ text: 'See.' }, { inlineData: { data: 'AAAA', mimeType: 'image/png' } }] },
    ];

    const body = await sent(wire, contents);

    const [message] = (body['messages'] ?? body['input']) as { content: object[] }[];
    expect(message?.content[1]).toMatchObject(image);
  });

  it('has files by their URLs, and images in results of tools', async () => {
    const contents: Content[] = [
      {
        role: 'user',
        parts: [{ fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } }],
      },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'shot', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'shot',
              response: { result: 'ok' },
              parts: [{ inlineData: { data: 'AAAA', mimeType: 'image/png' } }],
            },
          },
        ],
      },
    ];

    const { messages } = (await sent(ANTHROPIC, contents)) as { messages: { content: object[] }[] };

    expect(messages[0]?.content).toMatchObject([
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ]);
    expect(messages[2]?.content).toMatchObject([
      { type: 'tool_result', content: [{ type: 'text', text: '{"result":"ok"}' }, { type: 'image' }] },
    ]);
  });

  it('takes no options of a provider from a message of a user', async () => {
    const partMetadata = { aiSdk: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } };

    const { messages } = (await sent(ANTHROPIC, [
      { role: 'user', parts: [{ text: 'Hello', partMetadata }] },
    ])) as { messages: { content: object[] }[] };

    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } },
    ]);
  });

  it('is stored nowhere else: OpenAI is told not to keep it', async () => {
    expect(await sent(OPENAI_RESPONSES, CONVERSATION)).toMatchObject({ store: false });
    expect(await sent(OPENAI_V2, CONVERSATION)).toMatchObject({ store: false });
  });

  it('leaves the contents as they are, and converts each of them once', async () => {
    const { model, server } = await servers.start(COMPATIBLE, () => saysText('Hi.'));
    let reads = 0;
    const watched: Content = {
      role: 'user',
      get parts(): Part[] {
        reads += 1;
        return [{ text: 'Hello' }];
      },
    };

    await ask(model, { contents: [watched] });
    const before = reads;
    await ask(model, { contents: [watched, { role: 'model', parts: [{ text: 'Hi.' }] }, watched] });

    expect(reads).toBe(before);
    expect(server.requests[1]?.body['messages']).toHaveLength(3);
  });
});

describe('thoughts', () => {
  it.each([true, false])('go back with their signature to Anthropic (stream: %s)', async (stream) => {
    const thinking = { text: 'I add.', thought: true, thoughtSignature: 'sig-1' };
    const { model, server } = await servers.start(ANTHROPIC, [
      answer(thinking, { text: 'Four.' }),
      saysText('Yes.'),
    ]);

    const whole = (await ask(model, { stream })).at(-1);
    const contents = [
      { role: 'user', parts: [{ text: '2+2?' }] },
      whole?.content ?? {},
      { role: 'user', parts: [{ text: 'Sure?' }] },
    ];
    await ask(model, { contents: JSON.parse(JSON.stringify(contents)) as Content[] });

    expect(whole?.content?.parts).toMatchObject([{ text: 'I add.', thought: true }, { text: 'Four.' }]);
    expect((server.requests[1]?.body['messages'] as { content: object[] }[])[1]?.content[0]).toEqual({
      type: 'thinking',
      thinking: 'I add.',
      signature: 'sig-1',
    });
  });

  it.each([OPENAI_RESPONSES, OPENAI_V2, OPENAI_V4])('go back encrypted over $name', async (wire) => {
    const thinking = { text: 'I add.', thought: true, thoughtSignature: 'encrypted-1' };
    const { model, server } = await servers.start(wire, [
      answer(thinking, { text: 'Four.' }),
      saysText('Yes.'),
    ]);

    const whole = (await ask(model, { stream: true })).at(-1);
    await ask(model, { contents: [{ role: 'user', parts: [{ text: '2+2?' }] }, whole?.content ?? {}] });

    const { input } = server.requests[1]?.body as { input: object[] };
    expect(input).toContainEqual(
      expect.objectContaining({ type: 'reasoning', encrypted_content: 'encrypted-1' }),
    );
  });

  it('go back to a compatible server as its reasoning', async () => {
    const { model, server } = await servers.start(COMPATIBLE, [
      answer({ text: 'I add.', thought: true }, { text: 'Four.' }),
      saysText('Yes.'),
    ]);

    const [whole] = await ask(model);
    await ask(model, { contents: [{ role: 'user', parts: [{ text: '2+2?' }] }, whole?.content ?? {}] });

    expect((server.requests[1]?.body['messages'] as object[])[1]).toMatchObject({
      content: 'Four.',
      reasoning_content: 'I add.',
    });
  });
});

interface Message {
  readonly tool_calls?: { readonly id: string }[];
  readonly tool_call_id?: string;
}

function call(name: string): Part {
  return { functionCall: { name, args: {} } };
}

function response(name: string, result: number): Part {
  return { functionResponse: { name, response: { result } } };
}

function answer(...parts: readonly object[]): ReturnType<typeof streamsJson> {
  return streamsJson({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] });
}

/** The body of the request of one answer. */
async function sent(
  wire: TestedWire,
  contents: readonly Content[],
  config = {},
): Promise<ModelEmulator['requests'][0]['body']> {
  const { model, server } = await servers.start(wire, [saysText('Hi.')]);
  await ask(model, { contents, config });
  return server.requests[0]?.body ?? {};
}
