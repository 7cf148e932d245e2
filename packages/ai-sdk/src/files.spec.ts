import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGroq } from '@ai-sdk/groq';
import type { Content, Part } from '@adorn/core';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkModelOptions } from './ai-sdk-options.js';
import type { AiSdkLanguageModel } from './specification.js';
import { RecordingServer } from './vendors.fixture.js';
import { ask } from './wires.fixture.js';

const PNG = 'iVBORw0KGgo=';
const PDF: Part = {
  inlineData: { data: 'JVBERi0xLjQ=', mimeType: 'application/pdf', displayName: 'report.pdf' },
};
const apiKey = 'test-key-0123456789';
const TOOLS = [{ functionDeclarations: [{ name: 'draw' }, { name: 'scan' }] }];
const OLDER: readonly Content[] = [
  { role: 'model', parts: [{ text: 'Seen.' }] },
  { role: 'user', parts: [{ text: 'And now?' }] },
];

const groq = (baseURL: string): AiSdkLanguageModel => createGroq({ baseURL, apiKey })('llama-4-scout');
const anthropic = (baseURL: string): AiSdkLanguageModel =>
  createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5');
const bedrock = (baseURL: string): AiSdkLanguageModel =>
  createAmazonBedrock({ baseURL, region: 'r', accessKeyId: 'a', secretAccessKey: 'b' })(
    'us.amazon.nova-lite-v1:0',
  );

let url: string;
let downloads: string[];
const files = createServer((request, response) => {
  downloads.push(request.url ?? '');
  const [status, type] = request.url?.startsWith('/login') === true ? [200, 'text/html'] : [200, 'image/png'];
  response.writeHead(request.url === '/gone.png' ? 404 : status, { 'content-type': type });
  response.end(Buffer.from(PNG, 'base64'));
});

beforeAll(async () => {
  await once(files.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  downloads = [];
});
afterAll(() => {
  files.close();
});

describe('a file at a URL', () => {
  it('is downloaded and sent in the request where the provider does not read URLs, once for all turns', async () => {
    const sent = await requests(bedrock, [
      [said({ fileData: { fileUri: `${url}/a.png`, mimeType: 'image/png' } })],
      'and again',
    ]);

    expect(sent).toEqual([expect.stringContaining(PNG), expect.stringContaining(PNG)]);
    expect(downloads).toEqual(['/a.png']);
  });

  it('is left to the provider where it reads URLs', async () => {
    const [sent] = await requests(anthropic, [
      [said({ fileData: { fileUri: `${url}/a.png`, mimeType: 'image/png' } })],
    ]);

    expect(sent).toContain(`${url}/a.png`);
    expect(downloads).toEqual([]);
  });

  it('in the result of a tool is downloaded too', async () => {
    const parts = [{ fileData: { fileUri: `${url}/a.png`, mimeType: 'image/png' } }];
    const [sent] = await requests(bedrock, [
      [
        { role: 'user', parts: [{ text: 'Draw' }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'draw', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'draw', response: {}, parts } }] },
      ],
    ]);

    expect(sent).toContain(PNG);
  });

  it.each([
    ['/gone.png', 'its server answered with HTTP 404'],
    ['/login?token=secret', 'its server sent text/html instead of image/png'],
  ])('that cannot be read is told by its name, without its query (%s)', async (path, reason) => {
    const file = said({ fileData: { fileUri: `${url}${path}`, mimeType: 'image/png' } });
    const name = path.slice(1).replace(/\?.*/, '');

    await expect(requests(bedrock, [[file]])).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining(`with the file ${name}: ${reason}.`) as unknown,
    });
    const [sent] = await requests(bedrock, [[file, ...OLDER]]);
    expect(sent).toContain(`[The file ${name} is left out: ${reason}.]`);
    expect(sent).not.toContain('secret');
  });

  it('is not downloaded from a private address, nor beyond the limit, nor where that is switched off', async () => {
    const history = [said({ fileData: { fileUri: `${url}/a.png`, mimeType: 'image/png' } }), ...OLDER];
    const [guarded] = await requests(bedrock, [history], {});
    const [large] = await requests(bedrock, [history], {
      downloads: { privateHosts: ['127.0.0.1'], maxBytes: 4 },
    });
    const [off] = await requests(bedrock, [history], { downloads: false });

    expect(guarded).toMatch(/The file a\.png is left out: .*private/);
    expect(large).toContain('The file a.png is left out: ');
    expect(off).toContain('it is not downloaded');
    expect(downloads).toEqual(['/a.png']);
  });
});

describe('a file that the provider does not take', () => {
  it('is refused in the newest message, so that a fallback can get it', async () => {
    await expect(requests(groq, [[said(PDF)]])).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message:
        'Model "llama-4-scout" cannot be called with the file report.pdf: the model takes no files of type ' +
        'application/pdf. Send the file in another form, or use a model that takes it, such as by fallbackModel.',
    });
  });

  it('is a text in an older message, and the log says so once', async () => {
    const logged: unknown[] = [];
    const sent = await requests(groq, [[said(PDF), ...OLDER], 'and again'], {}, logged);

    for (const body of sent)
      expect(body).toContain(
        '[The file report.pdf is left out: the model takes no files of type application/pdf.]',
      );
    expect(logged).toEqual([
      {
        model: 'llama-4-scout',
        file: 'report.pdf',
        reason: 'the model takes no files of type application/pdf',
      },
    ]);
  });

  it('is told in the result of a tool, with what the tool said', async () => {
    const functionResponse = { id: 'a', name: 'scan', response: { pages: 2 }, parts: [PDF] };
    const [sent] = await requests(groq, [
      [
        { role: 'user', parts: [{ text: 'Scan' }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'scan', args: {} } }] },
        { role: 'user', parts: [{ functionResponse }] },
      ],
    ]);

    expect(sent).toContain('report.pdf is left out');
    expect(sent).toContain('pages');
  });
});

function said(part: Part): Content {
  return { role: 'user', parts: [{ text: 'What is this?' }, part] };
}

/** The bodies that a provider gets for histories, one after the other; a text continues the one before. */
async function requests(
  create: (baseURL: string) => AiSdkLanguageModel,
  histories: readonly (readonly Content[] | string)[],
  options: AiSdkModelOptions = { downloads: { privateHosts: ['127.0.0.1'] } },
  logged: unknown[] = [],
): Promise<string[]> {
  await using server = await RecordingServer.start();
  const model = new AiSdkModel(create(server.url), { ...options, retry: { attempts: 1 } });
  const warn = (_text: string, fields: unknown): void => void logged.push(fields);
  const logger = { debug: warn, info: warn, warn, error: warn };
  let contents: readonly Content[] = [];
  for (const history of histories) {
    contents =
      typeof history === 'string'
        ? [
            ...contents,
            { role: 'model', parts: [{ text: 'Yes.' }] },
            { role: 'user', parts: [{ text: history }] },
          ]
        : history;
    const error: unknown = await ask(model, { contents, logger, config: { tools: TOOLS } }).catch(
      (thrown: unknown) => thrown,
    );
    if ((error as { status?: number }).status !== 400) throw error;
  }
  return server.bodies;
}
