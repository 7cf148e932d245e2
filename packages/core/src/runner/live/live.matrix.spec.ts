import { existsSync, readFileSync } from 'node:fs';

import * as pluginsPackage from '@adorn/plugins';
import {
  callsLive,
  callsTool,
  drops,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  streams,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { AGENT_OPTIONS } from '../../agents/agent-options.js';
import type { LiveCallbacks } from '../../backend.js';
import { AGENT_HOOKS, RUN_HOOKS } from '../../gates/callbacks/callback-chain.js';
import {
  agent,
  createRunner,
  defineAgent,
  Deny,
  type Event,
  getUserChoice,
  googleSearch,
  GuardrailsPlugin,
  googleMaps,
  builtInCodeExecution,
  fileSearch,
  LlmAgent,
  loadArtifacts,
  loadMemory,
  Logger,
  type Message,
  Plugin,
  preloadMemory,
  type Runner,
  type Tool,
  transferToAgent,
  urlContext,
  vertexAiSearch,
} from '../../index.js';
import * as controlFlowTools from '../../tools/builtin/control-flow.tools.js';
import * as artifactTools from '../../tools/builtin/load-artifacts.tool.js';
import * as memoryTools from '../../tools/builtin/memory.tools.js';
import * as providerTools from '../../tools/builtin/provider.tools.js';
import * as codeTools from '../../tools/builtin/run-code.tool.js';
import { PROCESSORS } from '../../turn/processors.js';
import { isTurnEnd, KEY, look, settled } from './live.fixture.js';

/** The ways in which a conversation is held. */
const MODES = ['text', 'live', 'live after a reconnection', 'text after live'] as const;
type Mode = (typeof MODES)[number];

/** What came of a message. */
interface World {
  /** What the model that answered was told, and was offered. */
  readonly read: string;
  readonly offered: string;
  readonly events: readonly Event[];
  readonly state: Readonly<Record<string, unknown>>;
  /** What callbacks have noted. */
  readonly notes: ReadonlySet<string>;
  readonly artifacts: readonly string[];
  readonly waiting: number;
}

/** A small program for one feature, and where its effect is seen. */
interface Program {
  readonly options?: object;
  readonly plugins?: () => readonly Plugin[];
  readonly Agent?: (note: (what: string) => void) => new () => LlmAgent;
  readonly plugin?: (note: (what: string) => void) => Plugin;
  readonly message?: Message;
  readonly calls?: readonly [name: string, args?: Record<string, unknown>];
  readonly answer?: string;
  readonly fails?: boolean;
  readonly isSeen: (world: World) => boolean;
}

type Row =
  | (Program & { readonly kind: 'same' })
  /** A live session refuses it, with this code. */
  | (Program & { readonly kind: 'refused'; readonly code: string })
  /** Another effect, or none: the page of the documentation and the words in it. */
  | { readonly kind: 'different'; readonly page: string; readonly words: string };

const same = (program: Program): Row => ({ kind: 'same', ...program });
const different = (words: string, page = 'live.md'): Row => ({ kind: 'different', page, words });
const reads =
  (text: string, isThere = true) =>
  ({ read }: World): boolean =>
    read.includes(text) === isThere;
const offers =
  (text: string, isThere = true) =>
  ({ offered }: World): boolean =>
    offered.includes(text) === isThere;
const ends =
  (code: string) =>
  ({ events }: World): boolean =>
    events.some(({ errorCode }) => errorCode === code);

const REFUSES = {
  name: 'no-darn',
  check: (text: string) => (text.includes('darn') ? new Deny('swears') : undefined),
};
const looks = (result: unknown = 'LOOKED'): Tool => look(() => result);
const breaking = (traits: object = {}): Tool =>
  look(() => {
    throw new Error('broken');
  }, traits);
const breaks = breaking();
const Expert = defineAgent({ name: 'expert', description: 'KNOWS' });
const Peer = defineAgent({ name: 'peer', description: 'ALSO_KNOWS' });
const loyal = (options: object) => defineAgent({ name: 'expert', description: 'KNOWS', ...options });
const handsOver = ['transfer_to_agent', { agent_name: 'expert' }] as const;

const OPTION_ROWS: Readonly<Record<string, Row>> = {
  instruction: same({ options: { instruction: 'BE_KIND' }, isSeen: reads('BE_KIND') }),
  staticInstruction: same({
    options: { staticInstruction: 'FIXED', instruction: 'BE_KIND' },
    isSeen: ({ read }) => read.includes('FIXED') && read.includes('BE_KIND'),
  }),
  globalInstruction: same({ options: { globalInstruction: 'EVERYONE' }, isSeen: reads('EVERYONE') }),
  generateContentConfig: same({
    options: { generateContentConfig: { temperature: 0.25 } },
    isSeen: offers('0.25'),
  }),
  name: same({ isSeen: reads('clerk') }),
  description: same({ options: { description: 'HELPS' }, isSeen: reads('HELPS') }),
  includeContents: same({ options: { includeContents: 'none' }, isSeen: reads('EARLIER', false) }),
  outputKey: same({ options: { outputKey: 'answer' }, isSeen: ({ state }) => state['answer'] === 'Good.' }),
  outputSchema: {
    kind: 'refused',
    code: 'LIVE_NOT_SUPPORTED',
    options: { outputSchema: { type: 'object', properties: { marked: { type: 'string' } } } },
    answer: '{"marked":"yes"}',
    isSeen: offers('marked'),
  },
  tools: same({ options: { tools: [looks()] }, calls: ['look'], isSeen: reads('LOOKED') }),
  inputGuardrails: same({
    options: { inputGuardrails: [REFUSES] },
    message: 'Oh darn.',
    isSeen: (world) => ends('GUARDRAIL_TRIPPED')(world),
  }),
  outputGuardrails: same({
    options: { outputGuardrails: [REFUSES] },
    answer: 'Oh darn.',
    isSeen: (world) => ends('GUARDRAIL_TRIPPED')(world),
  }),
  toolGuardrails: same({
    options: { tools: [looks('darn')], toolGuardrails: [REFUSES] },
    calls: ['look'],
    isSeen: (world) => ends('GUARDRAIL_TRIPPED')(world),
  }),
  subAgents: same({ options: { subAgents: [Expert] }, isSeen: offers('KNOWS') }),
  delegation: same({
    options: { subAgents: [loyal({ delegation: 'call' })] },
    isSeen: offers('returns the conversation to you'),
  }),
  disableTransfer: same({
    options: { subAgents: [Expert], disableTransfer: true },
    isSeen: offers('transfer_to_agent', false),
  }),
  disallowTransferToParent: same({
    options: { subAgents: [loyal({ disallowTransferToParent: true })] },
    calls: handsOver,
    isSeen: offers('- clerk:', false),
  }),
  disallowTransferToPeers: same({
    options: { subAgents: [loyal({ disallowTransferToPeers: true }), Peer] },
    calls: handsOver,
    isSeen: ({ offered }) => offered.includes('- clerk:') && !offered.includes('ALSO_KNOWS'),
  }),
  model: different('`live` of the agent'),
  maxIterations: different('`maxIterations`'),
  concurrency: different('`concurrency`'),
  itemsKey: different('`itemsKey`'),
};

type Hooks = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A plugin, or an agent, with one callback. */
const noting =
  (hook: string, reply?: unknown) =>
  (note: (what: string) => void): Plugin => {
    class Noting extends Plugin {
      readonly name = 'noting';
    }
    const hooks: Hooks = { [hook]: () => (note(hook), reply) };
    Object.assign(Noting.prototype, hooks);
    return new Noting();
  };
const hooked = (hook: string, program: Partial<Program> = {}): Row =>
  same({ plugin: noting(hook), isSeen: ({ notes }) => notes.has(hook), ...program });

const CALLBACK_ROWS: Readonly<Record<string, Row>> = {
  beforeAgent: hooked('beforeAgent'),
  afterAgent: hooked('afterAgent'),
  beforeModel: hooked('beforeModel'),
  afterModel: hooked('afterModel'),
  onModelPiece: hooked('onModelPiece'),
  onModelError: hooked('onModelError', { fails: true }),
  checkTool: hooked('checkTool', { options: { tools: [looks()] }, calls: ['look'] }),
  beforeTool: hooked('beforeTool', { options: { tools: [looks()] }, calls: ['look'] }),
  afterTool: hooked('afterTool', { options: { tools: [looks()] }, calls: ['look'] }),
  onToolError: hooked('onToolError', { options: { tools: [breaks] }, calls: ['look'] }),
  onRegister: hooked('onRegister'),
  onUserMessage: hooked('onUserMessage'),
  beforeRun: hooked('beforeRun'),
  onEvent: hooked('onEvent'),
  afterRun: hooked('afterRun'),
  observe: hooked('observe'),
};

const LIVE_CALLBACK_ROWS: Readonly<Record<keyof LiveCallbacks, Row>> = {
  onToolCall: different('`onToolCall`'),
  beforeToolResponse: different('`beforeToolResponse`'),
  onLiveStart: different('`onLiveStart`'),
  onLiveTurn: different('`onLiveTurn`'),
  onLiveTimer: different('`onLiveTimer`'),
};

const FILE = { inlineData: { mimeType: 'image/png', data: 'AAAA', displayName: 'a.png' } };

const PLUGIN_ROWS: Readonly<Record<string, Row>> = {
  ContextFilterPlugin: same({
    plugins: () => [new pluginsPackage.ContextFilterPlugin({ turns: 1 })],
    isSeen: reads('EARLIER', false),
  }),
  GlobalInstructionPlugin: same({
    plugins: () => [new pluginsPackage.GlobalInstructionPlugin('EVERYONE')],
    isSeen: reads('EVERYONE'),
  }),
  LoggingPlugin: same({
    plugin: (note) => new pluginsPackage.LoggingPlugin({ logger: new NotingLogger(note) }),
    isSeen: ({ notes }) => notes.has('message'),
  }),
  RedactionPlugin: same({
    plugins: () => [new pluginsPackage.RedactionPlugin({ patterns: [/sk-\d+/] })],
    message: 'It is sk-1.',
    answer: 'So sk-1 it is.',
    isSeen: ({ events, read }) => !JSON.stringify([events, read]).includes('sk-1'),
  }),
  ReflectAndRetryPlugin: same({
    plugins: () => [new pluginsPackage.ReflectAndRetryPlugin()],
    options: { tools: [breaking({ effect: 'read' })] },
    calls: ['look'],
    isSeen: ({ events }) => JSON.stringify(events).includes('guidance'),
  }),
  SaveFilesAsArtifactsPlugin: same({
    plugins: () => [new pluginsPackage.SaveFilesAsArtifactsPlugin()],
    message: [{ text: 'See.' }, FILE],
    isSeen: ({ artifacts }) => artifacts.length > 1,
  }),
  SecurityPolicyPlugin: same({
    plugins: () => [new pluginsPackage.SecurityPolicyPlugin({ rules: [] })],
    options: { tools: [looks()] },
    calls: ['look'],
    isSeen: ({ events, read }) => JSON.stringify(events).includes('error') && !read.includes('LOOKED'),
  }),
  GuardrailsPlugin: same({
    plugins: () => [new GuardrailsPlugin({ outputGuardrails: [REFUSES] })],
    answer: 'Oh darn.',
    isSeen: (world) => ends('GUARDRAIL_TRIPPED')(world),
  }),
};

const offered = (tool: Tool, kind: string): Row => same({ options: { tools: [tool] }, isSeen: offers(kind) });
const unable = (tool: Tool, kind: string): Row => ({
  kind: 'refused',
  code: 'LIVE_NOT_SUPPORTED',
  options: { tools: [tool] },
  isSeen: offers(kind),
});

const TOOL_ROWS: Readonly<Record<string, Row>> = {
  transferToAgent: same({
    options: { tools: [transferToAgent()], subAgents: [Expert] },
    calls: handsOver,
    isSeen: ({ events }) => events.at(-1)?.author === 'expert',
  }),
  exitLoop: different('`exitLoop`'),
  getUserChoice: same({
    options: { tools: [getUserChoice()] },
    calls: ['get_user_choice', { prompt: 'Which?', options: ['a', 'b'] }],
    isSeen: ({ waiting }) => waiting > 0,
  }),
  loadArtifacts: same({
    options: { tools: [loadArtifacts()] },
    calls: ['load_artifacts', { artifact_names: ['notice.txt'] }],
    isSeen: reads('THE_NOTICE'),
  }),
  loadMemory: same({
    options: { tools: [loadMemory()] },
    calls: ['load_memory', { query: 'harbour' }],
    isSeen: reads('closed on Monday'),
  }),
  preloadMemory: same({
    options: { tools: [preloadMemory()] },
    message: 'And the harbour?',
    isSeen: reads('closed on Monday'),
  }),
  googleSearch: offered(googleSearch(), 'googleSearch'),
  urlContext: offered(urlContext(), 'urlContext'),
  builtInCodeExecution: offered(builtInCodeExecution(), 'codeExecution'),
  googleMaps: unable(googleMaps(), 'googleMaps'),
  fileSearch: unable(fileSearch({ fileSearchStoreNames: ['fileSearchStores/a'] }), 'fileSearch'),
  vertexAiSearch: unable(
    vertexAiSearch({ engine: 'projects/p/locations/l/collections/c/engines/e' }),
    'retrieval',
  ),
  runCode: different('`runCode`'),
};

/** Each processor is seen by the option that it serves. */
const PROCESSOR_ROWS: Readonly<Record<string, Row | undefined>> = {
  basicsProcessor: OPTION_ROWS['generateContentConfig'],
  instructionsProcessor: OPTION_ROWS['instruction'],
  identityProcessor: OPTION_ROWS['name'],
  outputSchemaProcessor: OPTION_ROWS['outputSchema'],
  historyProcessor: OPTION_ROWS['includeContents'],
  toolsProcessor: OPTION_ROWS['tools'],
  transferProcessor: OPTION_ROWS['subAgents'],
};

const functionsOf = (...modules: readonly object[]): string[] =>
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) && name !== 'codeResultIn' ? [name] : [],
    ),
  );
const pluginsOf = (module: object): string[] =>
  Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' && (value as { readonly prototype: unknown }).prototype instanceof Plugin
      ? [name]
      : [],
  );

/** Every feature of the real tables, and the rows that this spec has for them. */
const TABLES: readonly (readonly [string, readonly string[], Readonly<Record<string, Row | undefined>>])[] = [
  ['options of agents', Object.keys(AGENT_OPTIONS), OPTION_ROWS],
  ['callbacks', [...AGENT_HOOKS, ...RUN_HOOKS], CALLBACK_ROWS],
  ['live callbacks', Object.keys(LIVE_CALLBACK_ROWS), LIVE_CALLBACK_ROWS],
  ['plugins', [...pluginsOf(pluginsPackage), 'GuardrailsPlugin'], PLUGIN_ROWS],
  [
    'built-in tools',
    functionsOf(controlFlowTools, artifactTools, memoryTools, providerTools, codeTools),
    TOOL_ROWS,
  ],
  ['processors', PROCESSORS.map(({ name }) => name), PROCESSOR_ROWS],
];

describe('every feature has a cell for text, live, live after a reconnection, and text after live', () => {
  it.each(TABLES)('%s', (_table, names, rows) => {
    expect(Object.keys(rows).toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('differs only where a page says so', () => {
    for (const [, , rows] of TABLES)
      for (const row of Object.values(rows)) {
        if (row?.kind !== 'different') continue;
        const page = new URL(`../../../../docs/${row.page}`, import.meta.url);
        expect(existsSync(page)).toBe(true);
        expect(readFileSync(page, 'utf8')).toContain(row.words);
      }
  });

  it('has as many cells as it says', () => {
    const rows = TABLES.flatMap(([, , of]) => Object.values(of));
    const count = (kind: Row['kind']): number =>
      rows.filter((row) => row?.kind === kind).length * MODES.length;
    const counts = `${String(count('same'))} same, ${String(count('refused'))} refused, ${String(count('different'))} documented`;
    process.stdout.write(`text and live: ${String(rows.length * MODES.length)} cells (${counts})\n`);
    expect(rows.length).toBeGreaterThan(0);
  });
});

const PLAYED = TABLES.filter(([table]) => table !== 'processors').flatMap(([, , rows]) =>
  Object.entries(rows).flatMap(([name, row]) =>
    row && row.kind !== 'different' ? [[name, row] as const] : [],
  ),
);

describe.each(PLAYED)('%s', (_name, row) => {
  it.each(MODES)('%s', async (mode) => {
    const world = await play(row, mode);
    if (row.kind === 'refused' && mode !== 'text')
      expect(world.events.map(({ errorCode }) => errorCode)).toContain(row.code);
    else expect(row.isSeen(world)).toBe(true);
  });
});

async function play(program: Program, mode: Mode): Promise<World> {
  const notes = new Set<string>();
  const note = (what: string): void => void notes.add(what);
  const text = new ScriptedModel(streams('Before.'), ...textSteps(program));
  const live = new ScriptedLive(...liveSteps(program, mode));
  class Clerk extends LlmAgent {}
  agent({ name: 'clerk', ...program.options })(Clerk);
  const plugins = [...(program.plugins?.() ?? []), ...(program.plugin ? [program.plugin(note)] : [])];
  const runner: Runner<unknown> = await createRunner(Clerk, {
    model: text,
    plugins,
    config: { streaming: 'sse' },
  });
  const session = { appName: runner.appName, ...KEY };
  await prepare(runner);
  if (mode !== 'text after live') notes.forEach((one) => one !== 'onRegister' && notes.delete(one));
  if (mode !== 'text') await talk(runner, live, program, mode);
  const { message = 'Hello.' } = program;
  if (mode === 'text after live') {
    notes.forEach((one) => one !== 'onRegister' && notes.delete(one));
    text.requests.splice(0);
  }
  if (mode === 'text' || mode === 'text after live')
    await runner.run({ ...KEY, message }).catch(() => undefined);
  const request = text.requests.at(-1);
  const connection = live.connections.at(-1);
  const isText = mode === 'text' || mode === 'text after live';
  const stored = await runner.sessions.getSession(session);
  const world: World = {
    read: JSON.stringify(
      isText ? [request?.contents, request?.config] : [connection?.setup, connection?.sent],
    ),
    offered: JSON.stringify(isText ? request?.config : connection?.setup),
    events: stored?.events ?? [],
    state: stored?.state ?? {},
    notes,
    artifacts: await runner.artifacts.list(session),
    waiting: (await runner.pending(KEY)).length,
  };
  await runner.close();
  return world;
}

/** A conversation that has gone on before, a memory and a file. */
async function prepare(runner: Runner<unknown>): Promise<void> {
  const session = { appName: runner.appName, ...KEY };
  await runner.sessions.createSession(session);
  await runner.memory.addMemory({ appName: runner.appName, userId: KEY.userId }, [
    { content: { role: 'user', parts: [{ text: 'The harbour is closed on Monday.' }] } },
  ]);
  await runner.artifacts.save(session, 'notice.txt', { text: 'THE_NOTICE' });
  await runner.run({ ...KEY, message: 'EARLIER' });
}

async function talk(
  runner: Runner<unknown>,
  model: ScriptedLive,
  program: Program,
  mode: Mode,
): Promise<void> {
  const { message = 'Hello.' } = program;
  const live = runner.live({ ...KEY, model });
  const reading = (async () => {
    for await (const event of live) if (isTurnEnd(event) || event.errorCode !== undefined) continue;
  })().catch(() => undefined);
  if (mode === 'live after a reconnection') {
    live.sendText('First.');
    await untilConnected(model, 2, live);
  }
  live.sendText(message);
  await settled(60);
  await live.close();
  await reading;
}

async function untilConnected(
  model: ScriptedLive,
  count: number,
  live: ReturnType<Runner['live']>,
): Promise<void> {
  const over = { is: false };
  const end = (): void => {
    over.is = true;
  };
  live.ended.then(end, end);
  for (let tick = 0; tick < 500 && model.connections.length < count && !over.is; tick++) await settled(1);
}

function textSteps({ calls, answer = 'Good.', fails = false }: Program): ScriptedStep[] {
  const last: ScriptedStep = fails
    ? () => {
        throw new Error('down');
      }
    : streams(answer);
  return [...(calls ? [callsTool(...calls)] : []), last];
}

function liveSteps({ calls, answer = 'Good.', fails = false }: Program, mode: Mode): LiveStep[] {
  const before = mode === 'live after a reconnection' ? [untilText(), ...speaks('One.'), drops()] : [];
  const handsOn = calls?.[0] === 'transfer_to_agent';
  const call = calls
    ? [callsLive(calls[0], calls[1] ?? {}, 'c1'), handsOn ? untilText() : untilResponse('c1')]
    : [];
  const failure: LiveStep = { kind: 'error', code: 'MODEL_FAILED', message: 'down', fatal: false };
  return [...before, untilText(), ...call, ...(fails ? [failure] : speaks(answer))];
}

class NotingLogger extends Logger {
  constructor(private readonly note: (what: string) => void) {
    super();
  }
  override debug = (message: string): void => {
    this.note(message);
  };
  override info = (message: string): void => {
    this.note(message);
  };
  override warn = (): void => undefined;
  override error = (): void => undefined;
}
