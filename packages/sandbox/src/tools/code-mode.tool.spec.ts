import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  ArtifactService,
  ContainerModule,
  createRunner,
  defineAgent,
  defineTool,
  InMemoryArtifactService,
  InMemorySessionService,
  Logger,
  type Runner,
  SessionService,
  type Tool,
} from '@adorn/core';
import { RepeatingModel, VmExecutor } from './code-mode.fixture.js';
import { MortalSessionService } from '../../../core/src/agents/workflow/workflow.fixture.js';
import { QuietLogger } from '../../../core/src/gates/quiet-services.fixture.js';
import { address, linesWhereverItDies } from '../../../core/src/runner/specs/runs/dying-process.fixture.js';
import { codeMode, type CodeModeOptions } from './code-mode.tool.js';

describe('codeMode', () => {
  it('declares the functions in TypeScript, from the schemas of the tools', async () => {
    const model = new ScriptedModel(says('Hello.'));
    const runner = await createRunner(clerk([lookUp([]), pay([])]), { model });
    await runner.ask('Hi.');

    const [declared] =
      model.requests[0]?.config.tools?.flatMap((tool) =>
        'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
      ) ?? [];
    expect(declared?.name).toBe('run_script');
    expect(declared?.description).toContain(
      '/** Finds an order. */\ndeclare function look_up(args: { id: number; /** Or all. */ fields?: Array<"state" | "total"> }): Promise<any>;',
    );
    expect(declared?.description).toMatch(
      /after a pause\.\n\n\/\*\* Finds an order[^]+\n\n.*\ndeclare function pay\(args: \{ id: number \}\): Promise<any>;$/,
    );
  });

  it('takes one argument, the script, and says how to write it and what it runs in', async () => {
    const model = new ScriptedModel(says('Hello.'));
    await (await createRunner(clerk([]), { model })).ask('Hi.');

    const [declared] =
      model.requests[0]?.config.tools?.flatMap((tool) =>
        'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
      ) ?? [];
    expect(declared?.parametersJsonSchema).toEqual({
      type: 'object',
      properties: { code: { type: 'string', description: 'The whole script, in JavaScript.' } },
      required: ['code'],
      additionalProperties: false,
    });
    expect(declared?.description).toBe(
      'Run a script in JavaScript that calls the functions below. Write one script for the whole task: use loops, conditions ' +
        'and Promise.all, and return only what you need to know. Await each call; a failed or refused call throws an Error. ' +
        'Do not catch it unless you handle it. It is JavaScript. ' +
        'Without the time and random numbers the script can be continued after a pause.',
    );
  });

  it('is not there without its sandbox: no runner is created', async () => {
    const executor = new VmExecutor();
    executor.ready = () => Promise.reject(new Error('there is no sandbox'));

    await expect(createRunner(clerk([], {}, executor), { model: new ScriptedModel() })).rejects.toThrow(
      'there is no sandbox',
    );
  });

  it('runs the calls of a script, each as an event of its own', async () => {
    const made: string[] = [];
    const { response, events } = await runScript(
      'const totals = []; for (const id of [1, 2, 3]) totals.push((await look_up({ id })).total); return totals;',
      [lookUp(made)],
    );

    expect(response).toEqual({ outcome: 'OUTCOME_OK', output: '', result: [10, 20, 30] });
    expect(made).toEqual(['look_up 1', 'look_up 2', 'look_up 3']);
    const calls = events.flatMap(({ functionCalls }) => functionCalls.map(({ name }) => name));
    expect(calls).toEqual(['run_script', 'look_up', 'look_up', 'look_up']);
    expect(
      events
        .filter(
          ({ author, content }) =>
            author === 'run_script' && content?.parts?.[0]?.functionResponse === undefined,
        )
        .filter(({ content }) => content !== undefined)
        .map(({ content, turnComplete }) => [content?.role, turnComplete]),
    ).toEqual([
      ['model', false],
      ['model', false],
      ['model', false],
      ['model', true],
    ]);
  });

  it('runs calls side by side that a script makes together', async () => {
    let running = 0;
    let most = 0;
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      parameters: ID,
      run: async ({ id }) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running--;
        return id;
      },
    });
    const { response } = await runScript(
      'return Promise.all([1, 2, 3].map(async (id) => (await slow({ id })) + (await slow({ id: id * 10 }))));',
      [slow],
    );

    expect(response).toMatchObject({ result: [11, 22, 33] });
    expect(most).toBe(3);
  });

  it('makes more calls at a time than an answer may have, in parts', async () => {
    const { response } = await runScript(
      'return Promise.all([1, 2, 3, 4, 5].map((id) => look_up({ id }).then(({ total }) => total)));',
      [lookUp([])],
      { config: { maxCallsPerAnswer: 2 } },
    );

    expect(response).toMatchObject({ result: [10, 20, 30, 40, 50] });
  });

  it('counts no model calls for a script', async () => {
    const { response, text } = await runScript(
      'for (const id of [1, 2, 3]) await look_up({ id }); return "done";',
      [lookUp([])],
      { config: { maxLlmCalls: 2 } },
    );

    expect([response['result'], text]).toEqual(['done', 'Done.']);
  });

  it.each<[string, string, string]>([
    ['a tool that throws', 'await fails({ id: 1 })', 'out of stock'],
    ['wrong arguments', 'await look_up({ id: "one" })', 'id'],
    ['arguments that are no object', 'await look_up(1)', 'look_up takes one object'],
    ['a tool that is not offered', 'await drop_tables({})', 'drop_tables is not defined'],
  ])('throws in the script for %s', async (_, code, message) => {
    const { response } = await runScript(`try { ${code} } catch (error) { return String(error); }`, [
      lookUp([]),
      failing,
    ]);

    expect(response['result']).toMatch(message);
  });

  it('tells the model the error that a script does not catch', async () => {
    const { response } = await runScript('await fails({ id: 1 }); return 1;', [failing]);

    expect(response).toMatchObject({ outcome: 'OUTCOME_FAILED' });
    expect(response['output']).toContain('out of stock');
  });

  it('stops a script that makes too many calls', async () => {
    const made: string[] = [];
    const { response } = await runScript(
      'for (;;) await look_up({ id: 1 });',
      [lookUp(made)],
      {},
      { maxCalls: 3 },
    );

    expect(made).toHaveLength(3);
    expect(response).toMatchObject({
      outcome: 'OUTCOME_FAILED',
      output: 'The script was stopped: it made more than 3 calls.\n',
    });
  });

  it('goes on after an approval, without repeating a call', async () => {
    const made: string[] = [];
    const { runner } = await start(PAYS, [lookUp(made), pay(made)]);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const [request] = await runner.pending(address);
    expect([request?.tool, request?.args]).toEqual(['pay', { id: 2 }]);

    const events = await eventsOf(runner.approve(request as NonNullable<typeof request>));

    expect(made).toEqual(['look_up 1', 'look_up 2', 'pay 2', 'look_up 3']);
    expect(responseIn(events)).toMatchObject({ result: ['paid 2', 30] });
  });

  it('throws a rejection in the script', async () => {
    const made: string[] = [];
    const code = 'try { await pay({ id: 1 }); } catch (error) { return error.message; }';
    const { runner } = await start(code, [pay(made)]);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const [request] = await runner.pending(address);

    const reason = 'Too expensive.';
    const events = await eventsOf(runner.reject(request as NonNullable<typeof request>, { reason }));

    expect(made).toEqual([]);
    expect(responseIn(events)['result']).toContain(reason);
  });

  it('goes on in another process after both of two calls are approved', async () => {
    const made: string[] = [];
    const code = 'await look_up({ id: 1 }); return Promise.all([pay({ id: 1 }), pay({ id: 2 })]);';
    const { runner, restart } = await start(code, [lookUp(made), pay(made)]);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    expect(await runner.pending(address)).toHaveLength(2);
    for (let left = 2; left > 0; left--) {
      const next = await restart();
      const [request] = await next.pending(address);
      const events = await eventsOf(next.approve(request as NonNullable<typeof request>));
      if (left === 1) expect(responseIn(events)).toMatchObject({ result: ['paid 1', 'paid 2'] });
    }

    expect(made).toEqual(['look_up 1', 'pay 1', 'pay 2']);
  });

  it('calls nothing again if the script makes other calls than before', async () => {
    const made: string[] = [];
    const code = 'await look_up({ id: Math.floor(Math.random() * 1e9) }); return pay({ id: 1 });';
    const { runner, restart } = await start(code, [lookUp(made), pay(made)]);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const next = await restart();
    const [request] = await next.pending(address);

    const events = await eventsOf(next.approve(request as NonNullable<typeof request>));

    expect(made).toHaveLength(2);
    expect(made[1]).toBe('pay 1');
    const told =
      events.find(({ errorCode }) => errorCode === 'SCRIPT_CHANGED')?.errorMessage ??
      responseIn(events)['error'];
    expect(told).toContain('its call 1 was "look_up" before; now it called it with other arguments');
    // What has been done must not be done once more.
    expect(told).toMatch(
      /have been made, and must not be repeated: look_up\(\{"id":\d+\}\) returned .*; pay\(/,
    );
    expect(events.at(-1)?.text).toBe('Done.');
  });

  it('leads to the same log wherever its process dies', async () => {
    const lines = await linesWhereverItDies(async (sessions) => {
      const model = new RepeatingModel(callsTool('run_script', { code: PAYS }), says('Done.'));
      const tools = [lookUp([]), pay([])];
      const config = { takeOverAfter: 0 };
      return createRunner(clerk(tools), { model, config, modules: [sessions] });
    });

    expect(lines.filter((line) => line.includes('call pay'))).toHaveLength(1);
  });

  it('runs two scripts of one answer side by side', async () => {
    const model = new ScriptedModel(
      {
        content: {
          role: 'model',
          parts: [1, 2].map((id) => ({
            functionCall: {
              id: `c${String(id)}`,
              name: 'run_script',
              args: { code: `return (await look_up({ id: ${String(id)} })).total;` },
            },
          })),
        },
      },
      says('Done.'),
    );
    const runner = await createRunner(clerk([lookUp([])]), { model });

    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    const results = events
      .flatMap(({ functionResponses }) => functionResponses)
      .filter(({ name }) => name === 'run_script')
      .map(({ response }) => response?.['result']);
    expect(results).toEqual([10, 20]);
  });

  it('calls an agent like any function', async () => {
    const expert = defineAgent({
      name: 'expert',
      description: 'Knows.',
      model: new ScriptedModel(says('It is 7.')),
    });
    const code = 'return expert({ request: "What is it?" });';
    const model = new ScriptedModel(callsTool('run_script', { code }), says('Done.'));
    const tools = [codeMode(new VmExecutor(), { tools: [expert] })];
    const runner = await createRunner(defineAgent({ name: 'clerk', model, tools }));

    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect(responseIn(events)['result']).toEqual({ text: 'It is 7.' });
  });

  it('pays once at most, wherever its process dies and recovers', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const made: string[] = [];
      const sessions = new MortalSessionService();
      sessions.left = writes;
      const open = () => openRunner(sessions, PAYS, [lookUp(made), pay(made, false)]);
      const first = await open();
      const done = approveAll(first, eventsOf(first.run({ ...address, message: 'Go.' })));
      isDead = await done.then(
        () => false,
        () => true,
      );
      sessions.left = Infinity;
      const next = await open();
      await new Promise((resolve) => setTimeout(resolve, 2));
      await approveAll(next, next.recover({ olderThan: 0 }));

      expect([writes, made.filter((call) => call === 'pay 2').length <= 1]).toEqual([writes, true]);
      expect(await next.pending(address)).toEqual([]);
    }
  });

  it('runs the script again if its sandbox fails, and repeats no call', async () => {
    const made: string[] = [];
    const executor = new VmExecutor();
    executor.failures = 1;
    const { response } = await runScript(PAYS_NOT, [lookUp(made)], {}, {}, executor);

    expect(made).toEqual(['look_up 1', 'look_up 2']);
    expect(response).toMatchObject({ result: 30 });
  });

  it('tells the model that the sandbox failed, once it failed three times', async () => {
    const made: string[] = [];
    const executor = new VmExecutor();
    executor.failures = 100;
    const { response } = await runScript(
      'return await look_up({ id: 1 });',
      [lookUp(made)],
      {},
      {},
      executor,
    );

    expect([100 - executor.failures, made]).toEqual([3, ['look_up 1']]);
    expect(response).toEqual({
      outcome: 'OUTCOME_FAILED',
      output: 'The sandbox failed (Error), and not the script.\n',
    });
  });

  it.each([
    ['a', 65_536, true],
    ['a', 65_537, false],
    ['é', 65_536, true],
    ['é', 65_538, false],
  ])('shows a value of %s up to 65536 bytes, and not of %i: %j', async (letter, bytes, isShown) => {
    const count = (bytes - 2) / Buffer.byteLength(letter);
    const { response, artifactOf } = await runScript(`return '${letter}'.repeat(${String(count)});`, []);

    const value = letter.repeat(count);
    const { outcome, output, result, note } = response;
    expect([outcome, output, result === value]).toEqual(['OUTCOME_OK', '', isShown]);
    const name = /"(tool-results\/.*\.json)"/.exec(String(note))?.[1];
    expect(name === undefined).toBe(isShown);
    expect(name === undefined ? value : await artifactOf(name)).toBe(value);
  });

  it('says where a long value is, and that the script is not to be repeated', async () => {
    const { response } = await runScript("return 'a'.repeat(70000);", []);

    expect(response).toEqual({
      outcome: 'OUTCOME_OK',
      output: '',
      note: expect.stringMatching(
        /^The value has 70002 bytes of JSON and is not shown. It is stored as artifact "tool-results\/\S+.json". The code has run with all its effects: do not repeat them.$/,
      ) as string,
    });
  });

  it('stores no value above a mebibyte', async () => {
    const { response } = await runScript("return 'a'.repeat(1024 * 1024 - 1);", []);

    expect(response).toEqual({
      outcome: 'OUTCOME_OK',
      output: 'The value was dropped: it has more than 1048576 bytes of JSON. Return less.\n',
    });
  });

  it('gives the script the whole of a result that a model would get cut, and again in another process', async () => {
    const orders = Array.from({ length: 5_000 }, (_, id) => ({ id, total: id * 10, text: 'x'.repeat(40) }));
    const list = defineTool({
      name: 'list_orders',
      description: 'Lists.',
      effect: 'read',
      parameters: { type: 'object', properties: {} },
      run: () => orders,
    });
    const made: string[] = [];
    const code =
      'const all = await list_orders({}); const { id } = all.at(-1);\n' +
      'const paid = await pay({ id }); return [paid, all.length, (await list_orders({}))[7].total];';
    const { runner, restart } = await start(code, [list, pay(made)]);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const next = await restart();
    const [request] = await next.pending(address);
    const events = await eventsOf(next.approve(request as NonNullable<typeof request>));

    expect(responseIn(events)).toMatchObject({ outcome: 'OUTCOME_OK', result: ['paid 4999', 5_000, 70] });
    expect(made).toEqual(['pay 4999']);
  });

  it.each<[CodeModeOptions, string]>([
    [{ tools: [], maxCalls: 0 }, 'maxCalls is 0. Pass a whole number from 1.'],
    [{ tools: [], maxCalls: 1.5 }, 'maxCalls is 1.5. Pass a whole number from 1.'],
    [{ tools: [], confrim: true } as CodeModeOptions, 'Did you mean confirm?'],
  ])('refuses %j', (options, fault) => {
    expect(() => codeMode(new VmExecutor(), options)).toThrow(fault);
  });

  it('refuses an executor whose code cannot call functions', () => {
    const executor = Object.assign(new VmExecutor(), { callsFunctions: false });

    expect(() => codeMode(executor, { tools: [] })).toThrow(
      expect.objectContaining({ code: 'TOOL_CONFIG_INVALID' }) as Error,
    );
  });
});

const ID = {
  type: 'object',
  properties: { id: { type: 'number' } },
  required: ['id'],
  additionalProperties: false,
} as const;

const PAYS = `
  let found;
  for (const id of [1, 2]) found = (await look_up({ id })).total;
  const paid = await pay({ id: 2 });
  return [paid, (await look_up({ id: 3 })).total];`;

const PAYS_NOT = 'return (await look_up({ id: 1 })).total + (await look_up({ id: 2 })).total;';

function lookUp(made: string[]): Tool {
  return defineTool({
    name: 'look_up',
    description: 'Finds an order.',
    effect: 'read',
    parameters: {
      ...ID,
      properties: {
        ...ID.properties,
        fields: { type: 'array', items: { enum: ['state', 'total'] }, description: 'Or all.' },
      },
    },
    run: ({ id }) => {
      made.push(`look_up ${String(id)}`);
      return { id, total: Number(id) * 10 };
    },
  });
}

function pay(made: string[], idempotent = true): Tool {
  return defineTool({
    name: 'pay',
    description: 'Pays an order.',
    confirm: true,
    idempotent,
    parameters: ID,
    run: ({ id }) => {
      made.push(`pay ${String(id)}`);
      return `paid ${String(id)}`;
    },
  });
}

const failing = defineTool({
  name: 'fails',
  description: 'Fails.',
  exposeErrors: true,
  parameters: ID,
  run: () => {
    throw new Error('out of stock');
  },
});

type Sources = CodeModeOptions['tools'];

function clerk(tools: Sources, options: Partial<CodeModeOptions> = {}, executor = new VmExecutor()) {
  return defineAgent({ name: 'clerk', tools: [codeMode(executor, { tools, ...options })] });
}

async function start(
  code: string,
  tools: Sources,
  given: object = {},
  options: Partial<CodeModeOptions> = {},
  executor = new VmExecutor(),
) {
  const sessions = new InMemorySessionService();
  const artifacts = new InMemoryArtifactService();
  const bindings = new ContainerModule(({ bind }) => {
    bind(ArtifactService).toConstantValue(artifacts);
  });
  const open = () => openRunner(sessions, code, tools, given, options, executor, bindings);
  return { runner: await open(), restart: open, artifacts };
}

function openRunner(
  sessions: SessionService,
  code: string,
  tools: Sources,
  given: object = { config: { takeOverAfter: 0 } },
  ...[options, executor, bindings]: [Partial<CodeModeOptions>?, VmExecutor?, ContainerModule?]
) {
  return createRunner(clerk(tools, options, executor), {
    model: new RepeatingModel(callsTool('run_script', { code }), says('Done.')),
    modules: [
      new ContainerModule(({ bind }) => {
        bind(SessionService).toConstantValue(sessions);
        bind(Logger).toConstantValue(new QuietLogger());
      }),
      ...(bindings ? [bindings] : []),
    ],
    ...given,
  });
}

/** Approves all that is asked, until nothing is. */
async function approveAll(runner: Runner, started: Promise<unknown>): Promise<void> {
  await started;
  for (;;) {
    const [request] = await runner.pending(address);
    if (request === undefined) return;
    await eventsOf(runner.approve(request));
  }
}

async function runScript(...given: Parameters<typeof start>) {
  const { runner, artifacts } = await start(...given);
  const key = { appName: runner.appName, ...address };
  const shown = await eventsOf(runner.run({ ...address, message: 'Go.' }));
  const session = await runner.sessions.getSession(key);
  const artifactOf = async (name: string): Promise<unknown> => {
    const { data = '' } = (await artifacts.load(key, name))?.inlineData ?? {};
    return JSON.parse(Buffer.from(data, 'base64').toString()) as unknown;
  };
  return {
    response: responseIn(shown),
    events: session?.events ?? [],
    text: shown.at(-1)?.text,
    artifactOf,
  };
}

/** The response to the script. */
function responseIn(events: Awaited<ReturnType<typeof eventsOf>>): Readonly<Record<string, unknown>> {
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return responses.findLast(({ name }) => name === 'run_script')?.response ?? {};
}
