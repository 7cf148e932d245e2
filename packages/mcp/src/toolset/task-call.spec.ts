import { callsTool, callsTools, eventsOf, says } from '@adorn/testing';

import { respond, responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset, type McpToolset } from './mcp.toolset.js';
import { argsOf, serverProgram } from './stdio-server.fixture.js';

const execution = { taskSupport: 'required' };

describe('a tool that its server runs as a task', () => {
  it('answers with the result of the task, and shows each state of it as progress', async () => {
    const { runner } = await startRunner([toolset()], [callsTool('study'), says('Done.')]);

    const events = await eventsOf(runner.run({ message: 'Go.' }));

    const shown = events.filter(({ partial }) => partial);
    expect(responsesIn({ events: shown })).toEqual([
      { progress: 1, message: 'Begun.' },
      { progress: 2, message: 'Asked 1.' },
      { progress: 3, message: 'Asked 2.' },
    ]);
    expect(responsesIn({ events: events.filter(({ partial }) => !partial) })).toEqual([
      { result: 'studied' },
    ]);
    await runner.close();
  });

  it('answers each of several calls with the result of its own task', async () => {
    const calls = callsTools(
      { name: 'echo', args: { message: 'a' } },
      { name: 'echo', args: { message: 'b' } },
    );

    expect(await respond([toolset()], [calls])).toEqual([{ result: 'a' }, { result: 'b' }]);
  });

  it('tells the model that it failed', async () => {
    expect(await respond([toolset()], [callsTool('fail')])).toEqual([{ error: 'no such file' }]);
  });

  it('may have taken effect where the server answers with neither a task nor a result', async () => {
    expect(await respond([toolset()], [callsTool('noTask')])).toEqual([
      {
        error:
          'The MCP server answered the call, which may have taken effect, with neither a task nor a result.',
        outcome: 'unknown',
      },
    ]);
  });

  it('is cancelled on the server with its run, and where its time is over', async () => {
    const { runner, run } = await startRunner(
      [toolset({ timeout: 200 })],
      [callsTool('hang'), callsTool('hang'), callsTool('cancelled'), says('Done.')],
    );
    const first = runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });
    for await (const { partial } of first) if (partial) first.cancel();

    const [late, cancelled] = responsesIn(await run()) as { result: string }[];

    expect(late).toEqual({ error: expect.stringContaining('200 ms') as unknown, outcome: 'unknown' });
    expect(JSON.parse(cancelled?.result ?? '')).toEqual(expect.arrayContaining(['t1', 't2']));
    await runner.close();
  });

  it('fails with its server, and the next call finds a new one', async () => {
    expect(await respond([toolset()], [callsTool('crash'), callsTool('echo', { message: 'hi' })])).toEqual([
      { error: expect.stringContaining('did not answer the call') as unknown, outcome: 'unknown' },
      { result: 'hi' },
    ]);
  });
});

function toolset(options: { timeout?: number } = {}): McpToolset {
  const asTask = { execution };
  const tools = { study: asTask, echo: asTask, fail: asTask, noTask: asTask, hang: asTask, crash: asTask };
  const program = serverProgram({ ...tools, cancelled: {} });
  return mcpToolset({ command: process.execPath, args: argsOf(program), ...options });
}
