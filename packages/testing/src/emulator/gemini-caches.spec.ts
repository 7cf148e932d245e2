import { saysText } from './answer-steps.js';
import { failsWith } from './fault-steps.js';
import {
  type GeminiEmulator,
  type GeminiEmulatorOptions,
  startGeminiEmulator,
} from './provider-emulators.js';

const CACHE = {
  model: 'models/m',
  displayName: 'manual',
  ttl: '60s',
  systemInstruction: { parts: [{ text: 'x'.repeat(8_000) }] },
};

describe('the caches of the Gemini emulator', () => {
  let emulator: GeminiEmulator;

  afterEach(() => emulator.close());

  async function start(caches: GeminiEmulatorOptions['caches'] = {}): Promise<void> {
    emulator = await startGeminiEmulator(() => saysText('Yes.'), { caches });
  }

  async function send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${emulator.url}/v1beta/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  const ask = (fields: object, verb = 'generateContent'): Promise<Response> =>
    send('POST', `models/m:${verb}`, { contents: [], ...fields });

  it('are created, listed, read, extended and deleted without a script', async () => {
    await start();

    const { name } = (await (await send('POST', 'cachedContents', CACHE)).json()) as { name: string };
    const listed = await (await send('GET', 'cachedContents?pageSize=10')).json();
    const before = (await (await send('GET', name)).json()) as { expireTime: string };
    const after = (await (await send('PATCH', name, { ttl: '600s' })).json()) as { expireTime: string };
    await send('DELETE', name);

    expect(listed).toMatchObject({
      cachedContents: [{ name, displayName: 'manual', usageMetadata: { totalTokenCount: 2_008 } }],
    });
    expect(Date.parse(after.expireTime)).toBeGreaterThan(Date.parse(before.expireTime) + 500_000);
    expect((await send('GET', name)).status).toBe(403);
    expect(emulator.caches.names).toEqual([]);
    expect(emulator.caches.requests.map(({ method }) => method)).toEqual([
      'POST',
      'GET',
      'GET',
      'PATCH',
      'DELETE',
      'GET',
    ]);
    expect(emulator.requests).toEqual([]);
  });

  it.each(['generateContent', 'streamGenerateContent?alt=sse'])('count in the usage (%s)', async (verb) => {
    await start();
    const { name } = (await (await send('POST', 'cachedContents', CACHE)).json()) as { name: string };

    const answer = await (await ask({ cachedContent: name }, verb)).text();

    expect(answer).toContain('"cachedContentTokenCount":2008');
    expect(answer).toContain('"promptTokenCount":2009');
  });

  it.each(['systemInstruction', 'tools', 'toolConfig'])('refuse a request that repeats %s', async (field) => {
    await start();
    const { name } = (await (await send('POST', 'cachedContents', CACHE)).json()) as { name: string };

    expect((await ask({ cachedContent: name, [field]: {} })).status).toBe(400);
  });

  it('refuse what is too small, and requests with a cache that is gone or has expired', async () => {
    let now = 0;
    await start({ minTokens: 2_000, now: () => now });
    const small = await send('POST', 'cachedContents', { model: 'models/m', ttl: '60s' });
    const { name } = (await (await send('POST', 'cachedContents', CACHE)).json()) as { name: string };
    now = 60_000;

    expect(small.status).toBe(400);
    expect(await small.text()).toContain('Cached content is too small');
    expect((await ask({ cachedContent: name })).status).toBe(403);
    expect((await ask({ cachedContent: 'cachedContents/none' })).status).toBe(403);
  });

  it('fail as they are told to, once', async () => {
    await start();
    emulator.caches.refuseNext(failsWith(503));

    expect((await send('POST', 'cachedContents', CACHE)).status).toBe(503);
    expect((await send('POST', 'cachedContents', CACHE)).status).toBe(200);
  });
});
