import { type Container, ContainerModule, type ContainerModuleLoadOptions, type Newable } from 'inversify';

import type { TreeResolver } from '../agents/tree/model-resolver.js';
import { ArtifactService } from '../stores/artifacts/artifact.service.js';
import { InMemoryArtifactService } from '../stores/artifacts/in-memory-artifact.service.js';
import { CredentialService, InMemoryCredentialService } from '../auth/credential.service.js';
import { Compaction, type CompactorParts, type SessionCompactor } from '../compaction/compaction.js';
import { type ContextOptions, contextOptions } from '../compaction/context-options.js';
import { EventSummarizer } from '../compaction/event-summarizer.js';
import {
  CompactionConfigInvalidError,
  compactionRules,
  type CompactionRules,
  type EventsCompactionConfig,
} from '../compaction/events-compaction-config.js';
import type { InvocationServices, ServiceToken } from '../run/invocation-services.js';
import { EffectLedger } from '../stores/effects/effect-ledger.js';
import { InMemoryEffectLedger } from '../stores/effects/in-memory-effect-ledger.js';
import { InMemoryMemoryService } from '../stores/memory/in-memory-memory.service.js';
import { Embedder, MemoryService } from '../stores/memory/memory.service.js';
import { foreignClasses, localToken } from '../metadata/shared-class.js';
import { areModelsChecked } from '../models/model-checks.js';
import type { Model } from '../models/model.js';
import { SharedPlaces } from '../runtime/shared-places.js';
import { ToolPolicies } from '../tools/policies/policy.js';
import { Clock, SystemClock } from '../runtime/clock.js';
import { ConsoleLogger, Logger } from '../runtime/logger.js';
import { InMemorySessionService } from '../stores/sessions/in-memory-session.service.js';
import { SessionService } from '../stores/sessions/session.service.js';
import { observedResponses } from '../run/telemetry/observed-model.js';
import type { ClassBinder } from './bind-class.js';
import { NotAContainerError, ServiceAmbiguousError } from './errors.js';
import { containerFault, nameOf } from './service-graph.js';

/**
 * Creates a child container with the parent's copy of inversify: containers of two copies cannot be mixed. Looks for
 * the base class `Container`, because a subclass may have another constructor.
 *
 * @throws {NotAContainerError} if the value is not a container, or has another major version
 */
export function childOf(parent: unknown): Container {
  let prototype: unknown = parent;
  do prototype = Object.getPrototypeOf(prototype ?? Object.create(null));
  while (prototype !== null && !Object.hasOwn(prototype as object, 'isCurrentBound'));
  const Base = (prototype as Container | null)?.constructor as typeof Container | undefined;
  if (!Base || !('unloadAsync' in Base.prototype) || 'createChild' in Base.prototype) {
    throw new NotAContainerError();
  }
  return Reflect.construct(Base, [{ parent }]) as Container;
}

/**
 * The services that a runner has exactly once: the last module that binds one provides it. Others are not replaced silently: two
 * modules that bind a `Model`, or a `ConfirmationProvider`, which decides for people, are refused with `SERVICE_AMBIGUOUS`.
 */
const BACKENDS: ReadonlySet<unknown> = new Set([
  ArtifactService,
  Clock,
  Compaction,
  CredentialService,
  EffectLedger,
  Embedder,
  Logger,
  MemoryService,
  SessionService,
  SharedPlaces,
  ToolPolicies,
]);

/**
 * Loads modules one after another. A module that binds a backend replaces the binding of an earlier module, as
 * inversify's `rebind` would; two bindings in one module stay ambiguous.
 *
 * @throws {AdornError} instead of errors of inversify
 */
export async function loadModules(container: Container, modules: readonly ContainerModule[]): Promise<void> {
  const boundEarlier = new Set<unknown>();
  for (const module of modules) {
    const bound = new Set<unknown>();
    const replacing = new ContainerModule((options) =>
      module.load(withLocalTokens(replacingBackends(options, boundEarlier, bound))),
    );
    try {
      await container.loadAsync(replacing);
    } catch (error) {
      throw containerFault(error, 'createRunner');
    }
    for (const token of bound) boundEarlier.add(token);
  }
}

/** @param bound the backends that this module has bound so far */
function replacingBackends(
  options: ContainerModuleLoadOptions,
  boundEarlier: ReadonlySet<unknown>,
  bound: Set<unknown>,
): ContainerModuleLoadOptions {
  /** True for the module's first binding of a backend that an earlier module has bound. */
  const isReplacement = (token: unknown): boolean => {
    if (!BACKENDS.has(token) || bound.has(token)) return false;
    bound.add(token);
    return boundEarlier.has(token);
  };
  return {
    ...options,
    bind: (token) => (isReplacement(token) ? options.rebind(token) : options.bind(token)),
    rebind: (token) => {
      isReplacement(token);
      return options.rebind(token);
    },
    rebindAsync: (token) => {
      isReplacement(token);
      return options.rebindAsync(token);
    },
  };
}

/** The options of a module that was built with another copy of this package: each of its tokens is this copy's. */
function withLocalTokens(options: ContainerModuleLoadOptions): ContainerModuleLoadOptions {
  const own = <Token>(token: Token): Token => localToken(token) as Token;
  /** `unbind` also takes the identifier of one binding. */
  const ownOrId = (token: Parameters<typeof options.unbind>[0]) => own(token);
  return {
    bind: (token) => options.bind(own(token)),
    isBound: (token, about) => options.isBound(own(token), about),
    onActivation: (token, handle) => options.onActivation(own(token), handle),
    onDeactivation: (token, handle) => options.onDeactivation(own(token), handle),
    rebind: (token) => options.rebind(own(token)),
    rebindAsync: (token) => options.rebindAsync(own(token)),
    unbind: (token) => options.unbind(ownOrId(token)),
    unbindAsync: (token) => options.unbindAsync(ownOrId(token)),
  };
}

/**
 * Finds what a parent container binds to classes of other copies of this package. A module's backend replaces it.
 *
 * @throws {ServiceAmbiguousError} if the parent binds one service under two copies
 * @throws {AdornError} `CORE_COPIES_INCOMPATIBLE`
 */
export function adoptForeignBindings(container: Container): void {
  for (const [own, others] of foreignTokens()) {
    const [found, ...more] = others.filter((other) => container.isBound(other));
    if (!found || container.isCurrentBound(own)) continue;
    if (more.length > 0 || container.isBound(own)) {
      const service = nameOf(own);
      throw new ServiceAmbiguousError({ asker: 'createRunner', member: 'container', service, path: [] });
    }
    localToken(found); // refuses an incompatible copy
    container.bind(own).toService(found);
  }
}

/**
 * Lets code that was built with another copy of this package get the services by its own classes. Code of an
 * incompatible copy that asks for one gets the error.
 */
export function offerToOtherCopies(container: Container): void {
  for (const [own, others] of foreignTokens()) {
    if (!container.isBound(own)) continue;
    for (const other of others) {
      if (container.isBound(other)) continue;
      if (isCompatible(other)) container.bind(other).toService(own);
      else container.bind(other).toDynamicValue(() => localToken(other));
    }
  }
}

/** Abstract classes are identifiers as good as any; inversify's types do not say so. */
function foreignTokens(): [own: Newable, others: readonly Newable[]][] {
  return foreignClasses() as [Newable, Newable[]][];
}

function isCompatible(token: unknown): boolean {
  try {
    localToken(token);
    return true;
  } catch {
    return false;
  }
}

/** In-memory backends, which live as long as the process. Defaults for backends that no module binds. */
export const inMemoryServices = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(SessionService)) bind(SessionService).toConstantValue(new InMemorySessionService());
  if (!isBound(ArtifactService)) bind(ArtifactService).toConstantValue(new InMemoryArtifactService());
  if (!isBound(MemoryService)) bind(MemoryService).toConstantValue(new InMemoryMemoryService());
  if (!isBound(CredentialService)) bind(CredentialService).toConstantValue(new InMemoryCredentialService());
  if (!isBound(Clock)) bind(Clock).toConstantValue(new SystemClock());
  if (!isBound(Logger)) bind(Logger).toConstantValue(new ConsoleLogger());
  if (!isBound(EffectLedger)) bind(EffectLedger).toConstantValue(new InMemoryEffectLedger());
});

/** The dependencies of `createCompactor`. */
interface CompactorMaterials {
  readonly container: Container;
  readonly binder: ClassBinder;
  readonly resolve: TreeResolver;
  readonly services: InvocationServices;
  /** The root agent's model, if it has one. */
  readonly findModel: () => Promise<Model | undefined>;
}

/** The options of a runner that its compactor needs. */
interface CompactorOptions {
  readonly compaction?: EventsCompactionConfig | undefined;
  readonly context?: ContextOptions | false | undefined;
}

const NO_RULES: CompactionRules = { interval: undefined, threshold: undefined };

/**
 * Creates the compactor of a runner; undefined without the module that compacts, and if both options are off.
 *
 * @throws {CompactionConfigInvalidError | ServiceNotBoundError}
 */
export async function createCompactor(
  { compaction: config, context: stated }: CompactorOptions,
  materials: CompactorMaterials,
): Promise<SessionCompactor | undefined> {
  const context = contextOptions(stated);
  const { container, services, resolve } = materials;
  if (!container.isBound(Compaction)) {
    if (config || stated) throw missingCompaction();
    return undefined;
  }
  if (!config && !context) return undefined;
  const compaction = await resolve(Compaction, 'createRunner');
  const { observe } = services;
  return compaction.compactorOf({
    rules: config ? compactionRules(config) : NO_RULES,
    context,
    summarizer: config
      ? await readySummarizer(config, compaction, materials)
      : lateSummarizer(compaction, materials),
    services,
    askFor: (asker) => (model, request) => observedResponses(model, request, { observe, asker }),
  });
}

async function readySummarizer(
  config: EventsCompactionConfig,
  compaction: Compaction,
  materials: CompactorMaterials,
): Promise<CompactorParts['summarizer']> {
  const summarizer = await summarizerOf(config, compaction, materials);
  if (areModelsChecked()) await summarizer.ready();
  return () => Promise.resolve(summarizer);
}

/** Found when a conversation has grown too long, for a runner that states no other. */
function lateSummarizer(compaction: Compaction, materials: CompactorMaterials): CompactorParts['summarizer'] {
  let found: Promise<EventSummarizer | undefined> | undefined;
  return () => (found ??= defaultSummarizer(compaction, materials));
}

async function defaultSummarizer(
  compaction: Compaction,
  { container, resolve, findModel }: CompactorMaterials,
): Promise<EventSummarizer | undefined> {
  const identifier = EventSummarizer as unknown as Newable<EventSummarizer>;
  if (container.isBound(identifier)) return requireSummarizer(await resolve(EventSummarizer, 'createRunner'));
  const model = await findModel();
  return model && compaction.summarizerOf(model);
}

function missingCompaction(): CompactionConfigInvalidError {
  return new CompactionConfigInvalidError(
    'the runner has nothing that summarises',
    'Create the runner with createRunner of adorn, or pass the module sessionCompaction of @adorn/compaction.',
  );
}

async function summarizerOf(
  { summarizer: stated }: EventsCompactionConfig,
  compaction: Compaction,
  materials: CompactorMaterials,
): Promise<EventSummarizer> {
  const { binder, resolve } = materials;
  if (stated !== undefined && !isToken(stated)) return requireSummarizer(stated);
  if (stated !== undefined) {
    if (typeof stated === 'function' && stated !== EventSummarizer) binder.bind(stated, 'singleton');
    return requireSummarizer(await resolve(stated, 'createRunner'));
  }
  const found = await defaultSummarizer(compaction, materials);
  if (found) return found;
  throw new CompactionConfigInvalidError(
    'the root agent has no model to summarise with, and there is no summarizer',
    'Set compaction.summarizer, or bind EventSummarizer.',
  );
}

function isToken(stated: unknown): stated is ServiceToken<EventSummarizer> {
  return typeof stated === 'function' || typeof stated === 'symbol' || typeof stated === 'string';
}

/** Checks for the methods, not the class: two copies of this package may be installed. */
function requireSummarizer(found: EventSummarizer): EventSummarizer {
  const given: unknown = found;
  const methods = (typeof given === 'object' ? given : undefined) as
    Record<string, unknown> | null | undefined;
  const missing = ['summarize', 'ready'].find((name) => typeof methods?.[name] !== 'function');
  if (missing === undefined) return found;
  throw new CompactionConfigInvalidError(
    `its summarizer has no method ${missing}`,
    'Extend EventSummarizer or LlmEventSummarizer.',
  );
}
