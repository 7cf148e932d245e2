import { setTimeout as delay } from 'node:timers/promises';

import {
  ContainerModule,
  type CreateRunnerOptions,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
  SessionService,
} from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { serveMcp } from './server/serve-mcp.js';
import { responsesIn, startRunner } from './toolset/agent.fixture.js';
import { mcpToolset, type McpToolset } from './toolset/mcp.toolset.js';

/** How long a server waits for an answer, in milliseconds. */
const ANSWER_MS = 1_000;

const NONE = { type: 'object', properties: {} };

/**
 * A program that serves `pay`, which asks before it runs, `ask`, which asks while it runs, and `count`, which tells how often
 * one of them has run.
 */
const PROGRAM = `
  const { FunctionTool } = await import('@adorn/core');
  const { serveMcp } = await import('@adorn/mcp');
  let ran = 0;
  const parameters = ${JSON.stringify(NONE)};
  const pay = { name: 'pay', description: '', confirm: true, parameters, run: () => 'paid ' + ++ran };
  const ask = {
    name: 'ask', description: '', parameters,
    run: (args, context) => (ran++, context.requestInput({ message: 'Name?', schema: { type: 'string' } })),
  };
  const count = { name: 'count', description: '', effect: 'read', run: () => ran };
  await serveMcp([pay, ask, count].map((tool) => new FunctionTool(tool)), {
    stdio: true, answerTimeout: ${String(ANSWER_MS)},
  });
`;

/** A server in a process of its own, over its standard input and output. */
function overStdio() {
  const open = () => toolsetOf({ command: process.execPath, args: ['--input-type=module', '-e', PROGRAM] });
  return Promise.resolve({ open, close: () => Promise.resolve() });
}

/** A server over HTTP, which speaks the revision 2026-07-28 with its client. */
async function overHttp() {
  let ran = 0;
  const pay = new FunctionTool({
    ...{ name: 'pay', description: '', confirm: true, parameters: NONE },
    run: () => `paid ${String(++ran)}`,
  });
  const ask = new FunctionTool({
    ...{ name: 'ask', description: '', parameters: NONE },
    run: (_args, context) => {
      ran++;
      return context.requestInput({ message: 'Name?', schema: { type: 'string' } });
    },
  });
  const count = new FunctionTool({ name: 'count', description: '', effect: 'read', run: () => ran });
  const serving = await serveMcp([pay, ask, count], { http: {}, answerTimeout: ANSWER_MS });
  return { open: () => toolsetOf({ url: serving.url ?? '' }), close: () => serving.close() };
}

function toolsetOf(server: { command: string; args: string[] } | { url: string }): McpToolset {
  return mcpToolset({ ...server, name: 'shop', confirm: false, elicitation: true });
}

describe.each([
  ['over stdio', overStdio],
  ['over HTTP, without a session', overHttp],
])('an answer that comes when the server does not wait any more, %s', (_where, serve) => {
  it('counts for the call, which is made again, where nothing has run before the question', async () => {
    const { open, close } = await serve();
    const { runner, run } = await startRunner(
      [open()],
      [callsTool('pay'), callsTool('count'), says('Done.')],
    );
    const [request = fail()] = (await run()).pending;
    await delay(2 * ANSWER_MS);

    const { events, pending } = await runner.supply(request, { approve: true });

    expect([responsesIn({ events }), pending]).toEqual([[{ result: 'paid 1' }, { result: '1' }], []]);
    await runner.close();
    await close();
  });

  it('is passed on if it is a no', async () => {
    const { open, close } = await serve();
    const { runner, run } = await startRunner(
      [open()],
      [callsTool('pay'), callsTool('count'), says('Done.')],
    );
    const [request = fail()] = (await run()).pending;
    await delay(2 * ANSWER_MS);

    const answered = await runner.supply(request, { approve: false });

    expect(responsesIn(answered)).toEqual([
      { error: 'tool call was rejected: The user said no.' },
      { result: '0' },
    ]);
    await runner.close();
    await close();
  });

  it('does not run a tool again that had begun when it asked', async () => {
    const { open, close } = await serve();
    const { runner, run } = await startRunner(
      [open()],
      [callsTool('ask'), callsTool('count'), says('Done.')],
    );
    const [request = fail()] = (await run()).pending;
    await delay(2 * ANSWER_MS);

    const answered = await runner.supply(request, { value: 'Ada' });

    expect(responsesIn(answered)).toEqual([{ error: expect.any(String) as unknown }, { result: '1' }]);
    await runner.close();
    await close();
  });

  it('counts in another process too', async () => {
    const { open, close } = await serve();
    const store = new InMemorySessionService();
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
    const options: CreateRunnerOptions = { appName: 'desk', modules };
    const asking = await startRunner([open()], [callsTool('pay')], options);
    const [request = fail()] = (await asking.run()).pending;
    await asking.runner.close();
    await delay(2 * ANSWER_MS);

    const { runner } = await startRunner([open()], [callsTool('count'), says('Done.')], options);
    const answered = await runner.supply(request, { approve: true });

    expect(responsesIn(answered)).toEqual([{ result: 'paid 1' }, { result: '1' }]);
    await runner.close();
    await close();
  });
});

describe('a question of a server', () => {
  it('is asked again where it is another one than was answered', async () => {
    let total = 0;
    const pay = new FunctionTool({
      ...{ name: 'pay', description: '', parameters: NONE, run: () => 'paid' },
      confirm: () => `Pay ${String(++total)} €?`,
    });
    await using serving = await serveMcp([pay], { http: {}, answerTimeout: ANSWER_MS });
    const toolset = toolsetOf({ url: serving.url ?? '' });
    const { runner, run } = await startRunner([toolset], [callsTool('pay'), says('Done.')]);
    const [request = fail()] = (await run()).pending;
    await delay(2 * ANSWER_MS);

    const { pending } = await runner.supply(request, { approve: true });

    expect([request, ...pending].map(({ hint }) => hint)).toEqual([
      expect.stringContaining('Pay 1 €?'),
      expect.stringContaining('Pay 2 €?'),
    ]);
    await runner.close();
  });
});

function fail(): PendingRequest {
  throw new Error('nothing is pending');
}
