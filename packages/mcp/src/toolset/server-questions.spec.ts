import { callsTool, callsTools, says } from '@adorn/testing';

import { responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import type { McpToolOptions } from './mcp-toolset-options.js';
import { argsOf, serverProgram } from './stdio-server.fixture.js';

describe('a server that asks during a call', () => {
  it('is refused, unless it was allowed', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf()],
      [callsTool('ask'), callsTool('sample'), says('Done.')],
    );

    const [asked, sampled] = responsesIn(await run()) as { result: string }[];

    expect([asked, sampled].map((response) => response?.result)).toEqual([
      expect.stringContaining('"code":-32601'),
      expect.stringContaining('"code":-32601'),
    ]);
    await runner.close();
  });

  it('has its question put to the user, and gets the answer in a second call', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('ask'), says('Done.')],
    );

    const { pending } = await run();
    const [request] = pending;
    const answered = await runner.supply(request ?? fail(), { name: 'Ada' });

    expect(pending).toMatchObject([
      { kind: 'input', tool: 'ask', hint: `The MCP server ${process.execPath} asks: Your name?` },
    ]);
    expect(responsesIn(answered).at(-1)).toEqual({ result: '{"action":"accept","content":{"name":"Ada"}}' });
    await runner.close();
  });

  it('is told when the user declines, and gets no answer that breaks its schema', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('ask'), says('Done.')],
    );
    const { pending } = await run();
    const [request = fail()] = pending;

    await expect(runner.supply(request, { name: 7 })).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
    const declined = await runner.supply(request, null);

    expect(responsesIn(declined).at(-1)).toEqual({ result: '{"action":"decline"}' });
    await runner.close();
  });

  it('is answered while its call waits where a function answers', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: ({ message }) => ({ name: message.slice(-10) }) })],
      [callsTool('ask'), says('Done.')],
    );

    expect(responsesIn(await run())).toEqual([
      { result: '{"action":"accept","content":{"name":"Your name?"}}' },
    ]);
    await runner.close();
  });

  it('is refused while several calls are under way: it does not say which one it asks about', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true, timeout: 500 })],
      [callsTools({ name: 'hang' }, { name: 'ask' }), says('Done.')],
    );

    const { pending, events } = await run();

    expect(pending).toEqual([]);
    expect(responsesIn({ events }).at(-1)).toEqual({ result: '{"action":"decline"}' });
    await runner.close();
  });

  it('may ask the model of the agent, which counts as a model call of the run', async () => {
    const { runner, run, model } = await startRunner(
      [toolsetOf({ sampling: true })],
      [callsTool('sample'), says('Hello!'), says('Done.')],
    );

    const result = await run();

    expect(JSON.parse((responsesIn(result).at(-1) as { result: string }).result)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Hello!' },
    });
    expect(model.requests[1]).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }],
      config: { systemInstruction: 'Be brief.', maxOutputTokens: 50 },
    });
    await runner.close();
  });

  it('is refused a model call beyond the limit of the run', async () => {
    const { runner, run } = await startRunner([toolsetOf({ sampling: true })], [callsTool('sample')], {
      config: { maxLlmCalls: 1 },
    });

    const [response] = responsesIn(await run()) as { result: string }[];

    expect(response?.result).toContain('may not call a model any more');
    await runner.close();
  });
});

function toolsetOf(options: McpToolOptions = {}) {
  const program = serverProgram({ ask: {}, sample: {}, hang: {} });
  return mcpToolset({ command: process.execPath, args: argsOf(program), ...options });
}

function fail(): never {
  throw new Error('nothing is pending');
}
