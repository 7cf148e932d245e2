import { callsTool, callsTools, says } from '@adorn/testing';

import { ContainerModule, InMemorySessionService, SessionService } from '@adorn/core';
import { responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import type { McpToolOptions } from './mcp-toolset-options.js';
import { argsOf, type FixtureTools, serverProgram } from './stdio-server.fixture.js';

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

  it('keeps its call open while the user is asked, and does its work once', async () => {
    for (const answers of [
      [{ name: 'Ada' }, { name: 'Rex' }],
      [{ name: 'Ada' }, null],
      [null, null],
    ]) {
      const { runner, run } = await startRunner(
        [toolsetOf({ elicitation: true })],
        [callsTool('charge'), callsTool('charges'), says('Done.')],
      );
      let result = await run();
      for (const answer of answers) result = await runner.supply(result.pending[0] ?? fail(), answer);

      const [charged, charges] = responsesIn(result) as { result: string }[];
      expect(JSON.parse(charged?.result ?? '')).toEqual(
        answers.map((content) => (content === null ? { action: 'decline' } : { action: 'accept', content })),
      );
      expect(charges).toEqual({ result: '1' });
      await runner.close();
    }
  });

  it('has its call cancelled when the user rejects the question, so that it may ask during another', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('patient'), callsTool('ask'), callsTool('cancelled'), says('Done.')],
    );
    const [asked] = (await run()).pending;

    const rejected = await runner.reject(asked ?? fail(), { reason: 'Not now.' });
    expect(rejected.pending).toMatchObject([{ kind: 'input', tool: 'ask' }]);
    const result = await runner.supply(rejected.pending[0] ?? fail(), { name: 'Ada' });

    expect(responsesIn(result)).toEqual([
      { result: '{"action":"accept","content":{"name":"Ada"}}' },
      { result: '["Error: The call was rejected."]' },
    ]);
    await runner.close();
  });

  it('does not repeat its work if its process has ended since: the outcome is unknown', async () => {
    const { charged, charges } = await answerElsewhere('charge');

    expect(charged).toMatchObject({ outcome: 'unknown' });
    expect(charges).toEqual({ result: '0' });
  });

  it('is asked again in another process if its tool only reads', async () => {
    const { charged, charges, pending } = await answerElsewhere('charge', {
      charge: { annotations: { readOnlyHint: true } },
    });

    expect([charged, charges, pending]).toMatchObject([
      { status: 'pending' },
      undefined,
      [{ kind: 'input' }],
    ]);
  });

  it.each([
    [true, { action: 'accept' }],
    [false, { action: 'decline' }],
  ])('has an address shown, which the user opens or not: %j', async (answer, received) => {
    const url = 'https://pay.example/sign-in?id=7';
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: () => ({}) })],
      [callsTool('visit', { url }), says('Done.')],
    );

    const { pending } = await run();
    const result = await runner.supply(pending[0] ?? fail(), answer);

    expect(pending).toMatchObject([
      {
        kind: 'input',
        hint: `The MCP server fixture asks you to open ${url} in your browser: Sign in.`,
        payload: { url },
      },
    ]);
    expect(responsesIn(result)).toContainEqual({ result: JSON.stringify(received) });
    await runner.close();
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://pay.example/', 'https://ada:x@pay.example/'])(
    'has no other address shown than one of the web: %s',
    async (url) => {
      const { runner, run } = await startRunner(
        [toolsetOf({ elicitation: true })],
        [callsTool('visit', { url }), says('Done.')],
      );

      const result = await run();

      expect(result.pending).toEqual([]);
      expect(responsesIn(result)).toEqual([{ result: '{"action":"decline"}' }]);
      await runner.close();
    },
  );

  it('has the address opened that the server needs before it begins the call, and makes the call again', async () => {
    const url = 'https://pay.example/sign-in?id=7';
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('signIn', { url, times: 2 }), says('Done.')],
    );

    const { pending } = await run();
    const second = await runner.supply(pending[0] ?? fail(), true);
    const result = await runner.supply(second.pending[0] ?? fail(), true);

    expect([pending, second.pending].map(([asked]) => asked)).toMatchObject(
      [1, 2].map(() => ({
        kind: 'input',
        hint: `The MCP server fixture asks you to open ${url} in your browser: Sign in.`,
        payload: { url },
      })),
    );
    expect(responsesIn(result)).toContainEqual({ result: 'signed in after 2' });
    await runner.close();
  });

  it.each<[string, object, unknown]>([
    ['that the user does not open', { url: 'https://pay.example/sign-in' }, false],
    ['that is none of the web', { url: 'javascript:alert(1)' }, undefined],
    ['that is none', { url: 7 }, undefined],
  ])('fails a call that needs an address %s', async (_what, args, answer) => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('signIn', { ...args }), says('Done.')],
    );

    const first = await run();
    const [asked] = first.pending;
    const result = asked === undefined ? first : await runner.supply(asked, answer);

    expect([asked?.kind, responsesIn(result).at(-1)]).toEqual([
      answer === undefined ? undefined : 'input',
      { error: expect.stringContaining('it answered with the error -32042, Sign in first') as unknown },
    ]);
    await runner.close();
  });

  it('fails a call whose server always needs another address, after three', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('signIn', { url: 'https://pay.example/', times: 100 }), says('Done.')],
    );

    let result = await run();
    let asked = 0;
    for (; result.pending[0] !== undefined && asked < 10; asked++)
      result = await runner.supply(result.pending[0], true);

    expect([asked, responsesIn(result).at(-1)]).toEqual([
      3,
      { error: expect.stringContaining('-32042') as unknown },
    ]);
    await runner.close();
  });

  it('may end its call while the user is asked', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('impatient'), says('Done.')],
    );
    const { pending } = await run();
    await new Promise((resolve) => setTimeout(resolve, 100));

    const result = await runner.supply(pending[0] ?? fail(), { name: 'Ada' });

    expect(responsesIn(result)).toEqual([{ result: 'done without an answer' }]);
    await runner.close();
  });

  it('is asked nothing once the call has reached its time limit', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: () => new Promise(() => undefined), timeout: 200 })],
      [callsTool('charge'), callsTool('ask'), says('Done.')],
    );

    expect(responsesIn(await run())).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    await runner.close();
  });

  it('has its question put to the user, and gets the answer in the same call', async () => {
    const { runner, run } = await startRunner(
      [toolsetOf({ elicitation: true })],
      [callsTool('ask'), says('Done.')],
    );

    const { pending } = await run();
    const [request] = pending;
    const answered = await runner.supply(request ?? fail(), { name: 'Ada' });

    expect(pending).toMatchObject([
      { kind: 'input', tool: 'ask', hint: 'The MCP server fixture asks: Your name?' },
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

  it('is answered only by whom the toolset names', async () => {
    for (const tool of ['ask', 'visit']) {
      const { runner, run } = await startRunner(
        [toolsetOf({ elicitation: true, approvers: 'requester' })],
        [callsTool(tool, tool === 'visit' ? { url: 'https://example.com/login' } : {}), says('Done.')],
      );
      const { pending } = await run();
      const [request = fail()] = pending;

      expect(request.approvers).toEqual(['requester']);
      const answer = tool === 'ask' ? { name: 'Ada' } : true;
      await expect(runner.supply(request, answer, { by: 'grace' })).rejects.toMatchObject({
        code: 'APPROVER_NOT_ALLOWED',
      });
      expect((await runner.supply(request, answer)).status).toBe('answered');
      await runner.close();
    }
  });

  it('has each call asked about where others are named, unless confirm says which', async () => {
    for (const [options, pending] of [
      [{ approvers: 'others' }, [{ kind: 'confirmation', approvers: ['others'] }]],
      [{ approvers: 'others', confirm: false }, []],
      [{ approvers: 'requester', effects: { charges: 'read' } }, []],
    ] as const) {
      const { runner, run } = await startRunner([toolsetOf(options)], [callsTool('charges'), says('Done.')]);

      expect((await run()).pending).toMatchObject(pending);
      await runner.close();
    }
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

/** Answers the question of a call in another runner, with another process of the server. */
async function answerElsewhere(tool: string, changed: FixtureTools = {}) {
  const store = new InMemorySessionService();
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
  const options = { appName: 'desk', modules };
  const asking = await startRunner([toolsetOf({ elicitation: true }, changed)], [callsTool(tool)], options);
  const { pending } = await asking.run();
  await asking.runner.close();
  const answering = await startRunner(
    [toolsetOf({ elicitation: true }, changed)],
    [callsTool('charges'), says('Done.')],
    options,
  );
  const result = await answering.runner.supply(pending[0] ?? fail(), { name: 'Ada' });
  await answering.runner.close();
  const [charged, charges] = responsesIn(result);
  return { charged, charges, pending: result.pending };
}

function toolsetOf(options: McpToolOptions = {}, changed: FixtureTools = {}) {
  const program = serverProgram({
    ...{
      ask: {},
      sample: {},
      hang: {},
      charge: {},
      charges: {},
      patient: {},
      cancelled: {},
      impatient: {},
      visit: {},
      signIn: {},
    },
    ...changed,
  });
  return mcpToolset({ command: process.execPath, args: argsOf(program), name: 'fixture', ...options });
}

function fail(): never {
  throw new Error('nothing is pending');
}
