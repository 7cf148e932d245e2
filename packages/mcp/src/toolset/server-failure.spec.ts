import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callsTool, says } from '@adorn/testing';

import { listTools, respond, startRunner } from './agent.fixture.js';
import { FixtureHttpServer } from './http-server.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import { argsOf, serverProgram } from './stdio-server.fixture.js';

const EXIT = 'console.error("one\\ntwo\\nKEY is not set"); process.stderr.write("Bye."); process.exit(3)';

describe('the failure of a server', () => {
  it.each([
    [
      { command: 'no-such-program-of-mcp x' },
      'The MCP server no-such-program-of-mcp x is not available: spawn no-such-program-of-mcp x ENOENT. Install the ' +
        'program, or correct command; its arguments belong into args.',
    ],
    [
      { command: process.execPath, args: ['-e', EXIT], name: 'shop' },
      'The MCP server shop is not available: it has exited with code 3 and said "two | KEY is not set | Bye.". Correct the ' +
        'command, its arguments or its environment.',
    ],
    [
      { command: process.execPath, args: ['/no/such/server.js'], name: 'shop' },
      "it has exited with code 1 and said \"Error: Cannot find module '/no/such/server.js'",
    ],
    [
      { command: process.execPath, args: ['-e', 'process.exit(0)'], name: 'shop' },
      'The MCP server shop is not available: it has exited with code 0. Run the command at a terminal to see why.',
    ],
    [
      { url: 'http://no-such-host.invalid/mcp' },
      /is not available: getaddrinfo \w+ no-such-host.invalid. Check/,
    ],
  ])('that cannot be reached names it, the cause and the cure: %j', async (options, message) => {
    await expect(listTools(mcpToolset(options))).rejects.toMatchObject({
      code: 'MCP_SERVER_UNAVAILABLE',
      message:
        typeof message === 'string'
          ? (expect.stringContaining(message) as unknown)
          : (expect.stringMatching(message) as unknown),
    });
  });

  it.each<[string, RequestListener, string]>([
    [
      'asks for a credential',
      (_request, response) => response.writeHead(401).end('token missing'),
      'it asks for a credential (HTTP 401). Pass auth:',
    ],
    [
      'forbids',
      (_request, response) => response.writeHead(403).end(),
      'it refused the credential, or the lack of one (HTTP 403). Pass auth:',
    ],
    [
      'redirects',
      ({ headers }, response) =>
        response.writeHead(308, { location: `//${String(headers.host)}/mcp/?key=secret` }).end(),
      '/mcp/. Write that URL, if it is the one of the server.',
    ],
    [
      'is elsewhere',
      (_request, response) => response.writeHead(404).end('Cannot POST /mcp'),
      'it answered with HTTP 404 Not Found: Cannot POST /mcp, and opened no stream of events (SSE) either. Correct the path',
    ],
    [
      'is broken',
      (_request, response) => response.writeHead(500).end(),
      'it answered with HTTP 500 Internal Server Error. Read the log',
    ],
    [
      'is a web page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'Unexpected content type: text/html. Correct the URL',
    ],
  ])('over HTTP that %s says so', async (_what, answer, message) => {
    const [url, server] = await serve(answer);

    await expect(listTools(mcpToolset({ url }))).rejects.toMatchObject({
      code: 'MCP_SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /^The MCP server http:\/\/127.0.0.1:\d+\/mcp is not available: .*\.$/,
      ) as unknown,
    });
    await expect(listTools(mcpToolset({ url }))).rejects.toThrow(message);
    server.closeAllConnections();
    server.close();
  });

  it('over HTTP that nobody listens for says so', async () => {
    const [url, server] = await serve(() => undefined);
    await new Promise((resolve) => server.close(resolve));

    await expect(listTools(mcpToolset({ url }))).rejects.toThrow(
      `${url} is not available: connect ECONNREFUSED ${new URL(url).host}. Check that it runs`,
    );
  });

  it('is told by the event of its toolset in the same words', async () => {
    const options = { command: process.execPath, args: ['-e', EXIT], name: 'shop' };
    const { runner, run } = await startRunner([mcpToolset(options)], [says('Without.')]);

    const { events } = await run();

    expect(JSON.stringify(events)).toContain(
      'it has exited with code 3 and said \\"two | KEY is not set | Bye.',
    );
    await runner.close();
  });

  it('names how its program ended during a call', async () => {
    const program = serverProgram({ die: {} }).replace(
      'echo: (',
      'die: () => { console.error("out of memory"); process.exit(9); }, echo: (',
    );

    const responses = await respond(
      [mcpToolset({ command: process.execPath, args: argsOf(program), name: 'shop' })],
      [callsTool('die')],
    );

    expect(responses).toEqual([
      {
        error:
          'The MCP server shop did not answer the call, which may have taken effect: it has exited with code 9 and said ' +
          '"fixture server | out of memory".',
        outcome: 'unknown',
      },
    ]);
  });

  it('that refuses a call for want of a credential does not leave its outcome open', async () => {
    const server = await FixtureHttpServer.start({ echo: {} });
    const { runner, run } = await startRunner(
      [mcpToolset({ url: server.url, name: 'shop' })],
      [says('Hello.'), callsTool('echo'), says('Done.')],
    );
    await run();
    server.token = 'secret';

    const { events } = await run();

    expect(JSON.stringify(events)).toContain(
      'The MCP server shop refused the call: it asks for a credential (HTTP 401).',
    );
    expect(JSON.stringify(events)).not.toContain('unknown');
    await runner.close();
    await server.stop();
  });

  it('to list its tools is typed', async () => {
    const program = serverProgram().replace("method === 'tools/list'", "method === 'no'");
    const toolset = mcpToolset({ command: process.execPath, args: argsOf(program), name: 'shop' });

    await expect(listTools(toolset)).rejects.toMatchObject({
      code: 'MCP_REQUEST_FAILED',
      message:
        'The MCP server shop refused a request: it answered with the error -32601, Method not found. Read the log of the server.',
    });
    await toolset.close();
  });
});

async function serve(answer: RequestListener): Promise<[string, Server]> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return [`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`, server];
}
