import { GoogleGenAI, type LiveServerMessage } from '@google/genai';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readWebSocketLog, replaysConversation } from './read-websocket-log.js';
import { startGeminiLiveEmulator } from './start-live-emulators.js';

const CONVERSATION: readonly (readonly ['>' | '<', string])[] = [
  ['>', '{"setup":{"model":"models/m"}}'],
  ['<', '{\n  "setupComplete": {}\n}\n'],
  ['>', '{"realtimeInput":{"audio":{"data":"AQIDBA=="}}}'],
  ['<', '{"serverContent":{"modelTurn":{"parts":[{"text":"hé"}]}}}'],
];

describe('readWebSocketLog', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'websocket-log-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function file(content: string): Promise<string> {
    const path = join(folder, 'a.websocket.log');
    await writeFile(path, content);
    return path;
  }

  const written = CONVERSATION.map(
    ([sign, text]) => `${sign}${String(Buffer.byteLength(text))} ${text}\n`,
  ).join('');

  it('reads the messages of both sides, lengths in bytes', async () => {
    expect(await readWebSocketLog(await file(written))).toEqual(
      CONVERSATION.map(([sign, text]) => ({ from: sign === '>' ? 'client' : 'server', text })),
    );
  });

  it('says where a file is no log, and where it breaks off', async () => {
    await expect(readWebSocketLog(await file(`${written}?`))).rejects.toThrow(
      `there is no message at byte ${String(Buffer.byteLength(written))}`,
    );
    await expect(readWebSocketLog(await file('>9 {}\n'))).rejects.toThrow(
      'it ends in the middle of a message',
    );
  });

  it('is replayed byte for byte, each message after what the client had sent, however its audio is cut', async () => {
    const frames = await readWebSocketLog(await file(written));
    await using emulator = await startGeminiLiveEmulator([replaysConversation(frames)]);
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: emulator.url } });
    const messages: LiveServerMessage[] = [];
    const answered = new Promise<void>((resolve) => {
      void client.live
        .connect({
          model: 'm',
          callbacks: {
            onmessage: (message) => {
              messages.push(message);
              if (message.serverContent !== undefined) resolve();
            },
          },
        })
        .then((session) => {
          session.sendRealtimeInput({ audio: { data: 'AQI=', mimeType: 'audio/pcm;rate=16000' } });
          session.sendRealtimeInput({ audio: { data: 'AwQ=', mimeType: 'audio/pcm;rate=16000' } });
        });
    });

    await answered;

    expect(JSON.parse(JSON.stringify(messages))).toEqual([
      { setupComplete: {} },
      { serverContent: { modelTurn: { parts: [{ text: 'hé' }] } } },
    ]);
  });

  const fixtures = join(process.env['ADORN_FIXTURES'] ?? '../shared/fixtures', 'gemini-wire/js-genai-live');
  (existsSync(fixtures) ? it : it.skip)(
    'reads those of js-genai (skipped where there are none)',
    async () => {
      for (const name of await readdir(fixtures)) {
        const frames = await readWebSocketLog(join(fixtures, name));

        expect(frames.slice(0, 2).map(({ from }) => from)).toEqual(['client', 'server']);
        for (const { text } of frames) expect(JSON.parse(text)).toEqual(expect.any(Object));
      }
    },
  );
});
