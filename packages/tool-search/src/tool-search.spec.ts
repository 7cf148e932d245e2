import { Embedder, FunctionTool, type Tool } from '@adorn/core';
import { HashEmbedder } from '@adorn/testing';

import { fused } from './ranked-tool.js';
import { ToolSearch } from './tool-search.js';

const TOOLS = [
  made('createIssue', 'Open a new issue in a repository.', { repo: 'The repository.' }),
  made('list_pull_requests', 'Pull requests of a repository.', { state: 'Open, closed or merged.' }),
  made('getHTTPHeaders', 'Headers of a page.', {}),
  made('send_mail', 'Send an e-mail.', { recipient: 'Whom the message goes to.' }),
  made('会議を予約', '会議室を予約する。', {}),
  made('add', 'Add two numbers.', {}),
];

function made(name: string, description: string, parameters: Record<string, string>): Tool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, told]) => [key, { type: 'string', description: told }]),
  );
  return new FunctionTool({ name, description, parameters: { type: 'object', properties }, run: () => name });
}

const warnings: string[] = [];
const context = {
  logger: {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: () => undefined,
  },
};

async function namesFor(query: string, embedder?: Embedder, limit = 5): Promise<string[]> {
  const found = await new ToolSearch(embedder).find(query, TOOLS, { limit, context });
  return found.map(({ name }) => name);
}

/** Knows that a ticket is an issue. */
class Tickets extends Embedder {
  readonly name = 'tickets';
  readonly dimensions = 2;

  embed(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => (/ticket|issue/.test(text) ? [1, 0] : [0, 1])));
  }
}

describe('a search over tools', () => {
  it.each([
    ['create an issue', 'createIssue'],
    ['CREATEISSUE', 'createIssue'],
    ['pulling requests', 'list_pull_requests'],
    ['http header', 'getHTTPHeaders'],
    ['who is the recipient', 'send_mail'],
    ['merged', 'list_pull_requests'],
    ['会議室', '会議を予約'],
    ['add two numbers', 'add'],
  ])('finds by %s the tool %s', async (query, name) => {
    expect((await namesFor(query))[0]).toBe(name);
  });

  it.each([
    ['add', ['add']],
    ['send_mail, createIssue', ['send_mail', 'createIssue']],
  ])('finds by the names %s these tools first', async (query, names) => {
    expect((await namesFor(query)).slice(0, names.length)).toEqual(names);
  });

  it.each(['', '   ', 'the of and', '"*(', 'x'.repeat(100_000), '__proto__ constructor'])(
    'finds nothing by %j',
    async (query) => {
      expect(await namesFor(query)).toEqual([]);
    },
  );

  it('finds as many as asked for', async () => {
    expect(await namesFor('repository', undefined, 1)).toHaveLength(1);
  });

  it('finds by meaning what shares no word', async () => {
    expect(await namesFor('ticket')).toEqual([]);
    expect(await namesFor('ticket', new Tickets())).toEqual(['createIssue']);
    expect(await namesFor('ticket of a page', new Tickets())).toEqual(['getHTTPHeaders', 'createIssue']);
  });

  it('embeds each tool once', async () => {
    const embedder = new HashEmbedder();
    const search = new ToolSearch(embedder);
    await search.find('issue', TOOLS, { limit: 5, context });
    await search.find('mail', [...TOOLS], { limit: 5, context });

    expect(embedder.embedded).toHaveLength(TOOLS.length + 2);
  });

  it('goes on with words if the embedder fails', async () => {
    class Broken extends HashEmbedder {
      override embed(): Promise<number[][]> {
        return Promise.reject(new Error('down'));
      }
    }

    expect((await namesFor('issue', new Broken()))[0]).toBe('createIssue');
    expect(warnings).toEqual(['tools were searched by words alone, because the embedder has failed']);
  });

  it('counts words and meaning alike, also if all cosines of the embedder are near each other', async () => {
    class Narrow extends Tickets {
      override embed(texts: readonly string[]): Promise<number[][]> {
        return Promise.resolve(texts.map((text) => [1, /ticket|issue/.test(text) ? 0 : 0.1]));
      }
    }

    expect((await namesFor('repository of pages'))[0]).toBe('getHTTPHeaders');
    expect((await namesFor('repository of pages, ticket', new Narrow()))[0]).toBe('createIssue');
  });

  it('embeds of a tool its name in words, the beginning of its description, and the names of its parameters', async () => {
    const embedder = new HashEmbedder();
    const parameters = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`field${String(index)}`, 'Told.']),
    );
    const tool = made('getHTTPHeaders_of', 'x'.repeat(1_000), { pageUrl: 'Of the page.', ...parameters });
    await new ToolSearch(embedder).find('page', [tool], { limit: 5, context });

    const names = ['page url', ...Object.keys(parameters).slice(0, 19)].join(', ');
    expect(embedder.embedded[0]).toBe(`get http headers of. ${'x'.repeat(400)} ${names}`);
  });

  it('finds a tool of a server whose schema has null for the properties of a parameter', async () => {
    const filter = { type: 'object', properties: null };
    const parameters = { type: 'object', properties: { filter } };
    const tool = new FunctionTool({
      name: 'query',
      description: 'Query rows.',
      parameters,
      run: () => 'rows',
    });
    const search = new ToolSearch(new HashEmbedder());
    expect(await search.find('rows', [tool], { limit: 5, context })).toEqual([tool]);
  });

  it('fuses rankings so that what is in both comes first', () => {
    const [a, b, c, d] = TOOLS as [Tool, Tool, Tool, Tool];
    const words = [
      { tool: a, score: 1 },
      { tool: b, score: 0.9 },
      { tool: c, score: 0.2 },
    ];
    const meaning = [
      { tool: c, score: 1 },
      { tool: d, score: 0.5 },
    ];
    expect(fused([words, meaning])).toEqual([c, a, b, d]);
  });
});
