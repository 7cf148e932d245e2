import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGeminiEmulator } from './provider-emulators.js';
import { readHttprr } from './read-httprr.js';
import { readLoneAnswer } from './read-lone-answer.js';
import { readReplay } from './read-replay.js';

const REQUEST =
  'POST https://generativelanguage.googleapis.com/v1beta/models/m:generateContent HTTP/1.1\r\n' +
  'Host: generativelanguage.googleapis.com\r\n\r\n{"contents":[{"parts":[{"text":"hé"}]}]}';
const RESPONSE =
  'HTTP/2.0 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nVary: Origin\r\n\r\n{ "candidates": ["ü"] }\n';

describe('recordings', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function file(name: string, content: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  it('reads every exchange of an httprr file, bodies byte for byte', async () => {
    const lengths = `${String(Buffer.byteLength(REQUEST))} ${String(Buffer.byteLength(RESPONSE))}\n`;
    const exchange = lengths + REQUEST + RESPONSE;

    const exchanges = await readHttprr(await file('two.httprr', `httprr trace v1\n${exchange}${exchange}`));

    expect(exchanges).toHaveLength(2);
    expect(exchanges[1]).toEqual({
      request: {
        method: 'POST',
        path: '/v1beta/models/m:generateContent',
        headers: { host: 'generativelanguage.googleapis.com' },
        body: { contents: [{ parts: [{ text: 'hé' }] }] },
      },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json; charset=UTF-8', vary: 'Origin' },
        body: Buffer.from('{ "candidates": ["ü"] }\n'),
        stream: false,
      },
    });
  });

  it('says what is wrong with a file that is no httprr trace', async () => {
    await expect(readHttprr(await file('a.httprr', '{}'))).rejects.toThrow(
      'it does not begin with "httprr trace v1"',
    );
    await expect(readHttprr(await file('b.httprr', 'httprr trace v1\n9 9\nabc'))).rejects.toThrow(
      'it ends in the middle of an exchange',
    );
  });

  it('reads the interactions of a replay', async () => {
    const path = await file(
      'replay.json',
      JSON.stringify({
        recordID: 'r',
        interactions: [
          {
            request: {
              method: 'POST',
              url: '/v1beta/models/m:generateContent',
              headers: {},
              bodySegments: [{ a: 1 }],
            },
            response: {
              statusCode: 200,
              headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
              bodySegments: [{ candidates: [] }],
            },
          },
        ],
      }),
    );

    expect(await readReplay(path)).toEqual([
      {
        request: { method: 'POST', path: '/v1beta/models/m:generateContent', headers: {}, body: { a: 1 } },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          body: Buffer.from('{"candidates":[]}'),
          stream: false,
        },
      },
    ]);
    await expect(readReplay(await file('no.json', '[]'))).rejects.toThrow('it has no list of interactions');
  });

  it.each([
    [null, 'text/event-stream'],
    [undefined, 'text/event-stream'],
    [[], 'application/json'],
    [null, 'application/json'],
  ])('reads a replayed answer whose body is empty (%j, %s)', async (bodySegments, type) => {
    const request = {
      method: 'POST',
      url: '/v1beta/models/m:streamGenerateContent',
      headers: null,
      bodySegments,
    };
    const response = { statusCode: 200, headers: { 'Content-Type': type }, bodySegments };

    expect(
      await readReplay(await file('r.json', JSON.stringify({ interactions: [{ request, response }] }))),
    ).toEqual([
      {
        request: { method: 'POST', path: request.url, headers: {}, body: undefined },
        response: {
          status: 200,
          headers: { 'content-type': type },
          body: Buffer.alloc(0),
          stream: type === 'text/event-stream',
        },
      },
    ]);
  });

  it.each([
    [null, 'interactions[0] has no request with a method and a url'],
    [{ request: { url: '/', method: 'POST' } }, 'interactions[0] has no response with a statusCode'],
    [
      { request: { url: '/', method: 'POST' }, response: { statusCode: 200, bodySegments: 'x' } },
      'interactions[0] has a response whose bodySegments are no list',
    ],
  ])('names the interaction of a replay that is none (%j)', async (interaction, fault) => {
    const path = await file('r.json', JSON.stringify({ interactions: [interaction] }));

    await expect(readReplay(path)).rejects.toThrow(fault);
  });

  it('takes the status of a lone answer from the error it holds', async () => {
    const refusal = await readLoneAnswer(await file('no.json', '{"error":{"code":403}}'));
    const events = await readLoneAnswer(await file('yes.txt', 'data: {}\r\n\r\n'));

    expect(refusal).toMatchObject([{ response: { status: 403, stream: false } }]);
    expect(events).toMatchObject([
      { response: { status: 200, stream: true, headers: { 'content-type': 'text/event-stream' } } },
    ]);
  });

  it('are served byte for byte, without what belongs to the old connection', async () => {
    const path = await file('events.txt', 'data: {"candidates": []}\r\n\r\n \n');
    const [exchange] = await readLoneAnswer(path);
    if (exchange === undefined) throw new Error('nothing was read');
    const headers = { ...exchange.response.headers, 'content-encoding': 'gzip', 'content-length': '1' };
    await using emulator = await startGeminiEmulator([{ response: { ...exchange.response, headers } }]);

    const answer = await fetch(`${emulator.url}/v1beta/models/m:streamGenerateContent?alt=sse`, {
      method: 'POST',
      body: '{}',
    });

    expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(path));
  });

  const fixtures = join(process.env['ADORN_FIXTURES'] ?? '../shared/fixtures', 'gemini-wire');
  (existsSync(fixtures) ? it : it.skip)(
    'of other projects are all read (skipped where there are none)',
    async () => {
      const names = await readdir(fixtures, { recursive: true });
      const traces = names.filter((name) => name.endsWith('.httprr'));
      const replays = names.filter((name) => name.startsWith('js-genai/'));

      const exchanges = await Promise.all([
        ...traces.map((name) => readHttprr(join(fixtures, name))),
        ...replays.map((name) => readReplay(join(fixtures, name))),
      ]);

      expect(exchanges.flat().length).toBeGreaterThanOrEqual(traces.length + replays.length);
      for (const { request, response } of exchanges.flat()) {
        expect(request?.path).toMatch(/:(generateContent|streamGenerateContent)/);
        expect(request?.body).toHaveProperty('contents');
        expect(response.body.length).toBeGreaterThan(0);
      }
    },
  );
});
