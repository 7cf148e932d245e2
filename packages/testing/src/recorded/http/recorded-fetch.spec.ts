import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { recordedFetch } from './recorded-fetch.js';

const TOKEN = 'sk-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

let server: Server;
let url = '';
let asked: string[] = [];
let folder = '';
let file = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${String(request.method)} ${String(request.url)}`);
    if (request.url === '/gone') request.socket.destroy();
    else if (request.url === '/bytes') response.end(Buffer.from([0xff, 0x00, 0xfe]));
    else if (request.url === '/nothing') response.writeHead(204).end();
    else
      response
        .writeHead(request.url === '/lost' ? 404 : 200, {
          'content-type': 'application/json',
          'set-cookie': 'a=b',
        })
        .end(`{"path": "${String(request.url)}",  "times": ${String(asked.length)}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});

afterAll(() => server.close());

beforeEach(() => {
  asked = [];
  folder = mkdtempSync(join(tmpdir(), 'http-cassette-'));
  file = join(folder, 'shop.cassette.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('recordedFetch', () => {
  it('replays status, headers and the bytes of the body without asking the server', async () => {
    const first = await recordedFetch(fetch, file, { mode: 'record' })(`${url}/lost`);
    const again = await recordedFetch(unreachable, file)(`${url}/lost`);

    expect(again.status).toBe(404);
    expect(again.headers.get('content-type')).toBe('application/json');
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(await again.text()).toBe('{"path": "/lost",  "times": 1}');
    expect(await first.text()).toBe('{"path": "/lost",  "times": 1}');
    expect(asked).toEqual(['GET /lost']);
  });

  it.each([
    ['/bytes', [0xff, 0x00, 0xfe]],
    ['/nothing', []],
  ])('replays the body of %s, which is no text', async (path, bytes) => {
    await recordedFetch(fetch, file, { mode: 'record' })(url + path);

    const again = await recordedFetch(unreachable, file)(url + path);

    expect([...new Uint8Array(await again.arrayBuffer())]).toEqual(bytes);
  });

  it('gives equal requests the recorded answers one after another, in whatever order of others', async () => {
    const record = recordedFetch(fetch, file, { mode: 'record' });
    for (const path of ['/a', '/b', '/a']) await record(url + path);

    const again = recordedFetch(unreachable, file);
    const times = await Promise.all(
      ['/b', '/a', '/a'].map(async (path) => (await (await again(url + path)).json()) as { times: number }),
    );

    expect(times.map((one) => one.times)).toEqual([2, 1, 3]);
    again.assertDone();
    await expect(again(`${url}/a`)).rejects.toMatchObject({
      code: 'CASSETTE_MISS',
      message: expect.stringContaining('is recorded 2 times'),
    });
  });

  it('finds an answer by the body, without ids, times and the order of fields', async () => {
    const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
    const day = { at: '2026-11-28T09:15:00Z', order: 'A-17', id: '7b2f6a51-1f70-4dfe-a93b-08a53ef1b2c3' };
    const later = { id: '0190a6c0-5b1d-7c3e-9f2a-1b2c3d4e5f60', at: '2027-01-02T18:00:00Z', order: 'A-17' };
    await recordedFetch(fetch, file, { mode: 'record' })(url, post(day));
    const again = recordedFetch(unreachable, file);

    expect((await again(url, post(later))).status).toBe(200);
    await expect(again(url, post({ ...day, order: 'A-18' }))).rejects.toThrow(/-.*A-17[\s\S]*\+.*A-18/);
  });

  it('fails again where the server was not reached', async () => {
    await expect(recordedFetch(fetch, file, { mode: 'record' })(`${url}/gone`)).rejects.toThrow(
      'fetch failed',
    );

    await expect(recordedFetch(unreachable, file)(`${url}/gone`)).rejects.toThrow(
      new TypeError('fetch failed'),
    );
  });

  it('writes no headers of requests and no secrets', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-api-key': 'own-key' };
    await recordedFetch(fetch, file, { mode: 'record' })(`${url}/?key=${TOKEN}`, { headers });

    expect(readFileSync(file, 'utf8')).not.toMatch(/aaaaaaaa|own-key|a=b/);
    expect((await recordedFetch(unreachable, file)(`${url}/?key=${TOKEN}`)).status).toBe(200);
  });

  it('records nothing that was cancelled', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'));
    const record = recordedFetch(fetch, file, { mode: 'record' });

    await expect(record(url, { signal: cancelled })).rejects.toThrow('enough');

    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('asks anew and forgets what is no longer asked for, where it refreshes', async () => {
    const record = recordedFetch(fetch, file, { mode: 'record' });
    await record(`${url}/a`);
    await record(`${url}/b`);

    await recordedFetch(fetch, file, { mode: 'refresh' })(`${url}/a`);

    expect(asked).toEqual(['GET /a', 'GET /b', 'GET /a']);
    await expect(recordedFetch(unreachable, file)(`${url}/b`)).rejects.toThrow('is not recorded');
  });

  it('says what was not asked for', async () => {
    await recordedFetch(fetch, file, { mode: 'record' })(`${url}/a`);

    expect(() => {
      recordedFetch(unreachable, file).assertDone();
    }).toThrow('1 of 1 exchanges recorded');
  });

  it.each([
    ['no fetch', () => recordedFetch({} as never, file), 'Pass a fetch.'],
    ['a misspelt option', () => recordedFetch(fetch, file, { secret: [] } as never), 'Did you mean secrets?'],
    ['an empty path', () => recordedFetch(fetch, ''), 'recordedFetch cannot be used: its file is'],
  ])('refuses %s', (_what, make, words) => {
    expect(make).toThrow(words);
  });

  it.each([
    [{ cassette: 1, exchanges: [] }, 'has no list of requests'],
    [{ cassette: 1, requests: [{ request: {} }] }, 'request 0 has neither an answer nor a failure'],
    [{ cassette: 1, requests: [null] }, 'request 0 has neither'],
  ])('refuses the file %j', (content, words) => {
    writeFileSync(file, JSON.stringify(content));

    expect(() => recordedFetch(fetch, file)).toThrow(words);
  });
});

function unreachable(): Promise<Response> {
  return Promise.reject(new Error('A replay asks nobody.'));
}
