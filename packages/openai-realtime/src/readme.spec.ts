import type { LiveSetup } from '@adorn/core/backend';
import { liveWire, startOpenAiRealtimeEmulator } from '@adorn/testing';

import { OpenAiRealtimeModel } from './index.js';

describe('the program of the README', () => {
  const before = { ...process.env };

  afterAll(() => {
    process.env = before;
  });

  it('speaks with the model that the environment leads to', async () => {
    const { hearsText, speaks, endsTurn, closes } = liveWire;
    await using server = await startOpenAiRealtimeEmulator([
      [hearsText('Hello?'), speaks([Buffer.alloc(960)], 'Good day.'), endsTurn(), closes()],
    ]);
    process.env['OPENAI_API_KEY'] = 'test-key';
    process.env['OPENAI_BASE_URL'] = `${server.url}/v1`;
    const setup: LiveSetup = {
      instruction: 'Be brief.',
      tools: [],
      backgroundTools: [],
      history: [],
      modality: 'audio',
      transcribe: { input: false, output: true },
      activity: 'automatic',
      config: {},
    };
    const { signal } = new AbortController();
    const said: string[] = [];

    const model = new OpenAiRealtimeModel({ model: 'gpt-realtime', turnDetection: { silence: 300 } });
    const connection = await model.connect(setup, { signal, timeout: 10_000 });
    connection.sendContents([{ role: 'user', parts: [{ text: 'Hello?' }] }], true);
    for await (const event of connection) {
      if (event.kind === 'outputTranscript') said.push(event.text);
      if (event.kind === 'turnComplete') connection.close();
    }

    expect(said).toEqual(['Good day.']);
  });
});
