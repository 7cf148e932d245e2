import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  InMemorySessionService,
  type PendingRequest,
  type Runner,
  SessionService,
} from '@adorn/core';
import { codeMode } from '../tools/index.js';
import { mcpToolset } from '@adorn/mcp';
import { openApiToolset } from '@adorn/openapi';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { quickJs } from './quick-js.executor.js';

const address = { userId: 'ada', sessionId: 's1' };

const ORDER = `
const { left } = await count({ item: 'lamp' });
if (left < 2) return 'too few';
const order = await create_order({ body: { item: 'lamp', amount: 2 } });
const reserved = await reserve({ item: 'lamp', amount: 2 });
return { left, order, reserved, now: (await count({ item: 'lamp' })).left };`;

const CAREFUL = `
try {
  await create_order({ body: { item: 'lamp', amount: 2 } });
} catch (error) {
  return { refused: String(error), left: (await count({ item: 'lamp' })).left };
}`;

describe('the tools of an MCP server and of an OpenAPI document in codeMode', () => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await Shop.open();
  });

  afterEach(() => shop.close());

  it('are typed functions: a script pauses at each call that is to be confirmed, and others end it with each call made once', async () => {
    const model = await shop.ask(ORDER);
    const declared = JSON.stringify(model.requests[0]?.config.tools).replaceAll('\\n', '\n');
    expect(declared).toContain('declare function count(args: { item: string }): Promise<any>;');
    expect(declared).toContain(
      'declare function reserve(args: { item: string; amount: number }): Promise<any>;',
    );
    expect(declared).toContain(
      'declare function create_order(args: { body: { item: string; amount: number } }): Promise<any>;',
    );
    expect([shop.deeds(), shop.orders]).toEqual([['count lamp'], []]);

    const first = await shop.answer('create_order', true);
    expect(responseIn(first)).toBeUndefined();
    expect([shop.deeds(), shop.orders]).toEqual([['count lamp'], [{ item: 'lamp', amount: 2 }]]);

    const second = await shop.answer('reserve', true);
    expect(responseIn(second)).toEqual({
      outcome: 'OUTCOME_OK',
      output: '',
      result: { left: 5, order: { status: 200, body: { id: 1 } }, reserved: 'reserved 2 lamp', now: 3 },
    });
    expect(shop.deeds()).toEqual(['count lamp', 'reserve lamp', 'count lamp']);
    expect(shop.orders).toHaveLength(1);
  });

  it('throw a refusal in the script, which goes on without the call', async () => {
    await shop.ask(CAREFUL);
    const events = await shop.answer('create_order', false);

    expect(responseIn(events)).toMatchObject({
      outcome: 'OUTCOME_OK',
      result: { refused: expect.stringContaining('Error: ') as string, left: 5 },
    });
    expect([shop.deeds(), shop.orders]).toEqual([['count lamp'], []]);
  });
});

/** An order service over HTTP, a stock over MCP, and a conversation of which every step is made by another runner. */
class Shop {
  readonly orders: unknown[] = [];
  private readonly sessions = new InMemorySessionService();
  private readonly folder = mkdtempSync(join(tmpdir(), 'adorn-code-mode-'));
  private readonly executor = quickJs({ timeout: 10_000 });
  private readonly server: Server;
  private model = new ScriptedModel();

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.orders.push(JSON.parse(String(Buffer.concat(chunks))));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: this.orders.length }));
      });
    });
    writeFileSync(this.log, '');
  }

  static async open(): Promise<Shop> {
    const shop = new Shop();
    await once(shop.server.listen(0, '127.0.0.1'), 'listening');
    return shop;
  }

  /** What the MCP server was asked for, over all its processes. */
  deeds(): string[] {
    return readFileSync(this.log, 'utf8').trim().split('\n').filter(Boolean);
  }

  async ask(code: string): Promise<ScriptedModel> {
    this.model = new ScriptedModel(callsTool('run_script', { code }), says('Done.'));
    await using runner = await this.runner();
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    return this.model;
  }

  async answer(tool: string, yes: boolean) {
    await using runner = await this.runner();
    const requests = await runner.pending(address);
    expect(requests.map((request) => request.tool)).toEqual([tool]);
    const [request] = requests as [PendingRequest];
    return await eventsOf(yes ? runner.approve(request) : runner.reject(request));
  }

  async close(): Promise<void> {
    await this.executor.close();
    this.server.close();
    rmSync(this.folder, { recursive: true });
  }

  private get log(): string {
    return join(this.folder, 'deeds');
  }

  private runner(): Promise<Runner> {
    const stock = mcpToolset({
      command: process.execPath,
      args: ['--input-type=module', '-e', stockProgram(this.log)],
    });
    const { port } = this.server.address() as AddressInfo;
    const orders = openApiToolset(ORDERS, {
      baseUrl: `http://127.0.0.1:${String(port)}`,
      privateHosts: ['127.0.0.1'],
      confirm: true,
    });
    const clerk = defineAgent({
      name: 'clerk',
      model: this.model,
      tools: [codeMode(this.executor, { tools: [stock, orders] })],
    });
    const bindings = new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(this.sessions);
    });
    return createRunner(clerk, { modules: [bindings] });
  }
}

const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        summary: 'Orders an item.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { item: { type: 'string' }, amount: { type: 'integer' } },
                required: ['item', 'amount'],
              },
            },
          },
        },
        responses: { '200': { description: 'The order.' } },
      },
    },
  },
};

/** An MCP server of the official SDK, which notes its calls in a file that its processes share. */
function stockProgram(log: string): string {
  const { resolve } = createRequire(import.meta.url);
  const from = (specifier: string): string => JSON.stringify(pathToFileURL(resolve(specifier)).href);
  return `
import { appendFileSync, readFileSync } from 'node:fs';
import { McpServer } from ${from('@modelcontextprotocol/sdk/server/mcp.js')};
import { StdioServerTransport } from ${from('@modelcontextprotocol/sdk/server/stdio.js')};
import { z } from ${from('zod')};
const log = ${JSON.stringify(log)};
const server = new McpServer({ name: 'stock', version: '1' });
server.registerTool(
  'count',
  { description: 'Counts an item.', inputSchema: { item: z.string() }, outputSchema: { left: z.number() }, annotations: { readOnlyHint: true } },
  ({ item }) => {
    const left = 5 - 2 * readFileSync(log, 'utf8').split('reserve').slice(1).length;
    appendFileSync(log, 'count ' + item + '\\n');
    return { content: [], structuredContent: { left } };
  },
);
server.registerTool(
  'reserve',
  { description: 'Reserves an item.', inputSchema: { item: z.string(), amount: z.number() }, annotations: { destructiveHint: true } },
  ({ item, amount }) => {
    appendFileSync(log, 'reserve ' + item + '\\n');
    return { content: [{ type: 'text', text: 'reserved ' + amount + ' ' + item }] };
  },
);
await server.connect(new StdioServerTransport());
`;
}

/** The response to the script, once it has ended. */
function responseIn(events: Awaited<ReturnType<typeof eventsOf>>): unknown {
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return responses.findLast(({ name, willContinue }) => name === 'run_script' && willContinue !== true)
    ?.response;
}
