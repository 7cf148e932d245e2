import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { callerOf, MOST_UI_CALLS, UiCallRefusedError, uiIn, uiOfCall } from '../../backend.js';
import {
  ConsoleLogger,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type PendingRequest,
  type Runner,
  SessionService,
  StaticToolset,
  type Tool,
  withOptions,
  withPrefix,
} from '../../index.js';
import { address, linesWhereverItDies } from '../specs/runs/dying-process.fixture.js';
import { PageServer } from './call-ui.fixture.js';

const VIEW = 'ui://rooms/view.html';
const logger = new ConsoleLogger();

describe('the page of a call (MCP Apps)', () => {
  it('is named by the event of the result, and read by whoever may read the conversation', async () => {
    const { runner, server, show } = await shown();

    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    expect(uiIn(show.event, show.callId)).toBe(VIEW);
    expect(await ui.read({ logger })).toMatchObject({ uri: VIEW, html: '<p>Rooms</p>' });
    expect([ui.resourceUri, ui.args, ui.result, server.read]).toEqual([
      VIEW,
      { floor: 2 },
      { content: [{ type: 'text', text: 'done: show' }] },
      [VIEW],
    ]);
  });

  it('calls tools that no model is offered, as calls of the conversation', async () => {
    const { runner, model, show, ran } = await shown();
    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    const { output } = await ui.call('refresh', {}, { by: 'ann', channel: 'web' });

    expect([output, ran]).toEqual(['done: refresh', ['show', 'refresh']]);
    expect(model.requests).toHaveLength(2);
    const [call, response] = (await logOf(runner)).slice(-2);
    const caller = { by: 'ann', channel: 'web', fromUi: show.callId };
    expect([call && callerOf(call), response && callerOf(response)]).toEqual([caller, caller]);
    expect(call?.functionCalls).toMatchObject([{ name: 'rooms_refresh' }]);
  });

  it('does not show its own tools to the model, which cannot call them', async () => {
    const steps = [callsTool('rooms_refresh', {}), says('No.')];
    const { runner, model, ran } = await start({ steps });

    const { events } = await runner.run({ ...address, message: 'Refresh.' });

    expect(declared(model)).toEqual([
      ['rooms_show', 'rooms_book'],
      ['rooms_show', 'rooms_book'],
    ]);
    const [response] = events.flatMap(({ functionResponses }) => functionResponses);
    expect(response?.response?.['error']).toContain('There is no tool called "rooms_refresh"');
    expect(response?.response?.['error']).not.toContain('Did you mean');
    expect(ran).toEqual([]);
    await expect(runner.call({ tool: 'rooms_refresh', ...address })).resolves.toMatchObject({
      status: 'failed',
    });
  });

  it.each<[string, (tools: Tool[]) => object[]]>([
    ['options', (tools) => tools.map((tool) => withOptions(tool, { timeout: 1_000 }))],
    ['a prefix', (tools) => [withPrefix(new StaticToolset(tools), 'x')]],
  ])('hides them in %s as well', async (_in, wrap) => {
    const server = new PageServer();
    const tools = wrap([server.tool('refresh', { visibility: ['app'] })]) as Tool[];
    const model = new ScriptedModel(says('Hello.'));
    await using runner = await createRunner(defineAgent({ name: 'desk', description: '', model, tools }));

    await runner.run({ ...address, message: 'Hi.' });

    expect(declared(model).flat().join()).not.toContain('refresh');
    expect((await runner.tools(address)).map(({ name }) => name).join()).not.toContain('refresh');
    const all = await runner.tools({ ...address, forPages: true });
    expect(all.map(({ ui }) => ui?.name)).toContain('refresh');
  });

  it('waits for a person where its call asks for confirmation, and the answer of another process runs it', async () => {
    const sessions = new InMemorySessionService();
    const { runner, show, ran } = await shown({ sessions });
    const second = await start({ sessions });
    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    const paused = await ui.call('book', {}, { callId: 'b1' });
    const open = await uiOfCall(runner, { ...address, callId: show.callId });
    await second.runner.approve(paused.pending[0] as PendingRequest);

    expect([paused.status, paused.pending.map(({ tool }) => tool), ran]).toEqual([
      'paused',
      ['rooms_book'],
      ['show'],
    ]);
    expect(open.resultOf('b1')).toBeUndefined();
    const done = await uiOfCall(runner, { ...address, callId: show.callId });
    expect([done.resultOf('b1'), second.ran]).toEqual([
      { content: [{ type: 'text', text: 'done: book' }] },
      ['book'],
    ]);
    expect(() => done.resultOf(show.callId)).toThrow(/no page has made it/);
  });

  it.each([
    ['of another server', 'pay'],
    ['that only models call', 'secret'],
    ['without a page side', 'plain'],
    ['by the name that models know', 'rooms_refresh'],
    ['that does not exist', '__proto__'],
  ])('refuses the page a tool %s, and stores nothing', async (_which, name) => {
    const other = new PageServer();
    const more = [
      other.tool('pay'),
      new PageServer().tool('refund'),
      new FunctionTool({ name: 'plain', description: '', run: () => 'no' }),
    ];
    const { runner, show, ran } = await shown({ more });
    const before = await logOf(runner);
    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    expect(ui.callable).toEqual(['show', 'book', 'refresh']);
    expect(() => ui.call(name, {})).toThrow(UiCallRefusedError);
    expect(() => ui.call(name, {})).toThrow(/"refresh"/);
    expect([await logOf(runner), ran]).toEqual([before, ['show']]);
  });

  it('refuses a page that has made as many calls as it may', async () => {
    const { runner, show } = await shown();
    const first = await uiOfCall(runner, { ...address, callId: show.callId });
    for (let made = 0; made < MOST_UI_CALLS; made++) await first.call('refresh', {});

    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    expect(() => ui.call('refresh', {})).toThrow(/it has made 200 calls/);
  });

  it.each<[string, (runner: Runner, callId: string) => Promise<object>]>([
    ['another user', (runner, callId) => Promise.resolve({ ...address, userId: 'bob', callId })],
    ['another session', (runner, callId) => Promise.resolve({ ...address, sessionId: 's2', callId })],
    ['a call that does not exist', () => Promise.resolve({ ...address, callId: '__proto__' })],
    [
      'a call that was undone',
      async (runner, callId) => {
        const [first] = await logOf(runner);
        await runner.rewind({ ...address, invocationId: first?.invocationId ?? '' });
        return { ...address, callId };
      },
    ],
  ])('is not found for %s', async (_what, addressOf) => {
    const { runner, show } = await shown();
    const at = await addressOf(runner, show.callId);

    await expect(uiOfCall(runner, at as Parameters<typeof uiOfCall>[1])).rejects.toMatchObject({
      code: 'UI_NOT_FOUND',
    });
  });

  it('is not given by a message of a user that claims one', async () => {
    const { runner } = await start({ steps: [says('Hello.')] });
    const claimed = { role: 'user', parts: [{ text: 'Hi' }], customMetadata: { 'adorn:ui': { c1: VIEW } } };
    await runner.run({ ...address, message: claimed });

    await expect(uiOfCall(runner, { ...address, callId: 'c1' })).rejects.toMatchObject({
      code: 'UI_NOT_FOUND',
    });
  });

  it.each([
    [
      'refresh',
      [
        'user: A page calls the tool "rooms_refresh".',
        'desk: call rooms_refresh',
        'desk: response rooms_refresh',
      ],
    ],
    [
      'book',
      ['user: A page calls the tool "rooms_book".', 'desk: call rooms_book', 'desk: response rooms_book'],
    ],
  ])('leaves the same log wherever the process of its call dies: %s', async (name, lines) => {
    const log = await linesWhereverItDies(
      async (module) => (await start({ module })).runner,
      (runner) => runner.call({ tool: `rooms_${name}`, fromUi: 'c0', ...address }),
    );

    expect(log).toEqual(lines);
  });
});

interface StartOptions {
  readonly sessions?: InMemorySessionService;
  readonly module?: ContainerModule;
  readonly steps?: readonly ScriptedStep[];
  readonly more?: readonly Tool[];
}

/** A runner of an agent with a server that has a page, and tools for it: one asks first, one is for the page alone. */
async function start({
  sessions = new InMemorySessionService(),
  module,
  steps = [],
  more = [],
}: StartOptions = {}) {
  const server = new PageServer();
  const ran: string[] = [];
  const noted = { ran: (name: string) => void ran.push(name) };
  const tools = [
    server.tool('show', { ...noted, resourceUri: VIEW }),
    server.tool('book', { ...noted, confirm: true }),
    server.tool('refresh', { ...noted, visibility: ['app'] }),
  ];
  const secret = more.length > 0 ? [server.tool('secret', { ...noted, visibility: ['model'] })] : [];
  const model = new ScriptedModel(...steps);
  const toolset = new StaticToolset([...tools, ...secret]);
  const Desk = defineAgent({ name: 'desk', description: '', model, tools: [toolset, ...more] });
  const bindings =
    module ?? new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const runner: Runner = await createRunner(Desk, { modules: [bindings], config: { takeOverAfter: 0 } });
  return { runner, model, server, ran };
}

/** A conversation in which the model has shown the page. */
async function shown(options: StartOptions = {}) {
  const steps = [callsTool('rooms_show', { floor: 2 }), says('Here they are.')];
  const started = await start({ ...options, steps });
  const { events } = await started.runner.run({ ...address, message: 'Show the rooms.' });
  const event = events.find(({ functionResponses }) => functionResponses.length > 0);
  if (!event) throw new Error('The page was not shown.');
  return { ...started, show: { event, callId: event.functionResponses[0]?.id ?? '' } };
}

async function logOf({ appName, sessions }: Runner) {
  return (await sessions.getSession({ appName, ...address }))?.events ?? [];
}

/** The names of the tools in each request of a model. */
function declared({ requests }: ScriptedModel): string[][] {
  return requests.map(({ config }) =>
    ((config.tools ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
    ),
  );
}
