import { setTimeout as delay } from 'node:timers/promises';

import type { Plugin } from '@adorn/core';
import { callsTool, callsTools, says } from '@adorn/testing';

import { namesIn, respond, responsesIn, startRunner } from './agent.fixture.js';
import { FixtureHttpServer } from './http-server.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import type { HttpToolsetOptions } from './mcp-toolset-options.js';
import type { FixtureTools } from './stdio-server.fixture.js';

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

  it.each<[number, string]>([
    [404, 'Session not found'],
    [404, jsonRpc(-32_001, 'Session not found')],
    [404, jsonRpc(-32_603, 'Session not found: 7c1')],
    [410, 'session expired'],
    [400, jsonRpc(-32_000, 'Bad Request: No valid session ID provided')],
    [400, jsonRpc(-32_000, 'Bad Request: Server not initialized')],
    [400, jsonRpc(-32_600, 'Missing session')],
    [400, 'Unbekannte Sitzung'],
    [400, ''],
    [409, 'conflict'],
    [422, '{"detail":"unknown"}'],
    [200, jsonRpc(-32_000, 'Server not initialized')],
    [200, jsonRpc(-32_001, 'Unknown session')],
    [200, jsonRpc(-32_600, 'Invalid Request')],
  ])(
    'begins a new session when the server has forgotten the old one and says so by %d %s, and runs the write once',
    async (...said) => {
      const calls = [callsTool('echo', { message: 'a' }), callsTool('echo', { message: 'b' }), says('Done.')];
      const { runner, run } = await startRunner([toolsetOf()], calls, { plugins: [restartAfter(1)] });
      server.unknownSession = said;

      expect(responsesIn(await run())).toEqual([{ result: 'a' }, { result: 'b' }]);
      expect(server.requests.filter((one) => one === 'initialize')).toHaveLength(2);
      expect(server.openSessions).toBe(1);
      await runner.close();
    },
  );

  it('begins a new session when a gateway has lost the old one, and repeats no write that may have run', async () => {
    const calls = ['a', 'b', 'c'].map((message) => callsTool('echo', { message }));
    const { runner, run } = await startRunner(
      [toolsetOf({ listing: { keepFor: 'app' } })],
      [...calls, says('Done.')],
      {
        plugins: [restartAfter(1)],
      },
    );
    server.unknownSession = [503, 'no such backend'];

    expect(responsesIn(await run())).toEqual([
      { result: 'a' },
      { error: expect.stringContaining('HTTP 503') as unknown, outcome: 'unknown' },
      { result: 'c' },
    ]);
    await runner.close();
  });

  describe('sees a changed list', () => {
    const NEXT = { echo: {}, next: {} };
    const MANY = Array.from({ length: 64 }, () => says('Done.'));

    it('in the next run, where the server cannot tell', async () => {
      const { runner, run, model } = await startRunner([toolsetOf()], MANY);
      await run();
      server.tools = NEXT;

      await run();

      expect(namesIn(model).at(-1)).toEqual(['echo', 'next']);
      await runner.close();
    });

    it('in a run that is under way, once the server has forgotten the session', async () => {
      const calls = [callsTool('echo', { message: 'a' }), callsTool('echo', { message: 'b' }), says('Done.')];
      server.tools = { echo: {} };
      const { runner, run, model } = await startRunner([toolsetOf()], calls, {
        plugins: [restartAfter(1, NEXT)],
      });

      await run();

      expect(namesIn(model)).toEqual([['echo'], ['echo'], ['echo', 'next']]);
      await runner.close();
    });

    it('once the server tells it, and asks no more often', async () => {
      server.hasStream = true;
      const { runner, run, model } = await startRunner([toolsetOf()], MANY);
      await run();
      await until(() => server.openStreams === 1);
      server.tools = NEXT;
      await run();
      const before = namesIn(model).at(-1);

      server.tellChange();
      await until(async () => {
        await run();
        return namesIn(model).at(-1)?.includes('next') === true;
      });

      expect(before).not.toContain('next');
      expect(server.requests.filter((one) => one === 'tools/list')).toHaveLength(2);
      await runner.close();
    });

    it('that changed while the stream was broken', async () => {
      server.hasStream = true;
      const { runner, run, model } = await startRunner([toolsetOf()], MANY);
      await run();
      await until(() => server.openStreams === 1);
      server.breakStreams();
      server.tools = NEXT;
      await until(() => server.openStreams === 0);
      await until(() => server.openStreams === 1);

      await run();

      expect(namesIn(model).at(-1)).toEqual(['echo', 'next']);
      await runner.close();
    });

    it.each(['app', 'user', 'session', 'invocation'] as const)(
      'of a list that is kept for the %s, once the session is a new one',
      async (keepFor) => {
        const calls = [
          callsTool('echo', { message: 'a' }),
          callsTool('echo', { message: 'b' }),
          says('Done.'),
        ];
        const { runner, run, model } = await startRunner(
          [toolsetOf({ listing: { keepFor } })],
          [...calls, ...MANY],
          {
            plugins: [restartAfter(1, NEXT)],
          },
        );

        await run();
        await run();

        expect(namesIn(model).at(-1)).toEqual(['echo', 'next']);
        await runner.close();
      },
    );
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

  /** Starts the server anew after so many calls: it knows no session any more. */
  function restartAfter(calls: number, tools?: FixtureTools): Plugin {
    let left = calls;
    return {
      name: 'restart',
      afterTool: () => {
        if (--left !== 0) return;
        server.forgetSessions();
        server.tools = tools ?? server.tools;
      },
    };
  }

  function toolsetOf(options: Partial<HttpToolsetOptions> = {}) {
    return mcpToolset({ url: server.url, ...options });
  }
});

/** The body of a JSON-RPC error whose request is not known. */
function jsonRpc(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(10);
}

function fail(): never {
  throw new Error('nothing is pending');
}
