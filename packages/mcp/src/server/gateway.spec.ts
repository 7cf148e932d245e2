import { mcpToolset } from '../toolset/mcp.toolset.js';
import { argsOf, type FixtureTools, serverProgram } from '../toolset/stdio-server.fixture.js';
import { serveTo, told } from './served.fixture.js';

const WRITES = { annotations: { destructiveHint: false } };

describe('a toolset of a server that is served again', () => {
  it('has the hints of the server', async () => {
    const { client, close } = await gateway({
      ...{ echo: { annotations: { readOnlyHint: true } }, pid: { annotations: { idempotentHint: true } } },
      ask: WRITES,
    });

    const { tools } = await client.listTools();

    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['echo', { readOnlyHint: true, destructiveHint: false }],
      ['pid', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
      ['ask', { readOnlyHint: false, destructiveHint: false }],
    ]);
    await close();
  });

  it('has the titles of the server, and what it says of its dealings with others', async () => {
    const { client, close } = await gateway({
      echo: { annotations: { readOnlyHint: true, openWorldHint: false, title: 'Echo' } },
      pid: { title: 'Process', annotations: { readOnlyHint: true, openWorldHint: true } },
    });

    const { tools } = await client.listTools();

    expect(tools.map(({ title, annotations }) => [title, annotations?.openWorldHint])).toEqual([
      ['Echo', false],
      ['Process', true],
    ]);
    await close();
  });

  it('tells its clients that the list of the server has changed', async () => {
    const { client, close } = await gateway({ change: WRITES }, undefined, { echo: WRITES });
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        resolve();
      });
    });
    const before = await client.listTools();

    await client.callTool({ name: 'change', arguments: {} });
    await changed;

    const names = [before, await client.listTools()].map(({ tools }) => tools.map(({ name }) => name));
    expect(names).toEqual([['change'], ['echo']]);
    await close();
  });

  it.each<[object, object]>([
    [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { name: 'Ada' } },
    ],
    [{ action: 'decline' }, { action: 'decline' }],
  ])('has a question of the server put to the user of the client: %j', async (answer, received) => {
    const asked: unknown[] = [];
    const { client, close } = await gateway({ ask: WRITES }, (params) => {
      asked.push(params);
      return answer;
    });

    const result = await client.callTool({ name: 'ask', arguments: {} });

    expect(asked).toEqual([
      expect.objectContaining({
        message: 'The MCP server inner asks: Your name?',
        requestedSchema: expect.objectContaining({
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        }) as unknown,
      }),
    ]);
    expect(JSON.parse(String(told(result)[0]))).toEqual(received);
    await close();
  });

  it('leaves a question open that the user of the client does not answer', async () => {
    const { client, close } = await gateway({ ask: WRITES }, () => ({ action: 'cancel' }));

    expect(told(await client.callTool({ name: 'ask', arguments: {} }))).toEqual([
      'error',
      'The tool "ask" needs an answer of the user, and there is none.',
    ]);
    await close();
  });
});

function gateway(
  tools: FixtureTools,
  answer?: (params: Readonly<Record<string, unknown>>) => unknown,
  later?: FixtureTools,
) {
  const toolset = mcpToolset({
    ...{ command: process.execPath, args: argsOf(serverProgram(tools, later)), name: 'inner' },
    elicitation: true,
  });
  return serveTo([toolset], {}, answer);
}
