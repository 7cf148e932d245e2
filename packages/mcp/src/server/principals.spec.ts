import { FunctionTool } from '@adorn/core';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { type McpServing, serveMcp } from './serve-mcp.js';
import { newClient, told } from './served.fixture.js';

const PEOPLE: Readonly<Record<string, object | string>> = {
  ada: { id: 'ada', tenant: 'acme' },
  mia: { id: 'mia', roles: ['manager'], tenant: 'acme', attributes: { team: 'books' } },
  agent: { id: 'bot', userId: 'ada', roles: ['manager'], tenant: 'acme' },
  nameless: { roles: ['manager'] },
  broken: { id: 'mia', roles: 'manager' },
};

const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  confirm: true,
  parameters: { type: 'object', properties: {} },
  approvers: { role: 'manager', self: true },
  run: (_args, { requester, confirmation }) => [requester, confirmation?.by],
});

describe('a principal that calls over MCP', () => {
  let serving: McpServing;
  const clients: Client[] = [];

  beforeAll(async () => {
    const logger = { debug: silent, info: silent, warn: silent, error: silent };
    const authenticate = ({ headers }: { headers: object }) =>
      PEOPLE[(headers as { user?: string }).user ?? ''];
    serving = await serveMcp([pay], { http: { authenticate }, logger });
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    await serving.close();
  });

  it('is the requester with its roles and tenant, and answers with them', async () => {
    const [text] = told(await (await connect('mia')).callTool({ name: 'pay', arguments: {} }));
    const mia = { id: 'mia', roles: ['manager'], tenant: 'acme', attributes: { team: 'books' } };
    expect(JSON.parse(String(text))).toEqual([mia, 'mia']);
    const refused = told(await (await connect('ada')).callTool({ name: 'pay', arguments: {} }));
    expect(refused[0]).toBe('error');
  });

  it('does the same without a session', async () => {
    const asked = await post('mia', {});
    expect(asked.status).toBe(200);
    const { requestState } = asked.result;
    const done = await post('mia', {
      requestState,
      inputResponses: { confirmation: { action: 'accept', content: { approve: true } } },
    });
    const [[requester, by]] = [
      JSON.parse(String(done.result.content?.[0]?.text)) as [{ id: string }, string],
    ];
    expect([requester, by]).toEqual([expect.objectContaining({ id: 'mia', tenant: 'acme' }), 'mia']);
  });

  it('cannot go on with the session of somebody else who acts for the same user', async () => {
    const client = await connect('ada');
    const { sessionId = '' } = client.transport as StreamableHTTPClientTransport;
    const headers = { user: 'agent', 'mcp-session-id': sessionId };
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)).status).toBe(404);
  });

  it.each(['nameless', 'broken', 'nobody'])('is refused if it is %s', async (user) => {
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { user })).status).toBe(401);
  });

  async function connect(user: string): Promise<Client> {
    const client = newClient(() => ({ action: 'accept', content: { approve: true } }));
    const options = { requestInit: { headers: { user } } };
    await client.connect(new StreamableHTTPClientTransport(new URL(serving.url ?? ''), options));
    clients.push(client);
    return client;
  }

  async function post(user: string, more: object) {
    const headers = {
      user,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pay',
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const params = { name: 'pay', arguments: {}, _meta, ...more };
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    const json = (await response.json()) as { result: Stateless };
    return { status: response.status, result: json.result };
  }

  function send(body: object, headers: Record<string, string>): Promise<Response> {
    return fetch(serving.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }
});

interface Stateless {
  readonly requestState?: string;
  readonly content?: readonly { readonly text?: string }[];
}

function silent(): void {
  // Refusals are logged.
}
