import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, defineTool } from '@adorn/core';
import { codeMode } from '../tools/index.js';

import { quickJs, type QuickJsOptions } from './quick-js.executor.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('codeMode in quickJs', () => {
  it('runs loops and calls that are made together', async () => {
    const { response, made } = await run(
      'const all = await Promise.all([1, 2, 3].map(async (id) => (await look_up({ id })) + (await look_up({ id: id * 10 }))));\n' +
        'let sum = 0;\nfor (const one of all) sum += one;\nconsole.log(all.join());\nreturn sum;',
    );

    expect(response).toEqual({ outcome: 'OUTCOME_OK', output: '110,220,330\n', result: 660 });
    expect(made).toEqual([1, 2, 3, 10, 20, 30]);
  });

  it('goes on after an approval, and makes no call again', async () => {
    await using world = await open(
      'await look_up({ id: 1 });\nreturn [await pay({ id: 2 }), await look_up({ id: 3 })];',
    );
    const { runner, made } = world;
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const [request] = await runner.pending(address);
    expect(request?.tool).toBe('pay');
    const events = await eventsOf(runner.approve(request as NonNullable<typeof request>));

    expect(made).toEqual([1, 2, 3]);
    expect(responseIn(events)).toMatchObject({ outcome: 'OUTCOME_OK', result: ['paid', 30] });
  });

  it('does not count the time of a call against the time limit', async () => {
    const { response } = await run('await wait({ id: 900 });\nreturn 1;', { timeout: 500 });

    expect(response).toMatchObject({ outcome: 'OUTCOME_OK', result: 1 });
  });

  it.each<[string, string, Record<string, unknown>]>([
    [
      'an endless loop behind a call',
      'await look_up({ id: 1 });\nfor (;;);',
      { outcome: 'OUTCOME_DEADLINE_EXCEEDED' },
    ],
    [
      'an endless row of calls that catches their errors',
      'for (;;) { try { await look_up({ id: 1 }); } catch {} }',
      { outcome: 'OUTCOME_FAILED', output: 'The script was stopped: it made more than 20 calls.\n' },
    ],
    ['a promise that nothing settles', 'await new Promise(() => {});', { outcome: 'OUTCOME_FAILED' }],
    [
      'a tool that is not offered',
      'return await drop_tables({});',
      {
        outcome: 'OUTCOME_FAILED',
        output: expect.stringContaining("'drop_tables' is not defined") as string,
      },
    ],
    [
      'a changed prototype',
      'Object.prototype.id = 7; Array.prototype.toJSON = () => "x"; JSON.stringify = () => "[]"; Promise.prototype.then = undefined;\n' +
        'return await look_up(JSON.parse(\'{"__proto__": {"id": 1}, "id": 2, "admin": true}\'));',
      { outcome: 'OUTCOME_FAILED' },
    ],
    [
      'another tool in the place of an offered one',
      'globalThis.look_up = () => 5;\nreturn await look_up({ id: 1 });',
      { outcome: 'OUTCOME_OK', result: 5 },
    ],
    [
      'a result that is larger than its memory',
      'const sizes = [];\nfor (const id of [1e5, 1e7, 1e5]) try { sizes.push((await list({ id })).length); } catch (error) { sizes.push(error.message); }\nreturn sizes;',
      { outcome: 'OUTCOME_OK', result: [1e5, 'the result does not fit the memory', 1e5] },
    ],
    [
      'an argument that breaks its conversion',
      'return await look_up({ get id() { throw new Error("no"); } });',
      { outcome: 'OUTCOME_FAILED' },
    ],
  ])('survives %s', async (_, code, response) => {
    expect((await run(code, { timeout: 1_500, memory: 16_000_000 })).response).toMatchObject(response);
  });

  it('keeps beginning and end of an output of 100 MB, the value, and the calls', async () => {
    const { response, made } = await run(
      'await look_up({ id: 1 });\nconsole.log("first");\nconst line = "a".repeat(1e6);\n' +
        'for (let i = 0; i < 100; i++) console.log(line);\nreturn await look_up({ id: 2 });',
      { timeout: 10_000 },
    );

    expect(made).toEqual([1, 2]);
    expect(response).toEqual({
      outcome: 'OUTCOME_OK',
      output: expect.stringMatching(
        /^first\na+\n\[\d+ characters are left out\]\na+\n\[\d+ bytes were dropped\]\n$/,
      ) as string,
      result: 20,
    });
  });

  it('says what has failed at the end of a long output', async () => {
    const { response } = await run('console.log("a".repeat(100_000));\nreturn await look_up({ id: "one" });');

    expect(response).toMatchObject({
      outcome: 'OUTCOME_FAILED',
      output: expect.stringMatching(
        /^a+\n\[\d+ characters are left out\]\na+\n--- stderr ---\nError: .*id/,
      ) as string,
    });
  });
});

async function open(code: string, options: QuickJsOptions = {}) {
  const made: number[] = [];
  const parameters = {
    type: 'object',
    properties: { id: { type: 'number' } },
    required: ['id'],
    additionalProperties: false,
  };
  const named = (name: string, work: (id: number) => unknown, confirm = false) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      confirm,
      parameters,
      run: (args) => {
        const id = Number(args['id']);
        made.push(id);
        return work(id);
      },
    });
  const tools = [
    named('look_up', (id) => id * 10),
    named('list', (length) => 'a'.repeat(length)),
    named('pay', () => 'paid', true),
    named('wait', (id) => new Promise((resolve) => setTimeout(resolve, id))),
  ];
  const executor = quickJs({ timeout: 10_000, ...options });
  const model = new ScriptedModel(callsTool('run_script', { code }), says('Done.'));
  const clerk = defineAgent({ name: 'clerk', tools: [codeMode(executor, { tools, maxCalls: 20 })] });
  const runner = await createRunner(clerk, { model });
  const close = async (): Promise<void> => {
    await runner.close();
    await executor.close();
  };
  return { runner, made, [Symbol.asyncDispose]: close };
}

async function run(code: string, options?: QuickJsOptions) {
  await using world = await open(code, options);
  const events = await eventsOf(world.runner.run({ ...address, message: 'Go.' }));
  return { response: responseIn(events), made: world.made };
}

function responseIn(events: Awaited<ReturnType<typeof eventsOf>>): unknown {
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return responses.findLast(({ name }) => name === 'run_script')?.response;
}
