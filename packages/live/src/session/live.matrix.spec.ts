import { workingMemory } from '@adorn/memory';
import * as memoryPackage from '@adorn/memory';
import * as pluginsPackage from '@adorn/plugins';

import {
  builtInCodeExecution,
  defineAgent,
  Deny,
  fileSearch,
  getUserChoice,
  googleMaps,
  googleSearch,
  GuardrailsPlugin,
  loadArtifacts,
  loadMemory,
  Logger,
  Plugin,
  preloadMemory,
  type Tool,
  transferToAgent,
  urlContext,
  vertexAiSearch,
} from '@adorn/core';
import type { LiveCallbacks } from '@adorn/core/backend';
import { AGENT_OPTIONS } from '../../../core/src/agents/agent-options.js';
import { AGENT_HOOKS, RUN_HOOKS } from '../../../core/src/gates/callbacks/callback-chain.js';
import * as controlFlowTools from '../../../core/src/tools/builtin/control-flow.tools.js';
import * as artifactTools from '../../../core/src/tools/builtin/load-artifacts.tool.js';
import * as memoryTools from '../../../core/src/tools/builtin/memory.tools.js';
import * as providerTools from '../../../core/src/tools/builtin/provider.tools.js';
import * as codeTools from '../../../sandbox/src/tools/run-code.tool.js';
import { PROCESSORS } from '../../../core/src/turn/processors.js';
import { look } from './live.fixture.js';
import {
  describeMatrix,
  different,
  ends,
  type FeatureTable,
  offers,
  type Program,
  reads,
  type Row,
  same,
} from './live.matrix.fixture.js';

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

const CITY = { type: 'object', properties: { city: { type: 'string' } } };

const MEMORY_ROWS: Readonly<Record<string, Row>> = {
  workingMemory: same({
    options: { tools: [workingMemory(CITY)] },
    calls: ['update_profile', { city: 'OSLO' }],
    isSeen: ({ state, read }) =>
      state['user:profile.city'] === 'OSLO' && read.includes('Remembered of the user'),
  }),
};

/** Each processor is seen by the option that it serves. */
const PROCESSOR_ROWS: Readonly<Record<string, Row | undefined>> = {
  basicsProcessor: OPTION_ROWS['generateContentConfig'],
  instructionsProcessor: OPTION_ROWS['instruction'],
  identityProcessor: OPTION_ROWS['name'],
  outputSchemaProcessor: OPTION_ROWS['outputSchema'],
  historyProcessor: OPTION_ROWS['includeContents'],
  toolChoiceProcessor: OPTION_ROWS['generateContentConfig'],
  toolsProcessor: OPTION_ROWS['tools'],
  mediaProcessor: OPTION_ROWS['tools'],
  transferProcessor: OPTION_ROWS['subAgents'],
};

const functionsOf = (...modules: readonly object[]): string[] =>
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
    ),
  );
const pluginsOf = (module: object): string[] =>
  Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' && (value as { readonly prototype: unknown }).prototype instanceof Plugin
      ? [name]
      : [],
  );

/** Every feature of the real tables, and the rows that this spec has for them. */
const TABLES: readonly FeatureTable[] = [
  ['options of agents', Object.keys(AGENT_OPTIONS), OPTION_ROWS],
  ['callbacks', [...AGENT_HOOKS, ...RUN_HOOKS], CALLBACK_ROWS],
  ['live callbacks', Object.keys(LIVE_CALLBACK_ROWS), LIVE_CALLBACK_ROWS],
  ['plugins', [...pluginsOf(pluginsPackage), 'GuardrailsPlugin'], PLUGIN_ROWS],
  [
    'built-in tools',
    functionsOf(controlFlowTools, artifactTools, memoryTools, providerTools, codeTools),
    TOOL_ROWS,
  ],
  ['working memory', Object.keys(memoryPackage).filter((name) => name === 'workingMemory'), MEMORY_ROWS],
  ['processors', PROCESSORS.map(({ name }) => name), PROCESSOR_ROWS],
];

describe('every feature', () => {
  describeMatrix(TABLES, (table) => table !== 'processors');
});

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
