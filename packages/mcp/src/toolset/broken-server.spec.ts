import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { callsTool, callsTools, says } from '@adorn/testing';

import { ended, isRunning, namesIn, respond, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import { argsOf, type FixtureTools, serverProgram } from './stdio-server.fixture.js';

const ERROR = { error: expect.any(String) as unknown, outcome: 'unknown' };

describe('a server over stdio that breaks', () => {
  it.each(['crash', 'kill', 'huge'])('is answered for once, and started again: %s', async (name) => {
    const responses = await respond(
      [toolsetOf({ [name]: {}, echo: {}, pid: {} })],
      [callsTool('pid'), callsTool(name), callsTool('pid'), callsTool('echo', { message: 'on' })],
    );
    const [first, failed, second, last] = responses as { result: string }[];

    expect(failed).toEqual({
      error: expect.stringContaining('may have taken effect') as unknown,
      outcome: 'unknown',
    });
    expect(last).toEqual({ result: 'on' });
    expect(second?.result).not.toBe(first?.result);
    expect([first, second].map((pid) => isRunning(Number(pid?.result)))).toEqual([false, false]);
  });

  it('is told at once to have given no result', async () => {
    const toolset = mcpToolset({
      ...{ command: process.execPath, args: argsOf(serverProgram({ nothing: {}, echo: {} })) },
      ...{ name: 'shop', timeout: Infinity },
    });

    const responses = await respond(
      [toolset],
      [callsTools({ name: 'echo', args: { message: 'a' } }, { name: 'nothing' })],
    );

    expect(responses).toEqual([
      { result: 'a' },
      {
        error:
          'The MCP server shop did not answer the call, which may have taken effect: its answer is no message of the protocol.',
        outcome: 'unknown',
      },
    ]);
  });

  it('fails each of the calls that were under way, once', async () => {
    const responses = await respond(
      [toolsetOf({ hang: {}, kill: {}, echo: {} })],
      [
        callsTools({ name: 'hang' }, { name: 'hang' }, { name: 'kill' }),
        callsTool('echo', { message: 'on' }),
      ],
    );

    expect(responses).toEqual([ERROR, ERROR, ERROR, { result: 'on' }]);
  });

  it('does not hold up a run, nor the end of its runner, when it hangs', async () => {
    const program = `${serverProgram({ hang: {}, pid: {} })}; process.on('SIGTERM', () => {}); process.stdin.removeAllListeners('end'); setInterval(() => {}, 1000);`;
    const toolset = mcpToolset({ command: process.execPath, args: argsOf(program), timeout: 300 });

    const [pid, hung] = (await respond([toolset], [callsTools({ name: 'pid' }, { name: 'hang' })])) as {
      result: string;
    }[];

    expect(hung).toEqual({ error: expect.stringContaining('300 ms') as unknown, outcome: 'unknown' });
    await ended(Number(pid?.result));
  });

  it.each([
    ['does not exist', { command: 'no-such-program-of-mcp' }],
    ['ends at once', { command: process.execPath, args: ['-e', 'process.exit(3)'] }],
    [
      'speaks another language',
      {
        command: process.execPath,
        args: ['-e', 'console.log("hello"); process.stdin.on("end", () => process.exit())'],
        listing: { timeout: 1_000 },
      },
    ],
  ])('is left out of a run when its program %s', async (_what, options) => {
    const { runner, run, model } = await startRunner([mcpToolset(options)], [says('Without.')]);

    const { text, events } = await run();

    expect([text, namesIn(model)]).toEqual(['Without.', [[]]]);
    expect(events.some(({ customMetadata }) => customMetadata?.['adorn:toolsetFailed'] !== undefined)).toBe(
      true,
    );
    await runner.close();
  });

  it('ends with the process that started it, even when that is not told to close it', async () => {
    const program = `
      const { mcpToolset } = await import('@adorn/mcp');
      const toolset = mcpToolset({ command: process.execPath, args: ${JSON.stringify(argsOf(stubborn()))} });
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const tools = await toolset.listTools({ appName: 'a', userId: 'u', logger, signal: new AbortController().signal });
      const context = {
        signal: new AbortController().signal, functionCallId: 'c', logger,
        conceal() {}, withoutSentSecrets: (answer) => answer,
      };
      const running = tools[0].run({}, context);
      for (let step = await running.next(); ; step = await running.next())
        if (step.done) { console.log(step.value.result); process.exit(0); }
    `;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let pid = '';
    owner.stdout.on('data', (chunk: Buffer) => (pid += chunk.toString()));

    await once(owner, 'close');

    expect(Number(pid)).toBeGreaterThan(0);
    await ended(Number(pid));
  });
});

/** A server that outlives its standard input. */
function stubborn(): string {
  return `${serverProgram({ pid: {} })}; process.stdin.removeAllListeners('end'); setInterval(() => {}, 1000);`;
}

function toolsetOf(tools: FixtureTools) {
  return mcpToolset({ command: process.execPath, args: argsOf(serverProgram(tools)) });
}
