import { callsTool, callsTools, says } from '@adorn/testing';

import { namesIn, respond, responsesIn, startRunner } from './agent.fixture.js';
import { FixtureHttpServer } from './http-server.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import type { HttpToolsetOptions } from './mcp-toolset-options.js';

const TOOLS = Object.fromEntries(
  [
    'echo',
    'kill',
    'hang',
    'huge',
    'redirect',
    'broken',
    'garbage',
    'page',
    'flood',
    'refuse',
    'slow',
    'forget',
  ].map((name) => [name, {}]),
);

describe('a toolset of a server over HTTP', () => {
  let server: FixtureHttpServer;

  beforeEach(async () => {
    server = await FixtureHttpServer.start(TOOLS);
  });

  afterEach(() => server.stop());

  it('lists and calls its tools in one session, which it ends', async () => {
    const { runner, run, model } = await startRunner(
      [toolsetOf()],
      [
        callsTools({ name: 'echo', args: { message: 'a' } }, { name: 'echo', args: { message: 'b' } }),
        says('Done.'),
      ],
    );

    expect(responsesIn(await run())).toEqual([{ result: 'a' }, { result: 'b' }]);
    expect(namesIn(model)[0]).toEqual(Object.keys(TOOLS));
    expect([server.openSessions, server.requests.filter((name) => name === 'initialize').length]).toEqual([
      1, 1,
    ]);
    await runner.close();
    expect(server.openSessions).toBe(0);
  });

  it('begins a new session when the server has forgotten the old one, and runs the call once', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf()],
      [
        callsTool('echo', { message: 'a' }),
        says('Done.'),
        callsTool('echo', { message: 'b' }),
        says('Done.'),
      ],
    );
    await run();
    server.forgetSessions();

    expect(responsesIn(await run())).toEqual([{ result: 'b' }]);
    expect(server.openSessions).toBe(1);
    await runner.close();
  });

  it('sends a call once that the server answers with 400, and lets the others end', async () => {
    const responses = await respond([toolsetOf()], [callsTools({ name: 'slow' }, { name: 'refuse' })]);

    expect(responses).toMatchObject([{ result: 'slow' }, { outcome: 'unknown' }]);
    expect(server.requests.filter((one) => one === 'tools/call refuse')).toHaveLength(1);
    expect(server.requests.filter((one) => one === 'initialize')).toHaveLength(1);
  });

  it('lets the calls of a session end that the server has forgotten meanwhile', async () => {
    const responses = await respond([toolsetOf()], [callsTools({ name: 'slow' }, { name: 'forget' })]);

    expect(responses).toMatchObject([{ result: 'slow' }, {}]);
    expect(server.requests.filter((one) => one === 'tools/call slow')).toHaveLength(1);
  });

  it('reconnects to a server that was away, and offers the last list meanwhile', async () => {
    const { runner, run, model } = await startRunner(
      [toolsetOf()],
      [
        callsTool('echo', { message: 'a' }),
        says('Done.'),
        callsTool('echo', { message: 'b' }),
        says('Away.'),
        callsTool('echo', { message: 'c' }),
        says('Back.'),
      ],
    );
    await run();
    const { port } = server;
    await server.stop();

    const away = responsesIn(await run());
    server = await FixtureHttpServer.start(TOOLS, port);
    const back = responsesIn(await run());

    expect(away).toEqual([
      { error: expect.stringContaining('did not answer the call') as unknown, outcome: 'unknown' },
    ]);
    expect(back).toEqual([{ result: 'c' }]);
    expect(new Set(namesIn(model).map((names) => names.length))).toEqual(
      new Set([Object.keys(TOOLS).length]),
    );
    await runner.close();
  });

  it.each(['kill', 'huge', 'broken', 'garbage', 'page', 'flood'])(
    'answers a call once when the server does this to it: %s; and goes on',
    async (name) => {
      const responses = await respond(
        [toolsetOf({ maxMessageBytes: 1_000_000, timeout: 2_000 })],
        [callsTool(name), callsTool('echo', { message: 'on' })],
      );

      expect(responses).toEqual([
        { error: expect.any(String) as unknown, outcome: 'unknown' },
        { result: 'on' },
      ]);
      expect(server.requests.filter((one) => one === `tools/call ${name}`)).toHaveLength(1);
    },
  );

  it.each<[string, string]>([
    ['end', 'its stream ended without an answer'],
    ['resume', 'its stream ended without an answer'],
    ['nullEvent', 'its stream ended without an answer'],
    ['accepted', 'it took the request (HTTP 202) and gives no answer'],
    ['null', 'its answer is no message of the protocol'],
  ])('fails a call at once that the server will never answer: %s', async (name, reason) => {
    const annotations = { readOnlyHint: true };
    server.tools = { [name]: {}, echo: {} };
    const write = await respond([toolsetOf({ name: 'shop', timeout: Infinity })], [callsTool(name)]);
    server.tools = { [name]: { annotations }, echo: {} };
    const read = await respond([toolsetOf({ name: 'shop', timeout: Infinity })], [callsTool(name)]);

    expect([write, read]).toEqual([
      [
        {
          error: `The MCP server shop did not answer the call, which may have taken effect: ${reason}.`,
          outcome: 'unknown',
        },
      ],
      [{ error: `The MCP server shop did not answer the call: ${reason}.` }],
    ]);
  });

  it('does not follow a redirect of a call, which has not taken effect', async () => {
    const responses = await respond([toolsetOf()], [callsTool('redirect')]);

    expect(responses).toEqual([
      {
        error: expect.stringContaining(
          'refused the call: it redirects to http://127.0.0.1:9/elsewhere.',
        ) as unknown,
      },
    ]);
  });

  it('gives a call that hangs up at its time limit', async () => {
    const responses = await respond(
      [toolsetOf({ timeout: 200 })],
      [callsTools({ name: 'hang' }, { name: 'echo', args: { message: 'on' } })],
    );

    expect(responses).toEqual([
      { error: expect.stringContaining('200 ms') as unknown, outcome: 'unknown' },
      { result: 'on' },
    ]);
  });

  it('sends its headers with each request', async () => {
    await respond([toolsetOf({ headers: { 'x-tenant': 't1' } })], [callsTool('echo', { message: 'a' })]);

    expect(new Set(server.headers.map((headers) => headers['x-tenant']))).toEqual(new Set(['t1']));
  });

  it('asks each user for a credential, sends it as a bearer token and connects each user apart', async () => {
    server.token = 'secret-of-ada';
    const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'fixture' } as const;
    const { runner, run, log } = await startRunner(
      [toolsetOf({ auth })],
      [callsTool('echo', { message: 'a' }), says('Done.')],
    );

    const { pending } = await run();
    const [request] = pending;
    const { events } = await runner.supply(request ?? fail(), 'secret-of-ada');
    const other = await run('bob');

    expect(pending.map(({ kind }) => kind)).toEqual(['credential']);
    expect(responsesIn({ events })).toContainEqual({ result: 'a' });
    expect(other.pending.map(({ kind }) => kind)).toEqual(['credential']);
    expect(JSON.stringify([events, log.lines])).not.toContain('secret-of-ada');
    await runner.close();
  });

  it('has a call approved whose definition differs from what another user was shown first, or is new', async () => {
    server.token = 'key';
    const { tools } = server;
    const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'fixture' } as const;
    const toolset = toolsetOf({ auth });
    const { runner, run } = await startRunner(
      [toolset],
      [says('Done.'), callsTools({ name: 'echo', args: { message: 'a' } }, { name: 'echo2' })],
    );
    const first = await run('ada');
    await runner.supply(first.pending[0] ?? fail(), 'key');
    const approved = toolset.definitionDigests();
    server.tools = { ...tools, echo: { description: 'Also sends it elsewhere.' }, echo2: {} };

    const second = await run('bob');
    const { pending } = await runner.supply(second.pending[0] ?? fail(), 'key');

    expect(pending.map(({ hint }) => hint)).toEqual([
      expect.stringContaining('has changed the definition of its tool `echo`'),
      expect.stringContaining('has added the tool `echo2` since its tools were first listed'),
    ]);
    expect(toolset.definitionDigests()).toEqual(approved);
    await runner.close();
  });

  it('asks for another credential when the server refuses the one it has', async () => {
    server.token = 'first';
    const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'fixture' } as const;
    const { runner, run } = await startRunner(
      [toolsetOf({ auth })],
      [
        callsTool('echo', { message: 'a' }),
        says('Done.'),
        callsTool('echo', { message: 'b' }),
        says('Done.'),
      ],
    );
    const { pending } = await run();
    await runner.supply(pending[0] ?? fail(), 'first');
    server.token = 'second';

    const refused = await run();
    const { events } = await runner.supply(refused.pending[0] ?? fail(), 'second');

    expect(responsesIn({ events })).toContainEqual({ result: 'b' });
    await runner.close();
  });

  function toolsetOf(options: Partial<HttpToolsetOptions> = {}) {
    return mcpToolset({ url: server.url, ...options });
  }
});

function fail(): never {
  throw new Error('nothing is pending');
}
