import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callsTool, says } from '@adorn/testing';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';

import { namesIn, responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const READS = { readOnlyHint: true };

describe('a server of the revision of 2026-07-28, which keeps no session', () => {
  let handler: McpHttpHandler;
  let server: Server;
  let url: string;
  let tools: string[];
  let asked: number;

  beforeEach(async () => {
    tools = ['greet', 'ask'];
    asked = 0;
    handler = createMcpHandler(makeServer, { legacy: 'reject' });
    const handle = toNodeHandler(handler);
    server = createServer((request, response) => void handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  });

  afterEach(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is listed and called', async () => {
    const { runner, run, model } = await startRunner(
      [mcpToolset({ url })],
      [callsTool('greet', { name: 'Ada' }), says('Done.')],
    );

    expect(responsesIn(await run())).toEqual([{ result: 'Hello Ada.' }]);
    expect(namesIn(model)[0]).toEqual(['greet', 'ask']);
    await runner.close();
  });

  it.each([
    [{ name: 'Ada' }, 'Hello Ada.'],
    [null, 'Hello nobody.'],
  ])('has what it needs put to the user while the run waits: %j', async (answer, result) => {
    const { runner, run } = await startRunner(
      [mcpToolset({ url, elicitation: true })],
      [callsTool('ask'), says('Done.')],
    );

    const { pending } = await run();
    const end = await runner.supply(pending[0] ?? fail(), answer);

    expect(pending).toMatchObject([
      { kind: 'input', hint: expect.stringContaining('asks: Your name?') as unknown },
    ]);
    expect(responsesIn(end)).toContainEqual({ result });
    expect(asked).toBe(1);
    await runner.close();
  });

  it('says when its tools have changed', async () => {
    const toolset = mcpToolset({ url });
    const { runner, run, model } = await startRunner([toolset], [says('One.'), says('Two.')]);
    await run();
    tools.push('later');
    const changed = new Promise<void>((resolve) => {
      toolset.onChange(resolve);
    });
    const telling = setInterval(() => {
      handler.notify.toolsChanged();
    }, 20);

    await changed;
    clearInterval(telling);
    await run();

    expect(namesIn(model).at(-1)).toEqual(['greet', 'ask', 'later']);
    await runner.close();
  });

  function makeServer(): McpServer {
    const made = new McpServer(
      { name: 'modern', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    for (const name of tools)
      made.registerTool(
        name,
        {
          inputSchema:
            name === 'greet'
              ? fromJsonSchema<{ name: string }>(NAME)
              : fromJsonSchema<object>({ type: 'object' }),
          annotations: READS,
        },
        (args: object, { mcpReq: { inputResponses } }) => {
          const answer = inputResponses?.['name'] as
            { action: string; content?: { name: string } } | undefined;
          if (name === 'ask' && answer === undefined) {
            asked++;
            const question = inputRequired.elicit({ message: 'Your name?', requestedSchema: NAME as never });
            return inputRequired({ inputRequests: { name: question } });
          }
          const who = answer === undefined ? args : answer.content;
          return {
            content: [
              { type: 'text', text: `Hello ${(who as { name?: string } | undefined)?.name ?? 'nobody'}.` },
            ],
          };
        },
      );
    return made;
  }
});

function fail(): never {
  throw new Error('nothing is pending');
}
