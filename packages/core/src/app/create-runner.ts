import { Container, type ContainerModule } from 'inversify';

import type { AgentClass } from '../agents/agent.decorator.js';
import { type BaseAgentNode, LlmAgentNode } from '../agents/agent-nodes.js';
import {
  type AgentPlan,
  functionsOf,
  placesOf,
  planTree,
  toolMethodsOf,
  undescribedOf,
} from '../agents/tree/agent-plan.js';
import { reportProviderAgents, reportUndescribed } from '../agents/tree/agent-tools.js';
import { assembleTree } from '../agents/tree/assemble-tree.js';
import { ModelResolver, type TreeResolver } from '../agents/tree/model-resolver.js';
import { ArtifactService } from '../stores/artifacts/artifact.service.js';
import { CredentialExchanger, CredentialRefresher } from '../auth/credential-exchanger.js';
import { CredentialResolver } from '../auth/credential-resolver.js';
import { CredentialService } from '../auth/credential.service.js';
import { misspeltCallback } from '../gates/callbacks/callback-chain.js';
import { Plugin } from '../gates/callbacks/plugin.js';
import { type ContextOptions, contextOptions } from '../compaction/context-options.js';
import { compactionRules, type EventsCompactionConfig } from '../compaction/events-compaction-config.js';
import { dispatchModule } from '../gates/dispatch.module.js';
import { ToolDispatcher } from '../gates/tool-dispatcher.js';
import {
  AdornError,
  kindOf,
  type ClassReference,
  checkName,
  shownName,
  LogRedaction,
  type DerivedRecords,
  type FunctionRecord,
  loadDerivedRecords,
  type ToolMethods,
  ANY,
  isObject,
  OBJECT,
  optionFault,
  type OptionRules,
  type Rule,
  rule,
} from '@adorn/schema';
import { ConfirmationProvider } from '../run/confirmation-provider.js';
import { GuardedLogger, type InvocationServices, type ServiceToken } from '../run/invocation-services.js';
import {
  DEFAULT_RUN_CONFIG,
  overlayRunConfig,
  type RunConfig,
  RunConfigInvalidError,
} from '../run/run-config.js';
import { EffectLedger } from '../stores/effects/effect-ledger.js';
import { MemoryService } from '../stores/memory/memory.service.js';
import { areModelsChecked } from '../models/model-checks.js';
import { Model, ModelProvider } from '../models/model.js';
import { PoliciesMissingError } from '../tools/policies/errors.js';
import { ToolPolicies } from '../tools/policies/policy.js';
import { observeBy } from '../run/telemetry/observation.js';
import { registerPlugins } from '../runner/run-hooks.js';
import { LiveSessions } from '../runner/live/live-sessions.js';
import { checkRetention, type RetentionOptions } from '../runner/retention-schedule.js';
import { Runner } from '../runner/runner.js';
import { SharedPlaces } from '../runtime/shared-places.js';
import { Clock } from '../runtime/clock.js';
import { ConsoleLogger, type LogFacts, Logger } from '../runtime/logger.js';
import { SessionService } from '../stores/sessions/session.service.js';
import { ClassBinder } from './bind-class.js';
import { declaresPolicies } from '../tools/tool-traits.js';
import { checkListing } from '../tools/toolsets/listing.js';
import { nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';
import { BuildOrder, disposeTree } from './build-order.js';
import {
  adoptForeignBindings,
  childOf,
  createCompactor,
  inMemoryServices,
  loadModules,
  offerToOtherCopies,
} from './runner-container.js';
import { PluginCallbackUnknownError, PluginInvalidError, PluginNameTakenError } from './errors.js';
import { ServiceGraph } from './service-graph.js';
import { tieToSessions } from './session-data.js';

/** The options of `createRunner`. */
export interface CreateRunnerOptions {
  /** The name under which sessions are stored. Default: the root agent's name. */
  readonly appName?: string;
  /** Modules that bind the application's services and backends. A later module's backend replaces an earlier one's. */
  readonly modules?: readonly ContainerModule[];
  /** A parent container. Its bindings are visible to the runner, which binds nothing in it. */
  readonly container?: Container;
  /** Called in their order, before the callbacks of agents. Default: none. */
  readonly plugins?: readonly Plugin[];
  /** Replaces the model of every agent. */
  readonly model?: Model;
  /** The default config of runs. */
  readonly config?: RunConfig;
  /** Summarises long conversations, so that models read a summary and the latest events. Default: no summaries. */
  readonly compaction?: EventsCompactionConfig;
  /**
   * Keeps requests within the context of the model, also after its provider has refused one: old results, thoughts and parts of
   * the conversation are left out, each as an event in the log. False to send requests however long they are. Default: on, in
   * runners of `adorn`, and with the module `sessionCompaction`.
   */
  readonly context?: ContextOptions | false;
  /**
   * Deletes what has been kept for long enough, as `runner.applyRetention` does: at the start, and then every hour, by one of the
   * processes that share the stores. Default: nothing is deleted.
   */
  readonly retention?: RetentionOptions;
}

const OPTIONS: OptionRules<CreateRunnerOptions> = {
  // Checked as a name.
  appName: ANY,
  modules: rule(
    (value) => Array.isArray(value) && value.every(isObject),
    "Pass a list of modules, such as [sqlStorage('app.db')].",
  ),
  container: OBJECT,
  plugins: rule((value) => Array.isArray(value), 'Pass a list of plugins, such as [new LoggingPlugin()].'),
  // Read below, with messages of their own.
  model: ANY,
  config: ANY,
  compaction: ANY,
  context: ANY,
  retention: ANY,
};

/** The options without the name, which a server takes from the agent. */
const { appName: _appName, ...OPTIONS_OF_SERVERS } = OPTIONS;

/**
 * Checks the options of runners that a server creates later, so that a slip is told where it was written.
 *
 * @param owner the function that takes the options, such as `serve`
 * @throws {RunConfigInvalidError | CompactionConfigInvalidError}
 */
export function checkRunnerOptions(owner: string, options: unknown): void {
  checkOptions(owner, options, OPTIONS_OF_SERVERS);
}

function checkOptions(owner: string, options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const found = optionFault(options, rules);
  if (found) throw new RunConfigInvalidError(`${owner}: ${found.fault}. ${found.cure}`);
  const { model, config, compaction, context, retention } = options as CreateRunnerOptions;
  contextOptions(context);
  requireModel(model);
  overlayRunConfig(DEFAULT_RUN_CONFIG, config);
  if (compaction !== undefined) compactionRules(compaction);
  if (retention !== undefined) checkRetention(owner, retention);
}

/**
 * Builds an agent tree and its runner: reads the classes, loads the schemas of the tools, binds unbound classes, and
 * constructs the agents. Every fault in the wiring rejects here, naming the class and the member.
 *
 * @throws {AdornError}
 */
export async function createRunner<Output>(
  root: AgentClass<Output>,
  options: CreateRunnerOptions = {},
): Promise<Runner<Output>> {
  checkOptions('createRunner', options, OPTIONS);
  if (options.appName !== undefined) checkName('application name', options.appName);
  const plan = planTree(root);
  const container = options.container === undefined ? new Container() : childOf(options.container);
  const order = new BuildOrder(container);
  try {
    return await wire(plan, container, order, options);
  } catch (error) {
    // A service that the container could not construct fails once more here, in the words of the container.
    await order.dispose(new ConsoleLogger()).catch(() => undefined);
    throw error;
  }
}

/** A model of another copy of this package is accepted too. */
function requireModel(model: unknown): void {
  if (model === undefined || (model instanceof Object && 'generate' in model)) return;
  const given = typeof model === 'string' ? `"${shownName(model)}"` : `a value of type ${typeof model}`;
  throw new RunConfigInvalidError(
    `createRunner: the model is ${given}, which is not a Model. ` +
      'Pass an instance, such as new GeminiModel({ model }), or name the model in @agent({ model }).',
  );
}

/** Builds the tree; disposes of everything built if it fails. */
async function wire<Output>(
  plan: AgentPlan,
  container: Container,
  order: BuildOrder,
  options: CreateRunnerOptions,
): Promise<Runner<Output>> {
  await loadModules(container, options.modules ?? []);
  adoptForeignBindings(container);
  await loadModules(container, [inMemoryServices, dispatchModule]);
  offerToOtherCopies(container);
  const graph = new ServiceGraph(container);
  const { resolve } = graph;
  const binder = new ClassBinder(container, graph, order);
  const records = await bindTree(plan, binder);
  const models = await modelResolver(container, resolve, options.model);
  const dispatcher = container.get(ToolDispatcher);
  const plugins = await pluginsOf(container, graph, options.plugins ?? []);
  const agent = await assembleTree(plan, { records, resolve, models, dispatcher, plugins });
  const services = await servicesOf(container, graph, { models, plugins });
  const untie = tieToSessions(services);
  checkAuth(agent, services.auth);
  if (!container.isBound(ToolPolicies)) refusePolicies(agent);
  reportProviderAgents(agent, services.logger);
  reportUndescribed(agent, services.logger);
  if (areModelsChecked()) for (const used of models.models) await used.ready(services.logger);
  const appName = options.appName ?? agent.name;
  const { logger, resolve: get } = services;
  const redact = (facts: LogFacts): LogFacts => logger.redaction.facts(facts);
  const addRedactor = (redactor: (text: string) => string): void => logger.redaction.apply(redactor);
  await registerPlugins(plugins, { appName, root: agent, logger, redact, addRedactor, get });
  return new Runner({
    appName,
    root: agent,
    services,
    plugins,
    config: options.config,
    live: container.isBound(LiveSessions) ? await resolve(LiveSessions, 'createRunner') : undefined,
    retention: options.retention,
    compactor: await createCompactor(options, {
      container,
      binder,
      resolve,
      services,
      findModel: () => models.find(plan, undefined),
    }),
    dispose: async () => {
      untie();
      dispatcher.close();
      await disposeTree(agent, order, services);
    },
  });
}

/** Binds the classes of a tree, and loads their records. */
async function bindTree(plan: AgentPlan, binder: ClassBinder): Promise<DerivedRecords> {
  for (const { target, options: stated } of placesOf(plan)) {
    binder.bind(target, 'transient');
    for (const source of stated.tools) if (typeof source === 'function') binder.bind(source, 'singleton');
  }
  const askers = binder.implied.map(({ asker }) => asker);
  const helpful = [...new Set([...undescribedOf(plan), ...askers])];
  const isRead = undescribedOf(plan).some((target) => target !== plan.target);
  const records = await loadTreeRecords(toolMethodsOf(plan), functionsOf(plan), helpful, isRead);
  binder.refuseAbstract(records);
  await binder.refuseEmpty(async (classes) => new Map([...(await findRecords(classes)), ...records]));
  return records;
}

/** The bound plugins, then the passed ones. */
async function pluginsOf(
  container: Container,
  graph: ServiceGraph,
  passed: readonly Plugin[],
): Promise<Plugin[]> {
  const isBound = container.isBound(Plugin);
  const bound = isBound ? await graph.resolveAll(Plugin, 'createRunner') : [];
  const plugins = [...bound, ...passed];
  for (const plugin of plugins) requirePlugin(plugin);
  for (const [index, { name }] of plugins.entries()) {
    if (plugins.findIndex((other) => other.name === name) !== index) throw new PluginNameTakenError(name);
  }
  return plugins;
}

/** A plugin of another copy of this package is accepted too. */
function requirePlugin(plugin: unknown): void {
  if (typeof plugin !== 'object' || plugin === null) {
    throw new PluginInvalidError(typeof plugin === 'function' ? 'a class or a function' : kindOf(plugin));
  }
  const name: unknown = Reflect.get(plugin, 'name');
  if (typeof name !== 'string' || name === '') throw new PluginInvalidError('an object without a name');
  const slip = misspeltCallback(plugin);
  if (slip !== undefined) throw new PluginCallbackUnknownError(name, slip.method, slip.meant);
}

async function modelResolver(
  container: Container,
  resolve: TreeResolver,
  forced: Model | undefined,
): Promise<ModelResolver> {
  const provider = container.isBound(ModelProvider)
    ? await resolve(ModelProvider, 'createRunner')
    : undefined;
  const fallback = container.isBound(Model) ? await resolve(Model, 'createRunner') : undefined;
  return new ModelResolver(resolve, provider, forced, fallback);
}

/** Checks that every tool and toolset can get its credential, and that the options of toolsets are valid. */
function checkAuth(agent: BaseAgentNode, resolver: CredentialResolver): void {
  if (agent instanceof LlmAgentNode) {
    for (const { name, traits } of agent.tools.gated)
      if (traits.auth !== undefined) resolver.check(`the tool "${name}"`, traits.auth);
    for (const toolset of agent.toolsets) {
      checkListing(nameOfToolset(toolset), toolset.listing);
      if (toolset.auth !== undefined) resolver.check(`the toolset ${nameOfToolset(toolset)}`, toolset.auth);
    }
  }
  for (const child of [...agent.subAgents, ...agent.toolAgents]) checkAuth(child as BaseAgentNode, resolver);
}

/** Tools of toolsets are refused when they are called. */
function refusePolicies(agent: BaseAgentNode): void {
  const tools = agent instanceof LlmAgentNode ? agent.tools.gated : [];
  const policed = tools.find(({ traits }) => declaresPolicies(traits));
  if (policed !== undefined) throw new PoliciesMissingError(policed.name);
  for (const child of [...agent.subAgents, ...agent.toolAgents]) refusePolicies(child as BaseAgentNode);
}

/** Each service of a runner, also one that may be absent: a new one that is not resolved here does not compile. */
type RunnerServices = {
  readonly [
    Name in keyof Required<Omit<InvocationServices, 'dryRun' | 'standIns'>>
  ]: InvocationServices[Name];
} & { readonly logger: GuardedLogger };

async function servicesOf(
  container: Container,
  graph: ServiceGraph,
  { models, plugins }: { readonly models: ModelResolver; readonly plugins: readonly Plugin[] },
): Promise<RunnerServices> {
  const service = <Service>(token: ServiceToken<Service>): Promise<Service> =>
    graph.resolve(token, 'createRunner');
  const all = async <Service>(token: ServiceToken<Service>): Promise<Service[]> =>
    container.isBound(token) ? graph.resolveAll(token, 'createRunner') : [];
  const credentials = await service(CredentialService);
  const clock = await service(Clock);
  const redaction = new LogRedaction();
  container.bind(LogRedaction).toConstantValue(redaction);
  const logger = new GuardedLogger(await service(Logger), redaction);
  const exchangers = await all(CredentialExchanger);
  const refreshers = await all(CredentialRefresher);
  return {
    sessions: await service(SessionService),
    artifacts: await service(ArtifactService),
    memory: await service(MemoryService),
    credentials,
    effects: await service(EffectLedger),
    auth: new CredentialResolver({ credentials, clock, logger, redaction, exchangers, refreshers }),
    confirmations: container.isBound(ConfirmationProvider) ? await service(ConfirmationProvider) : undefined,
    places: container.isBound(SharedPlaces) ? await service(SharedPlaces) : undefined,
    clock,
    logger,
    redaction,
    modelNamed: (agent, name) => models.other(agent, name),
    observe: observeBy(plugins, logger, redaction),
    resolve: <Service>(token: ServiceToken<Service>) => graph.get(token, 'context.get'),
  };
}

/**
 * Loads the records of a tree. Records of tool classes and functions are required; helpful ones, such as those with
 * only a description, may be missing.
 *
 * @param isRead whether a model reads the description of one that has none yet: the compiler is started for those too
 */
async function loadTreeRecords(
  tools: ToolMethods,
  functions: readonly FunctionRecord[],
  helpful: readonly ClassReference[],
  isRead: boolean,
): Promise<DerivedRecords> {
  const records = await loadDerivedRecords(tools, functions, { classes: helpful, deriveAlone: false });
  if (!isRead || helpful.every((target) => records.has(target))) return records;
  return new Map([...(await findRecords(helpful)), ...records]);
}

/** Finds the available records of classes; runs the compiler if necessary. */
async function findRecords(classes: readonly ClassReference[]): Promise<DerivedRecords> {
  try {
    return await loadDerivedRecords(new Map(), [], { classes, deriveAlone: true });
  } catch (error) {
    if (AdornError.is(error)) return new Map();
    throw error;
  }
}
