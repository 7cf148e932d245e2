import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import type { Check } from '@adorn/conformance/check';
import {
  type AuthConfig,
  ContainerModule,
  createRunner,
  defineAgent,
  defineTool,
  Logger,
  type PendingRequest,
  type ToolContext,
} from '@adorn/core';
import { oauth } from '@adorn/oauth';
import { serve } from '@adorn/server';
import { TelemetryPlugin } from '@adorn/telemetry';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Secrets that a user, the application and its provider hand over. None may be seen again. */
const SECRETS = {
  'the key of a user': 'canary-key-1f6a',
  'the token of a user': 'canary-token-99c2',
  'the secret of the client': 'canary-client-74be',
  'the code of a consent': 'canary-code-c0de',
  'the access token': 'canary-access-3d1b',
  'the refresh token': 'canary-refresh-58aa',
} as const;

const API_KEY: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };
const BEARER: AuthConfig = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' };
const JSON_TYPE = { 'content-type': 'application/json' };
const SESSION = '/adorn/apps/vault/sessions/s1';

/** What clients and developers read after the credentials were used. */
const READS = [
  ...[
    SESSION,
    `${SESSION}/requests`,
    `${SESSION}/artifacts`,
    `${SESSION}/export`,
    '/adorn/apps/vault/sessions',
  ],
  ...['/adorn/apps/vault/tools', '/adorn/apps/vault/graph', '/adorn/apps/vault/ui-messages/s1'],
  ...['/adorn/apps/vault/ag-ui/s1', '/apps/vault/users/ada/sessions/s1', '/apps/vault/users/ada/sessions'],
  ...['/debug/trace/session/s1', '/dev/apps/vault/debug/trace/session/s1', '/dev/apps/vault/build_graph'],
];

/** Hands credentials to tools of a server that listens, and looks for them in all that it says, logs, traces and stores. */
export async function secretsOfTools(): Promise<Check[]> {
  await using endpoint = await TokenEndpoint.open();
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  const said: [string, string][] = [];
  try {
    await using vault = await openVault(endpoint.url, (line) => said.push(['the log', line]));
    for (const message of ['key', 'token', 'consent']) said.push(...(await vault.handOver(message)));
    for (const path of READS)
      for (const user of ['ada', 'dev']) said.push([`GET ${path} as ${user}`, await vault.read(path, user)]);
    said.push(['the store', JSON.stringify(await vault.stored())]);
  } finally {
    trace.disable();
  }
  said.push([
    'the spans',
    JSON.stringify(
      spans
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    ),
  ]);
  return [
    { what: 'each tool got its credential', fault: usesOf(said) },
    ...said.map(([what, text]) => ({ what, fault: faultOf(text) })),
  ];
}

/** A tool without its credential would prove nothing. */
function usesOf(said: readonly [string, string][]): string | undefined {
  const [, store = ''] = said.find(([what]) => what === 'the store') ?? [];
  const missing = ['key', 'token', 'consent'].filter((tool) => !store.includes(`used-${tool}`));
  return missing.length === 0 ? undefined : `not used: ${missing.join()}`;
}

function faultOf(text: string): string | undefined {
  const [found] = Object.entries(SECRETS).filter(([, secret]) => text.includes(secret));
  return (
    found &&
    `${found[0]} is in ${text.slice(Math.max(0, text.indexOf(found[1]) - 80), text.indexOf(found[1]) + 40)}`
  );
}

async function openVault(tokenUrl: string, log: (line: string) => void) {
  const consent: AuthConfig = {
    scheme: {
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl: `${tokenUrl}/auth`, tokenUrl, scopes: {} } },
    },
    credential: {
      type: 'oauthClient',
      clientId: 'vault',
      clientSecret: SECRETS['the secret of the client'],
      redirectUri: 'http://127.0.0.1:1/',
    },
  };
  const tools = [careless('key', API_KEY), careless('token', BEARER), careless('consent', consent)];
  const agent = defineAgent({ name: 'vault', description: 'Vault.', model: 'scripted', tools });
  const steps = ['key', 'token', 'consent'].flatMap((name) => [callsTool(name), says('Done.')]);
  const write = (message: string, facts?: object): void => {
    log(`${message} ${inspect(facts, { depth: 10 })}`);
  };
  const logger = { debug: write, info: write, warn: write, error: write };
  const logs = new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger));
  const runner = await createRunner(agent, {
    model: new ScriptedModel(...steps),
    modules: [oauth(), logs],
    plugins: [new TelemetryPlugin({ contents: true })],
  });
  const authenticate = ({ headers }: Request) => {
    const user = headers.get('x-user') ?? undefined;
    return user === 'dev' ? { userId: 'ada', isDeveloper: true } : user;
  };
  const server = await serve(runner, { port: 0, page: false, authenticate, logger });
  const key = { appName: 'vault', userId: 'ada', sessionId: 's1' };
  await runner.sessions.createSession(key);
  const send = async (path: string, body: object): Promise<string> => {
    const headers = { ...JSON_TYPE, 'x-user': 'ada' };
    return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  };
  return {
    /** Asks for a tool, and supplies its credential. */
    handOver: async (tool: string): Promise<[string, string][]> => {
      const asked = await send(`${SESSION}/runs`, { message: tool });
      const [request] = await runner.pending({ userId: 'ada', sessionId: 's1' });
      const path = `${SESSION}/requests/${encodeURIComponent(request?.id ?? '')}`;
      const answered = await send(path, { decision: 'supply', value: valueFor(tool, request) });
      return [
        [`the run that asks for ${tool}`, asked],
        [`the run that uses ${tool}`, answered],
      ];
    },
    read: async (path: string, user: string): Promise<string> =>
      (await fetch(server.url + path, { headers: { 'x-user': user } })).text(),
    stored: () => runner.sessions.getSession(key),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await server.close();
      await runner.close();
    },
  };
}

/** A tool that hands its credential on: in its state, and in its result or its error. */
function careless(name: string, auth: AuthConfig) {
  return defineTool({
    name,
    description: 'Uses a credential.',
    effect: 'read',
    auth,
    exposeErrors: true,
    parameters: { type: 'object', properties: {} },
    run: (_args: object, { credential, state }: ToolContext) => {
      state.set(`used-${name}`, { credential });
      if (name === 'token') throw new Error(`refused: ${SECRETS['the token of a user']}`);
      return { credential };
    },
  });
}

/** What a person supplies for a tool. */
function valueFor(tool: string, request: PendingRequest | undefined): unknown {
  if (tool === 'key') return SECRETS['the key of a user'];
  if (tool === 'token') return { type: 'bearer', token: SECRETS['the token of a user'] };
  const { state } = request?.authConfig?.exchangedAuthCredential?.oauth2 ?? {};
  return { code: SECRETS['the code of a consent'], state };
}

/** The endpoint of a provider that exchanges every code. */
class TokenEndpoint implements AsyncDisposable {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async open(): Promise<TokenEndpoint> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://localhost:${String((server.address() as AddressInfo).port)}/token`;
    server.on('request', (_request, response: ServerResponse) => {
      const token = {
        access_token: SECRETS['the access token'],
        refresh_token: SECRETS['the refresh token'],
        token_type: 'Bearer',
        expires_in: 300,
      };
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(token));
    });
    return new TokenEndpoint(url, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
