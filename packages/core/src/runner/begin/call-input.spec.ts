import { ContainerModule } from 'inversify';

import { eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { CallInput } from '../../backend.js';
import {
  agentTool,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Plugin,
  type Runner,
  workflow,
  SessionService,
  StaticToolset,
  type Tool,
} from '../../index.js';
import { address, linesWhereverItDies } from '../specs/runs/dying-process.fixture.js';

const ran: string[] = [];

const add = new FunctionTool({
  name: 'add',
  description: 'Adds.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  run: ({ a, b }) => {
    ran.push('add');
    return Number(a) + Number(b);
  },
});
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  confirm: true,
  run: (_args, { state }) => {
    ran.push('pay');
    state.set('paid', true);
    return { paid: true };
  },
});
const fail = new FunctionTool({
  name: 'fail',
  description: 'Fails.',
  run: () => {
    throw new Error('no');
  },
});

describe('runner.call', () => {
  beforeEach(() => ran.splice(0));

  it('runs a tool without asking a model, and its result is the output', async () => {
    const { runner, model } = await start();

    const { status, output, text } = await runner.call({ tool: 'add', args: { a: 1, b: 2 }, ...address });

    expect({ status, output, text }).toEqual({ status: 'answered', output: 3, text: '3' });
    expect(model.requests).toEqual([]);
  });

  it('stores the call behind a message, and says who called', async () => {
    const { runner } = await start();

    const { events } = await runner.call({
      ...{ tool: 'add', args: { a: 1, b: 2 }, callId: 'c1', by: 'ann', channel: 'form', ...address },
    });

    const log = (await runner.sessions.getSession({ appName: runner.appName, ...address }))?.events ?? [];
    expect(log.map(({ author, content }) => [author, content?.role, content?.parts])).toEqual([
      ['user', 'user', [{ text: 'Call the tool "add".' }]],
      ['desk', 'model', [{ functionCall: { id: 'c1', name: 'add', args: { a: 1, b: 2 } } }]],
      ['desk', 'user', [{ functionResponse: { id: 'c1', name: 'add', response: { result: 3 } } }]],
    ]);
    expect(log.map(({ customMetadata }) => customMetadata?.['adorn:caller'])).toEqual([
      undefined,
      { by: 'ann', channel: 'form' },
      { by: 'ann', channel: 'form' },
    ]);
    expect(events.map(({ id }) => id)).toEqual(log.slice(1).map(({ id }) => id));
  });

  it('pauses for a person, whose approval in another process runs it, and no model is asked', async () => {
    const sessions = new InMemorySessionService();
    const first = await start({ sessions });
    const second = await start({ sessions });

    const paused = await first.runner.call({ tool: 'pay', ...address });
    const [request] = await second.runner.pending(address);
    const approved = await second.runner.approve(request ?? missing());

    expect([paused.status, paused.pending.map(({ tool }) => tool)]).toEqual(['paused', ['pay']]);
    expect([approved.status, approved.output, ran]).toEqual(['answered', { paid: true }, ['pay']]);
    expect(second.model.requests).toEqual([]);
    const session = await second.runner.sessions.getSession({ appName: 'desk', ...address });
    expect(session?.state).toEqual({ paid: true });
  });

  it.each<[string, Partial<CallInput> & { tool: string }, string, string]>([
    ['throws', { tool: 'fail' }, 'TOOL_FAILED', 'fail'],
    ['does not exist', { tool: 'ad', args: {} }, 'TOOL_NOT_FOUND', 'add'],
    ['gets wrong arguments', { tool: 'add', args: { a: 'x' } }, 'TOOL_ARGUMENTS_INVALID', 'b'],
  ])('fails the run if the tool %s', async (_why, call, code, word) => {
    const { runner } = await start();

    const { status, error, events } = await runner.call({ ...call, ...address });

    expect(status).toBe('failed');
    expect(events.at(-1)?.errorCode).toBe(code);
    expect(error?.message).toContain(word);
    await expect(runner.call({ ...call, ...address }).output).rejects.toMatchObject({ code: 'RUN_FAILED' });
  });

  it('fails the run if a person refuses', async () => {
    const { runner } = await start();
    const { pending } = await runner.call({ tool: 'pay', ...address });

    const { status, events } = await runner.reject(pending[0] ?? missing(), { reason: 'too much' });

    expect([status, events.at(-1)?.errorCode, ran]).toEqual(['failed', 'CALL_REFUSED', []]);
  });

  it('is part of the conversation that a model sees next', async () => {
    const { runner, model } = await start({ steps: [says('It was 3.')] });
    await runner.call({ tool: 'add', args: { a: 1, b: 2 }, ...address });

    const { text } = await runner.run({ message: 'What was it?', ...address });

    expect(text).toBe('It was 3.');
    expect(model.requests[0]?.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'user']);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['an agent that does not exist', { tool: 'add', agent: 'desks' }, 'CALL_INVALID', 'desk'],
    ['arguments that are a list', { tool: 'add', args: [1] }, 'CALL_INVALID', 'object'],
    ['arguments that are no JSON', { tool: 'add', args: { a: 1n } }, 'CALL_INVALID', 'a'],
    ['a tool that is no name', { tool: 7 }, 'NAME_INVALID', 'tool'],
    ['an empty id', { tool: 'add', callId: '' }, 'NAME_INVALID', 'call'],
    ['a misspelt option', { tool: 'add', arg: {} }, 'RUN_CONFIG_INVALID', 'args'],
  ])('refuses %s, and stores nothing', async (_what, call, code, word) => {
    const { runner } = await start();

    const refusal = await refusalOf(() => runner.call({ ...(call as unknown as CallInput), ...address }));

    expect(refusal).toMatchObject({ code });
    expect(refusal.message).toContain(word);
    expect(await runner.sessions.getSession({ appName: 'desk', ...address })).toBeUndefined();
  });

  it('refuses the id of an open call', async () => {
    const { runner } = await start();
    await runner.call({ tool: 'pay', callId: 'c1', ...address });

    const refusal = await refusalOf(() => runner.call({ tool: 'pay', callId: 'c1', ...address }));

    expect(refusal).toMatchObject({ code: 'CALL_AMBIGUOUS' });
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('calls the tool of an agent within a workflow, of which nothing else runs', async () => {
    const model = new ScriptedModel();
    const First = defineAgent({ name: 'first', description: '', model, tools: [add, pay] });
    const Second = defineAgent({ name: 'second', description: '', model });
    await using runner = await createRunner(workflow.sequence(First, Second));

    const added = await runner.call({ tool: 'add', args: { a: 2, b: 3 }, agent: 'first', ...address });
    const paused = await runner.call({ tool: 'pay', agent: 'first', ...address });
    const paid = await runner.approve(paused.pending[0] ?? missing());

    expect([added.output, paused.status, paid.output]).toEqual([5, 'paused', { paid: true }]);
    expect(model.requests).toEqual([]);
  });

  it('calls the tool of a toolset, and one that runs an agent', async () => {
    const Helper = defineAgent({
      name: 'helper',
      description: '',
      model: new ScriptedModel(says('Helped.')),
    });
    const { runner } = await start({ tools: [new StaticToolset([add]), agentTool(Helper)] });

    const added = await runner.call({ tool: 'add', args: { a: 2, b: 2 }, ...address });
    const helped = await runner.call({ tool: 'helper', args: { request: 'Help.' }, ...address });

    expect([added.output, helped.output]).toEqual([4, { text: 'Helped.' }]);
  });

  it('waits for the result of a tool in the background', async () => {
    const slow = new FunctionTool({
      ...{ name: 'slow', description: '', background: true },
      run: async () => Promise.resolve('done'),
    });
    const { runner, model } = await start({ tools: [slow] });

    const { status, output } = await runner.call({ tool: 'slow', ...address });

    expect([status, output, model.requests]).toEqual(['answered', 'done', []]);
  });

  it('tells no plugin that a user wrote a message', async () => {
    const heard: string[] = [];
    const plugin: Plugin = { name: 'ear', onUserMessage: () => void heard.push('message') };
    const { runner } = await start({ plugins: [plugin] });

    await runner.call({ tool: 'add', args: { a: 1, b: 1 }, ...address });

    expect(heard).toEqual([]);
  });

  it.each([
    ['add', { a: 1, b: 2 }, ['user: Call the tool "add".', 'desk: call add', 'desk: response add']],
    ['pay', {}, ['user: Call the tool "pay".', 'desk: call pay', 'desk: response pay']],
  ])('leaves the same log wherever its process dies: %s', async (tool, args, lines) => {
    const log = await linesWhereverItDies(
      async (module) => (await start({ module, tools: [idempotent(tool), fail] })).runner,
      (runner) => runner.call({ tool, args, ...address }),
    );

    expect(log).toEqual(lines);
  });

  it('is told as unknown after a crash if it may not run twice, and no model is asked', async () => {
    let isDead = true;
    const once = new FunctionTool({
      ...{ name: 'once', description: '' },
      run: () => (isDead ? new Promise(() => undefined) : 'again'),
    });
    const sessions = new InMemorySessionService();
    const first = await start({ sessions, tools: [once] });
    await readOne(first.runner.call({ tool: 'once', ...address }));
    isDead = false;
    const next = await start({ sessions, tools: [once] });

    const events = await eventsOf(next.runner.resume(address));

    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { name: 'once', response: { outcome: 'unknown' } },
    ]);
    expect(next.model.requests).toEqual([]);
    await first.runner.close();
  });

  it('that was interrupted is repeated beside the next message, which the model answers', async () => {
    const sessions = new InMemorySessionService();
    let isDead = true;
    const look = new FunctionTool({
      ...{ name: 'look', description: '', effect: 'read' },
      run: () => (isDead ? new Promise(() => undefined) : 'seen'),
    });
    const first = await start({ sessions, tools: [look] });
    await readOne(first.runner.call({ tool: 'look', ...address }));
    isDead = false;
    const next = await start({ sessions, tools: [look], steps: [says('Hello.')] });

    const { text, events } = await next.runner.run({ message: 'Hi', ...address });

    expect(text).toBe('Hello.');
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { name: 'look', response: { result: 'seen' } },
    ]);
    await first.runner.close();
  });
});

function idempotent(tool: string): Tool {
  if (tool === 'add') return add;
  return new FunctionTool({
    name: 'pay',
    description: '',
    confirm: true,
    idempotent: true,
    run: () => ({ paid: true }),
  });
}

interface Parts {
  readonly sessions?: SessionService;
  readonly module?: ContainerModule;
  readonly tools?: Parameters<typeof defineAgent>[0]['tools'];
  readonly steps?: readonly ScriptedStep[];
  readonly plugins?: Plugin[];
}

async function start({ sessions, module, tools = [add, pay, fail], steps = [], plugins = [] }: Parts = {}) {
  const model = new ScriptedModel(...steps);
  const Desk = defineAgent({ name: 'desk', description: '', model, tools });
  const store = sessions ?? new InMemorySessionService();
  const bindings =
    module ?? new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store));
  const config = { takeOverAfter: 0 };
  const runner: Runner = await createRunner(Desk, { modules: [bindings], config, plugins });
  return { runner, model };
}

/** Reads the event with the call, and leaves the run as it is: its process is dead. */
async function readOne(run: AsyncIterator<unknown>): Promise<void> {
  await run.next();
  run.next().catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
}

async function refusalOf(run: () => PromiseLike<unknown>): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused.');
}

function missing(): never {
  throw new Error('Nothing is pending.');
}
