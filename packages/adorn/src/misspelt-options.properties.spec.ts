import { a2aHandler, fetchAgentCard, remoteAgent, serveA2a } from '@adorn/a2a';
import { AiSdkModel, aiSdkModel, loadAiSdkModel } from '@adorn/ai-sdk';
import { exportEvidence, verifyEvidence } from '@adorn/evidence';
import { backgroundExtraction, workingMemory } from '@adorn/memory';
import { hmac, slack, standardWebhooks, trigger } from '@adorn/channels';
import { email } from '@adorn/channels/email';
import { listSchedules, runOccurrence, schedule, signal, startSchedules, waitFor } from '@adorn/schedules';
import { skills } from '@adorn/skills';
import { DataFlowPlugin, languages, modelClassifier, promptInjection, secrets, topics } from '@adorn/guards';
import { searchable } from '@adorn/tool-search';
import {
  compareReports,
  compareTargets,
  dislikedCases,
  EvalReport,
  evaluate,
  exactResponse,
  factuality,
  groundedness,
  judgeAgreement,
  judgedResponse,
  maxCost,
  maxToolCalls,
  noCallAfterRefusal,
  noDoubleEffect,
  noUnapprovedCall,
  responseMatch,
  rouge,
  rubrics,
  safety,
  scoreSession,
  scriptedUser,
  simulatedUser,
  toolTrajectory,
  userFeedback,
} from '@adorn/eval';
import { Fleet, openFleet, sharedBudgets, startWorker } from '@adorn/fleet';
import { GeminiEmbedder, GeminiLiveModel, GeminiModel } from '@adorn/gemini';
import { guardedFetch } from '@adorn/http';
import { extract, LiveAgent, phase, watch } from '@adorn/live';
import { mcpOAuth, mcpToolset, serveMcp } from '@adorn/mcp';
import { oauth } from '@adorn/oauth';
import { OfflineModel } from '@adorn/offline';
import { OpenAiRealtimeModel } from '@adorn/openai-realtime';
import { openApiToolset } from '@adorn/openapi';
import { PgBossQueue } from '@adorn/pg-boss';
import { RestateQueue } from '@adorn/restate';
import { bubblewrap, docker, pyodide, quickJs } from '@adorn/sandbox';
import { adornHandler, pageTools, serve } from '@adorn/server';
import { Database, S3ContentStore, SqlMemoryService, SqlSessionService, sqlStorage } from '@adorn/storage';
import { TelemetryPlugin } from '@adorn/telemetry';
import { artifactFiles, folderFiles, workspace } from '@adorn/workspace';
import type { AgentOptions } from '@adorn/core/backend';
import { says, ScriptedModel } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import { type Kind, KINDS, type Option, readExportedOptions } from './exported-options.fixture.js';
import {
  AdornError,
  agent,
  agentTool,
  ContextFilterPlugin,
  createRunner,
  defineAgent,
  defineTool,
  GeminiModelProvider,
  GuardrailsPlugin,
  importSession,
  InMemorySessionService,
  LlmAgent,
  LlmEventSummarizer,
  LoggingPlugin,
  param,
  personalData,
  RedactionPlugin,
  ReflectAndRetryPlugin,
  runCode,
  type Runner,
  SecurityPolicyPlugin,
  tool,
  Tool,
  toolbox,
  type ToolContext,
  undo,
  withOptions,
} from './index.js';

type Given = Readonly<Record<string, unknown>>;

/** Options that are valid, and what takes them. */
type Door = readonly [valid: Given, take: (options: never) => unknown];

const MODEL = new ScriptedModel(says('Hm.'));
const CITY = { type: 'object', properties: { city: { type: 'string' } } };
const SCHEMA = { type: 'object', properties: { mood: {} } };
const EMPTY = { evalSetId: 's', evalCases: [] };
const TOKEN = 'x'.repeat(32);
const LOOPBACK = 'http://127.0.0.1:1';
const WEBHOOK = { url: LOOPBACK, secret: `whsec_${'c2Vj'.repeat(8)}` };
const CARD = `${LOOPBACK}/card`;
const FIELDS = { name: 'look_up', description: 'Looks up.', run: () => 'Found.' };
const LANGUAGE_MODEL = {
  ...{ specificationVersion: 'v3', provider: 'openai.chat', modelId: 'gpt-5' },
  ...{ doGenerate: () => undefined, doStream: () => undefined },
};
const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'github' };
const SIGNING = { privateKey: {}, algorithm: 'ES256', keyId: 'k' };
const RATE = { calls: 1, perMs: 1 };
/** Options of options that need another one of theirs. */
const TRAITS = {
  ...{ effect: 'read', auth: AUTH, rateLimit: RATE, retry: { attempts: 2 } },
  ...{ longRunning: { announce: true }, concurrency: { calls: 1 } },
};

let runner: Runner;

/** The options are checked before the context. */
const NO_CONTEXT = {} as ToolContext;

/** What takes each options object that a package exports, by its name in the types. */
const DOORS: Readonly<Record<string, Door>> = {
  'a2aHandler(A2aHandlerOptions)': [
    { url: LOOPBACK, signing: SIGNING },
    (options) => a2aHandler(runner, options),
  ],
  'serveA2a(ServeA2aOptions)': [{ signing: SIGNING }, (options) => serveA2a(runner, options)],
  'fetchAgentCard(PeerOptions)': [{}, (options) => fetchAgentCard(CARD, options)],
  'remoteAgent(RemoteAgentOptions)': [
    { name: 'desk', description: 'A desk.' },
    (options) => remoteAgent(CARD, options),
  ],
  'importSession(ImportOptions)': [
    {},
    (options) => importSession(new InMemorySessionService(), [], {}, options),
  ],
  'createRunner(CreateRunnerOptions)': [
    {},
    (options) => createRunner(defineAgent({ name: 'desk', model: MODEL }), options),
  ],
  'testRunner(TestRunnerOptions)': [
    {},
    (options) => testRunner(defineAgent({ name: 'desk', model: MODEL }), options),
  ],
  'new GeminiModelProvider(options)': [{}, (options) => new GeminiModelProvider(options)],
  'new GeminiEmbedder(GeminiEmbedderOptions)': [{}, (options) => new GeminiEmbedder(options)],
  'new GeminiModel(GeminiOptions)': [{}, (options) => new GeminiModel(options)],
  'new GeminiLiveModel(GeminiOptions)': [{}, (options) => new GeminiLiveModel(options)],
  'agent(AgentOptions)': [{ name: 'desk', model: MODEL }, (options) => runnerOf(options)],
  'defineAgent(DefinedAgentOptions)': [
    { name: 'desk', model: MODEL },
    (options) => createRunner(defineAgent(options)),
  ],
  'agentTool(AgentToolOptions)': [
    {},
    (options) => agentTool(defineAgent({ name: 'desk', model: MODEL }), options),
  ],
  'withOptions(WrapperOptions)': [
    { retry: { attempts: 2 } },
    (options) => withOptions(defineTool({ ...FIELDS, effect: 'read' }), options),
  ],
  'defineTool(TypedToolOptions)': [
    { parameters: SCHEMA, name: 'look_up', description: 'Looks up.', ...TRAITS },
    (options) => runnerOf({ name: 'desk', model: MODEL, tools: [defineTool(() => 'Found.', options)] }),
  ],
  'param(ParamOptions)': [
    {},
    (options) =>
      serviceWith((prototype) => {
        param(options)(prototype, 'find', 0);
      }),
  ],
  'tool(TypedToolOptions)': [
    { parameters: SCHEMA, description: 'Looks up.', ...TRAITS },
    (options) => serviceWith(undefined, options),
  ],
  'undo(UndoOptions)': [
    { name: 'lose', description: 'Loses it again.', auth: TRAITS.auth },
    (options) =>
      serviceWith(
        (prototype) => {
          const lose = Object.getOwnPropertyDescriptor(prototype, 'lose');
          undo('find', options)(prototype as never, 'lose', lose as never);
        },
        { effect: 'write' },
      ),
  ],
  'exportEvidence(ExportOptions)': [{}, async (options) => exportEvidence(runner, options).next()],
  'verifyEvidence(VerifyOptions)': [{}, async (options) => verifyEvidence('', options)],
  'toolbox(ToolboxOptions)': [
    {},
    (options) =>
      serviceWith((prototype) => {
        toolbox(options)(prototype.constructor as never);
      }),
  ],
  'new Tool(traits)': [
    TRAITS,
    (options) => runnerOf({ name: 'desk', model: MODEL, tools: [toolWith(options)] }),
  ],
  'runCode(RunCodeOptions)': [
    { auth: AUTH, rateLimit: RATE },
    (options) => runnerOf({ name: 'desk', model: MODEL, tools: [runCode(quickJs(), options)] }),
  ],
  'new ContextFilterPlugin(ContextFilterOptions)': [
    { turns: 1 },
    (options) => new ContextFilterPlugin(options),
  ],
  'new GuardrailsPlugin(GuardrailsPluginOptions)': [{}, (options) => new GuardrailsPlugin(options)],
  'new LoggingPlugin(LoggingOptions)': [{}, (options) => new LoggingPlugin(options)],
  'personalData(PersonalDataOptions)': [{}, (options) => personalData(options)],
  'new RedactionPlugin(RedactionOptions)': [{ patterns: [/x/] }, (options) => new RedactionPlugin(options)],
  'new ReflectAndRetryPlugin(ReflectAndRetryOptions)': [{}, (options) => new ReflectAndRetryPlugin(options)],
  'new SecurityPolicyPlugin(SecurityPolicyOptions)': [
    { rules: [] },
    (options) => new SecurityPolicyPlugin(options),
  ],
  'new LlmEventSummarizer(LlmEventSummarizerOptions)': [
    { model: MODEL },
    (options) => new LlmEventSummarizer(options),
  ],
  'aiSdkModel(AiSdkModelOptions)': [{}, (options) => aiSdkModel(LANGUAGE_MODEL as never, options)],
  'new AiSdkModel(AiSdkModelOptions)': [{}, (options) => new AiSdkModel(LANGUAGE_MODEL as never, options)],
  'loadAiSdkModel(AiSdkModelOptions)': [{}, (options) => loadAiSdkModel('openai/gpt-5', options)],
  'evaluate(EvaluateOptions)': [{}, (options) => evaluate(runner, EMPTY, options)],
  'compareTargets(CompareTargetsOptions)': [
    {},
    (options) => compareTargets({ before: runner, after: runner }, EMPTY, options),
  ],
  'compareReports(CompareOptions)': [
    {},
    (options) => compareReports(new EvalReport('a', []), new EvalReport('b', []), options),
  ],
  'exactResponse(ExactResponseOptions)': [{}, (options) => exactResponse(options)],
  'factuality(JudgeOptions)': [{ model: MODEL }, (options) => factuality(options)],
  'groundedness(JudgeOptions)': [{ model: MODEL }, (options) => groundedness(options)],
  'judgeAgreement(AgreementOptions)': [
    {},
    (options) => judgeAgreement(factuality({ model: MODEL }), [], options),
  ],
  'maxCost(MaxCostOptions)': [{ usd: 1 }, (options) => maxCost(options)],
  'maxToolCalls(MaxToolCallsOptions)': [{ calls: 1 }, (options) => maxToolCalls(options)],
  'noCallAfterRefusal(NoCallAfterRefusalOptions)': [{}, (options) => noCallAfterRefusal(options)],
  'noDoubleEffect(NoDoubleEffectOptions)': [{}, (options) => noDoubleEffect(options)],
  'noUnapprovedCall(NoUnapprovedCallOptions)': [{}, (options) => noUnapprovedCall(options)],
  'dislikedCases(DislikedOptions)': [{}, (options) => dislikedCases({ events: [] } as never, options)],
  'scoreSession(ScoreSessionOptions)': [
    {},
    (options) => scoreSession(runner, { userId: 'ada', sessionId: 'none' }, options),
  ],
  'rouge(RougeOptions)': [{}, (options) => rouge(options)],
  'safety(JudgeOptions)': [{ model: MODEL }, (options) => safety(options)],
  'scriptedUser(ScriptedUserOptions)': [{}, (options) => scriptedUser(['Hi'], options)],
  'simulatedUser(SimulatedUserOptions)': [{ model: MODEL }, (options) => simulatedUser(options)],
  'judgedResponse(JudgeOptions)': [{ model: MODEL }, (options) => judgedResponse(options)],
  'responseMatch(ResponseMatchOptions)': [{}, (options) => responseMatch(options)],
  'rubrics(RubricsOptions)': [{ model: MODEL }, (options) => rubrics(options)],
  'userFeedback(UserFeedbackOptions)': [{}, (options) => userFeedback(options)],
  'toolTrajectory(ToolTrajectoryOptions)': [{}, (options) => toolTrajectory(options)],
  'Fleet.open(FleetOptions)': [{ queue: {} }, (options) => Fleet.open(runner, options)],
  'openFleet(FleetOptions)': [{ queue: {} }, (options) => openFleet(runner, options)],
  'startWorker(WorkerOptions)': [{}, (options) => startWorker({} as never, options)],
  'guardedFetch(GuardedFetchOptions)': [{}, (options) => guardedFetch(options)],
  'extract(ExtractOptions)': [
    { schema: SCHEMA },
    (options) =>
      liveAgent((prototype) => {
        extract(options)(prototype, 'two');
      }),
  ],
  'phase(PhaseOptions)': [
    {},
    (options) =>
      liveAgent((prototype) => {
        phase(options)(prototype, 'two');
      }),
  ],
  'watch(WatchOptions)': [
    {},
    (options) =>
      liveAgent((prototype) => {
        watch('x', options)(prototype, 'two');
      }),
  ],
  'mcpToolset(StdioToolsetOptions)': [
    { command: 'true' },
    (options) => runnerOf({ name: 'desk', model: MODEL, tools: [mcpToolset(options)] }),
  ],
  'mcpToolset(HttpToolsetOptions)': [
    { url: LOOPBACK, auth: AUTH },
    (options) => runnerOf({ name: 'desk', model: MODEL, tools: [mcpToolset(options)] }),
  ],
  'mcpOAuth(McpOAuthOptions)': [
    { url: LOOPBACK, issuer: LOOPBACK, redirectUri: LOOPBACK, privateKey: { pem: 'x', algorithm: 'ES256' } },
    (options) => mcpOAuth(options),
  ],
  'serveMcp(ServeMcpOptions)': [{}, (options) => serveMcp(defineTool(FIELDS), options)],
  'oauth(OAuthOptions)': [{}, (options) => oauth(options)],
  'new OpenAiRealtimeModel(OpenAiRealtimeOptions)': [{}, (options) => new OpenAiRealtimeModel(options)],
  'sharedBudgets(SharedBudgetsOptions)': [{}, (options) => sharedBudgets(options)],
  'workingMemory(WorkingMemoryOptions)': [{}, (options) => workingMemory(CITY, options)],
  'backgroundExtraction(BackgroundExtractionOptions)': [
    {},
    (options) => backgroundExtraction(workingMemory(CITY), options),
  ],
  'new DataFlowPlugin(DataFlowOptions)': [{}, (options) => new DataFlowPlugin(options)],
  'secrets(SecretsOptions)': [{}, (options) => secrets(options)],
  'promptInjection(PromptInjectionOptions)': [
    { classifier: { classify: () => ({ score: 0 }) } },
    (options) => promptInjection(options),
  ],
  'modelClassifier(JudgeOptions)': [{ model: MODEL }, (options) => modelClassifier(options)],
  'topics(TopicsOptions)': [{ model: MODEL, allowed: ['orders'] }, (options) => topics(options)],
  'languages(LanguagesOptions)': [{ model: MODEL, allowed: ['en'] }, (options) => languages(options)],
  'searchable(SearchableOptions)': [{}, (options) => searchable(defineTool(FIELDS), options)],
  'schedule(ScheduleOptions)': [
    {},
    (options) => {
      schedule('@daily', options)({}, 'report', { value: () => undefined });
    },
  ],
  'startSchedules(SchedulesOptions)': [{}, (options) => startSchedules(runner, options)],
  'listSchedules(ListSchedulesOptions)': [{}, (options) => listSchedules(runner, options)],
  'runOccurrence(RunOccurrenceOptions)': [{}, (options) => runOccurrence(runner, 'Desk.morning', options)],
  'waitFor(WaitForOptions)': [{}, (options) => waitFor(NO_CONTEXT, 'paid', options)],
  'signal(SignalOptions)': [
    {},
    (options) => signal(runner, { userId: 'ada', sessionId: 's1' }, 'paid', null, options),
  ],
  'trigger(TriggerOptions)': [
    { verify: () => 'x', to: () => undefined },
    (options) => trigger('/x', options),
  ],
  'standardWebhooks(StandardWebhooksOptions)': [
    {},
    (options) => standardWebhooks(`whsec_${Buffer.alloc(24).toString('base64')}`, options),
  ],
  'hmac(HmacOptions)': [{ secret: TOKEN, header: 'x' }, (options) => hmac(options)],
  'slack(SlackOptions)': [
    { signingSecret: TOKEN, botToken: TOKEN, principal: () => undefined },
    (options) => slack(options),
  ],
  'email(EmailOptions)': [
    {
      address: 'desk@shop.example',
      delivery: () => new Uint8Array(),
      sender: () => undefined,
      smtp: 'smtp://127.0.0.1',
      secret: TOKEN,
      principal: () => undefined,
    },
    (options) => email(options),
  ],
  'skills(SkillsOptions)': [{}, (options) => skills('samples/guides/skills', options)],
  'workspace(WorkspaceOptions)': [{}, (options) => workspace('samples/guides', options)],
  'folderFiles(FolderFilesOptions)': [{}, (options) => folderFiles('samples/guides', options)],
  'artifactFiles(ArtifactFilesOptions)': [{}, (options) => artifactFiles(options)],
  'openApiToolset(OpenApiToolsetOptions)': [
    {},
    (options) => openApiToolset(`${LOOPBACK}/openapi.json`, options),
  ],
  'new PgBossQueue(PgBossQueueOptions)': [
    {},
    (options) => new PgBossQueue('postgres://127.0.0.1/x', options),
  ],
  'new RestateQueue(RestateQueueOptions)': [{}, (options) => new RestateQueue(options)],
  'quickJs(QuickJsOptions)': [{}, (options) => quickJs(options)],
  'bubblewrap(BubblewrapOptions)': [{ languages: [] }, (options) => bubblewrap(options)],
  'docker(DockerOptions)': [{}, (options) => docker(options)],
  'pyodide(PyodideOptions)': [{}, (options) => pyodide(options)],
  'adornHandler(HandlerOptions)': [
    { token: TOKEN, evals: { store: {} }, inboxWebhook: WEBHOOK },
    (options) => adornHandler(runner, options),
  ],
  'serve(ServeOptions)': [
    { evals: { store: {} }, inboxWebhook: WEBHOOK },
    (options) => serve(runner, options),
  ],
  'pageTools(PageToolsOptions)': [{}, (options) => pageTools(options)],
  'new S3ContentStore(S3ContentStoreOptions)': [{ bucket: 'b' }, (options) => new S3ContentStore(options)],
  'new Database(DatabaseOptions)': [{}, (options) => new Database(':memory:', options)],
  'new SqlSessionService(SqlSessionOptions)': [
    {},
    (options) => new SqlSessionService(new Database(':memory:'), options),
  ],
  'new SqlMemoryService(SqlMemoryOptions)': [
    {},
    (options) => new SqlMemoryService(new Database(':memory:'), options),
  ],
  'sqlStorage(SqlStorageOptions)': [{}, (options) => sqlStorage(':memory:', options)],
  'new OfflineModel(OfflineModelOptions)': [{}, (options) => new OfflineModel(options)],
  'new TelemetryPlugin(TelemetryOptions)': [{}, (options) => new TelemetryPlugin(options)],
};

/** Exported names that take an object of options and are not tried, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'FallbackAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'RaceAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'RouteAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'LoopAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'MapAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'ParallelAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'SequentialAgent.faultOf(AgentOptions)': 'called by core with checked options',
  'new ToolError(options)': 'an error, which must not throw another one',
  'new GeminiUnreachableError(options)': 'an error, which must not throw another one',
  'reportFailure(ReportOptions)': 'reports an error, which another one would hide',
  'tool(MethodDescriptor)': 'passed by the language to a decorator',
  'importSession(key)': 'a key, in code below the rules of options: the store checks its values',
  'isRefusedBeforehand(PeerAnswer)': 'the answer of a peer',
  'new McpToolset(StdioToolsetOptions)': 'internal: made by mcpToolset',
  'new McpToolset(HttpToolsetOptions)': 'internal: made by mcpToolset',
  'new McpServing(ServeMcpOptions)': 'internal: made by serveMcp',
  'new OpenApiToolset(OpenApiToolsetOptions)': 'internal: made by openApiToolset',
  'new PageToolset(PageToolsOptions)': 'internal: made by pageTools',
  'new ChannelDoor(ChannelOptions)': 'checked by slack, whose options they are, with those of the platform',
  'new SkillToolset(SkillsOptions)': 'internal: made by skills',
  'new WorkingMemory(WorkingMemoryOptions)': 'internal: made by workingMemory',
  'new WorkspaceToolset(WorkspaceOptions)': 'internal: made by workspace',
  'sse(SseOptions)': 'called by the routes of the server',
  'AdornModule.forRoot(AdornModuleOptions)': 'checked when Nest initialises the module: server/nest',
  'new AdornService(AdornModuleOptions)': 'made by Nest: checked when it initialises the module',
};

/** Exported types with names of options that no function takes as such, each with its reason. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  MaxLatencyOptions: 'has only required fields: eval/gates/gates.spec.ts',
  MaxToolErrorRateOptions: 'has only required fields: eval/gates/gates.spec.ts',
  AcceptOptions: 'between packages: the inbox of a fleet',
  AdornModuleAsyncOptions: 'a provider of Nest, whose factory returns the options',
  AuthOptions: 'keys are names of security schemes in a document',
  InboxLimits: 'between packages: the inbox of a fleet',
  McpToolOptions: 'part of StdioToolsetOptions and HttpToolsetOptions',
  PutOptions: 'between packages: a queue of a fleet',
  SandboxLimits: 'part of the options of each executor',
  SecurityOptions: 'keys are names of security schemes in a document',
};

/** Entries whose functions are not called by applications. */
const ENTRIES_LEFT_OUT: Readonly<Record<string, string>> = {
  'adorn/backend': 'between packages',
  '@adorn/core/backend': 'between packages',
  '@adorn/core/compiler': 'between packages',
  '@adorn/core/dialects': 'between packages',
  '@adorn/schema': 'between packages',
  '@adorn/schema/dialects': 'between packages',
  '@adorn/cli': 'called by the commands, which read their arguments',
  'create-adorn': 'called by the command, which reads its arguments',
  '@adorn/compiler': 'called by the commands, which read their arguments',
  '@adorn/compiler/build': 'called by the commands, which read their arguments',
  '@adorn/compiler/esbuild': 'called by bundlers, without options',
  '@adorn/compiler/rolldown': 'called by bundlers, without options',
  '@adorn/compiler/rollup': 'called by bundlers, without options',
  '@adorn/compiler/vite': 'called by bundlers, without options',
  '@adorn/compiler/webpack': 'called by bundlers, without options',
  '@adorn/compiler/vitest': 'called by test runners, without options',
  '@adorn/compiler/jest/warm-cache': 'called by test runners, without options',
  '@adorn/sandbox/contract': 'a specification of executors',
  '@adorn/sandbox/tools': 'between packages: adorn exports it',
  '@adorn/server/client': 'runs in browsers, without the code of core',
  '@adorn/testing': 'for specifications, which fail by their own expectations',
  '@adorn/testing/contracts': 'specifications of backends',
  '@adorn/testing/servers': 'for specifications',
};

/** Options whose values are not tried, by their paths, each with its reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'compareTargets(CompareTargetsOptions) user.': 'those of evaluate',
  'evaluate(EvaluateOptions) user.': 'a user may be an instance of a class with further members',
  'auth.scheme': 'as in OpenAPI, which allows further fields: core/auth/auth-scheme.spec.ts',
  'auth.credential': 'read as a whole, because an error must not show it',
  'importSession(ImportOptions) by.': 'a principal may have further fields, as users of an application have',
  'openApiToolset(OpenApiToolsetOptions) auth.': 'keys are names of security schemes in a document',
};

/** Misspelt names that are accepted, each with its reason. */
const OPEN: Readonly<Record<string, string>> = {
  'new S3ContentStore(S3ContentStoreOptions) credentials': 'those of the SDK of AWS have further fields',
};

/** What a message calls an option in place of its name. */
const CALLED: Readonly<Record<string, string>> = { appName: 'application name' };

const EXPORTED = readExportedOptions((entry) => entry in ENTRIES_LEFT_OUT);

describe('an exported options object', () => {
  beforeAll(async () => {
    runner = await createRunner(defineAgent({ name: 'desk', model: MODEL }));
  });
  afterAll(() => runner.close());

  it('has a row in this file', () => {
    const names = EXPORTED.parameters.map(({ name }) => name);
    const known = [...Object.keys(DOORS), ...Object.keys(LEFT_OUT)];

    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('has a type that one of these takes', () => {
    const { types, reached } = EXPORTED;

    expect([...types].filter((name) => !reached.has(name) && !(name in OTHER_TYPES))).toEqual([]);
    expect(Object.keys(OTHER_TYPES).filter((name) => !types.has(name) || reached.has(name))).toEqual([]);
  });

  it.each(Object.keys(DOORS))('refuses every option that is misspelt: %s', async (name) => {
    const accepted: string[] = [];
    for (const path of pathsOf(optionsOf(name), name)) {
      const wrong = path.at(-1) as Option;
      if (`${name} ${labelOf(path.slice(0, -1))}` in OPEN) continue;
      const slip = `${wrong.name}x`;
      const message = await refusalOf(name, path.slice(0, -1), { [slip]: true });
      if (!message?.includes(slip)) accepted.push(`${labelOf(path)}: ${message ?? 'accepted'}`);
    }

    expect(accepted).toEqual([]);
  });

  it.each(Object.keys(DOORS))('refuses every value of another type: %s', async (name) => {
    const accepted: string[] = [];
    for (const path of pathsOf(optionsOf(name), name)) {
      const { name: option, kinds } = path.at(-1) as Option;
      for (const kind of KINDS) {
        if (kinds.has(kind) || kinds.size === 0) continue;
        const message = await refusalOf(name, path.slice(0, -1), { [option]: VALUES[kind] });
        const isNamed = [option, CALLED[option] ?? option].some((words) => message?.includes(words));
        if (!isNamed) accepted.push(`${labelOf(path)} is a ${kind}: ${message ?? 'accepted'}`);
      }
    }

    expect(accepted).toEqual([]);
  });

  it.each(Object.keys(DOORS))('may leave options undefined: %s', async (name) => {
    const message = await refusalOf(name, [], { leftOut: undefined, zzzzzzzz: 1 });

    expect(message).toContain('zzzzzzzz');
    expect(message).not.toContain('leftOut');
  });
});

const VALUES: Readonly<Record<Kind, unknown>> = {
  boolean: true,
  number: 1,
  text: 'zzz',
  list: [[]],
  function: () => undefined,
  object: { zzz: 1 },
};

function optionsOf(name: string): readonly Option[] {
  const options = EXPORTED.parameters.find((one) => one.name === name)?.options ?? [];
  expect(options).not.toEqual([]);
  return options;
}

/** The ways to each option and to each option of options that is tried. */
function pathsOf(options: readonly Option[], owner: string): readonly (readonly Option[])[] {
  const isTried = (path: readonly Option[]): boolean =>
    !Object.keys(UNCHECKED).some(
      (label) =>
        `${owner} ${labelOf(path)}`.includes(` ${label}`) || `${owner} ${labelOf(path)}`.startsWith(label),
    );
  return pathsIn(options).filter(isTried);
}

function pathsIn(options: readonly Option[]): readonly (readonly Option[])[] {
  return options.flatMap((option) => [[option], ...pathsIn(option.inner).map((path) => [option, ...path])]);
}

function labelOf(path: readonly Option[]): string {
  return path.map(({ name }) => name).join('.');
}

/** The message with which options with these among them are refused; undefined if they were accepted. */
async function refusalOf(name: string, path: readonly Option[], wrong: Given): Promise<string | undefined> {
  const [valid, take] = DOORS[name] as Door;
  const within = (base: unknown, [first, ...rest]: readonly Option[]): object => {
    if (first === undefined) return { ...(base as object | undefined), ...wrong };
    return {
      ...(base as object | undefined),
      [first.name]: within((base as Given | undefined)?.[first.name], rest),
    };
  };
  let made: unknown;
  try {
    made = await take(within(valid, path) as never);
  } catch (error) {
    return AdornError.is(error) ? error.message : `no AdornError: ${String(error)}`;
  }
  const { close } = (made ?? {}) as { readonly close?: () => unknown };
  await close?.call(made);
  return undefined;
}

function toolWith(traits: ConstructorParameters<typeof Tool>[0]): Tool {
  return new (class extends Tool {
    readonly name = 'look_up';
    readonly description = 'Looks up.';
    declaration(): undefined {
      return undefined;
    }
    run(): string {
      return 'Found.';
    }
  })(traits);
}

/** Creates the runner of an agent that is declared with these options. */
async function runnerOf(options: AgentOptions): Promise<Runner> {
  class Desk extends LlmAgent {}
  agent(options)(Desk);
  return createRunner(Desk);
}

/** Creates the runner of an agent with a service that has one tool. */
async function serviceWith(declare?: (prototype: object) => void, options = {}): Promise<Runner> {
  class Service {
    find(): string {
      return 'Found.';
    }
    lose(_found: string): void {
      // The undo of `find`, where a test makes it one.
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Service.prototype, 'find');
  tool({ parameters: SCHEMA, ...options } as never)(Service.prototype, 'find', descriptor as never);
  declare?.(Service.prototype);
  return runnerOf({ name: 'desk', model: MODEL, tools: [Service] });
}

/** Creates the runner of a live agent with one more declaration. */
async function liveAgent(declare: (prototype: object) => void): Promise<Runner> {
  class Desk extends LiveAgent {
    one(): string {
      return 'One.';
    }
    two(): string {
      return 'Two.';
    }
  }
  phase({ first: true })(Desk.prototype, 'one');
  declare(Desk.prototype);
  agent({ name: 'desk', model: MODEL })(Desk);
  return createRunner(Desk);
}
