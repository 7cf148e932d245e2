import type { PendingRequest, Runner, RunResult } from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { responsesIn, type ScriptedRunner, startRunner } from '../toolset/agent.fixture.js';
import { FixtureHttpServer } from '../toolset/http-server.fixture.js';
import { mcpToolset } from '../toolset/mcp.toolset.js';
import { FixtureAuthorizationServer } from './authorization-server.fixture.js';
import { mcpOAuth } from './mcp-oauth.js';
import type { McpOAuthOptions } from './oauth-options.js';

const REDIRECT = 'https://app.example/back';

describe('S10 tokens for an MCP server', () => {
  let server: FixtureHttpServer;
  let issuer: FixtureAuthorizationServer;

  beforeEach(async () => {
    server = await FixtureHttpServer.start({ echo: {} });
    issuer = await FixtureAuthorizationServer.start();
    server.issuer = issuer.issuer;
    server.token = 'secret-token-1';
  });

  afterEach(async () => {
    await server.stop();
    await issuer.stop();
  });

  it('are obtained by the consent of each user, for the server alone, and enter no event and no log', async () => {
    const started = await start();
    const { runner, run, log } = started;

    const { pending } = await run();
    const answered = await consent(runner, pending);
    const other = await run('bob');

    expect(responsesIn(answered)).toContainEqual({ result: 'hi' });
    expect(other.pending.map(({ kind }) => kind)).toEqual(['credential']);
    const [request] = issuer.tokenRequests;
    expect([request?.get('resource'), request?.get('code_verifier')?.length]).toEqual([server.url, 43]);
    const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
    expect(JSON.stringify([session?.events, session?.state, answered.events, log.lines])).not.toMatch(
      /secret-/,
    );
    await runner.close();
  });

  it('are not asked of an authorization server that the MCP server names in place of the expected one', async () => {
    const own = await FixtureAuthorizationServer.start();
    server.issuer = own.issuer;
    const { runner, run } = await start({ issuer: issuer.issuer, privateHosts: ['127.0.0.1'] });

    const { pending, events } = await run();

    expect(pending).toEqual([]);
    expect(own.requests.filter((one) => !one.startsWith('GET /.well-known/'))).toEqual([]);
    expect(issuer.requests).toEqual([]);
    expect(JSON.stringify(events)).toContain('names the authorization server');
    await runner.close();
    await own.stop();
  });

  it.each([
    ['a metadata service', 'http://169.254.169.254'],
    ['a private address', 'http://10.0.0.1'],
    ['an address of this machine in another notation', 'http://[::ffff:7f00:1]:1'],
  ])('are not asked of %s, even where any issuer is trusted', async (_what, named) => {
    server.issuer = named;
    const { runner, run } = await start({ issuer: '*' });

    const { pending, status } = await run();

    expect([pending, status]).toEqual([[], expect.any(String)]);
    await runner.close();
  });

  it('are refreshed once they have expired, without asking anybody', async () => {
    issuer.lifetime = 1;
    const { runner, run } = await start({}, [
      ...[callsTool('echo', { message: 'hi' }), says('Done.')],
      ...[callsTool('echo', { message: 'again' }), says('Done.')],
    ]);
    const { pending } = await run();
    // The token counts as expired at once, and is refreshed for each request.
    server.token = undefined;
    await consent(runner, pending);

    const later = await run();

    expect(responsesIn(later)).toEqual([{ result: 'again' }]);
    expect(issuer.requests.at(-1)).toBe('POST /token refresh_token');
    await runner.close();
  });

  it('are kept apart by issuer and server', () => {
    const keys = [
      mcpOAuth({ url: 'https://a.example/mcp', issuer: 'https://one.example', redirectUri: REDIRECT }),
      mcpOAuth({ url: 'https://a.example/mcp', issuer: 'https://two.example', redirectUri: REDIRECT }),
      mcpOAuth({ url: 'https://b.example/mcp', issuer: 'https://one.example', redirectUri: REDIRECT }),
    ].map(({ auth }) => auth.key);

    expect(new Set(keys).size).toBe(3);
  });

  it.each<[string, Partial<McpOAuthOptions>, string]>([
    ['an issuer over http', { issuer: 'http://auth.example' }, 'issuer is not https'],
    ['no place to return to', { redirectUri: undefined }, 'redirectUri is absent'],
    ['an option that does not exist', { isuer: 'x' } as never, 'Did you mean issuer?'],
    [
      'access of its own from any issuer',
      { grant: 'clientCredentials', clientId: 'c', issuer: '*' },
      'issuer is "*"',
    ],
  ])('are not set up with %s', (_what, options, message) => {
    const given = {
      url: 'https://a.example/mcp',
      issuer: 'https://one.example',
      redirectUri: REDIRECT,
      ...options,
    };

    expect(() => mcpOAuth(given)).toThrow(message);
  });

  function start(
    options: Partial<McpOAuthOptions> = {},
    steps = [callsTool('echo', { message: 'hi' }), says('Done.')],
  ): Promise<ScriptedRunner> {
    const { auth, module } = mcpOAuth({
      url: server.url,
      issuer: issuer.issuer,
      redirectUri: REDIRECT,
      ...options,
    });
    return startRunner([mcpToolset({ url: server.url, auth })], steps, { modules: [module] });
  }
});

/** Consents as the user does, in a browser. */
async function consent(runner: Runner, [request]: readonly PendingRequest[]): Promise<RunResult> {
  if (request === undefined) throw new Error('nothing is pending');
  const page = request.authConfig?.exchangedAuthCredential?.oauth2.authUri ?? '';
  const { headers } = await fetch(page, { redirect: 'manual' });
  return runner.supply(request, headers.get('location') ?? '');
}
