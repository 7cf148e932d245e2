import type { Container, Newable } from 'inversify';

import { ArtifactService } from '../artifacts/artifact.service.js';
import { CredentialService } from '../auth/credential.service.js';
import { EventSummarizer } from '../compaction/event-summarizer.js';
import { MemoryService } from '../memory/memory.service.js';
import type { ClassReference } from '../metadata/class-metadata.js';
import { type Injection, injectionsOf, unclearParameterOf } from '../metadata/injection-metadata.js';
import { methodInjectionsOf } from '../metadata/method-injections.js';
import { ModelProvider } from '../models/model-provider.js';
import { Model } from '../models/model.js';
import { Clock } from '../runtime/clock.js';
import { Logger } from '../runtime/logger.js';
import { sourceName } from '../schema/source-name.js';
import { SessionService } from '../sessions/session.service.js';
import type { BuildOrder } from './build-order.js';
import { InjectionUnclearError } from './injection-unclear.error.js';
import { markInjectable } from './mark-injectable.js';
import { ServiceNotBoundError } from './service-not-bound.error.js';
import { wiringFault } from './wiring-fault.js';

/** Abstract classes of ours: a container could make one, and it would do nothing. */
const CONTRACTS: ReadonlySet<unknown> = new Set([
  ArtifactService,
  Clock,
  CredentialService,
  EventSummarizer,
  Logger,
  MemoryService,
  Model,
  ModelProvider,
  SessionService,
]);

/**
 * Binds a class to itself, unless it is bound, and then the classes it asks for which nobody bound and which can
 * be made as they are. What its methods ask for is looked after also where somebody bound the class.
 *
 * @throws {ServiceNotBoundError} where it asks for a name or a contract that nobody bound
 */
export function bindClass(
  container: Container,
  target: ClassReference,
  lifetime: 'singleton' | 'transient',
  order: BuildOrder,
): void {
  markInjectable(target);
  const byMethod = methodInjectionsOf(target);
  const byConstructor = injectionsOf(target);
  for (const { token } of [...byConstructor, ...byMethod]) order.watch(token);
  order.watch(target);
  const isNew = !isBound(container, target);
  if (isNew) bindToSelf(container, target, lifetime);
  bindAll(container, target, isNew ? [...byConstructor, ...byMethod] : byMethod, order);
}

function bindAll(
  container: Container,
  target: ClassReference,
  injections: readonly Injection[],
  order: BuildOrder,
): void {
  for (const { member, token, isOptional } of injections) {
    if (isOptional || isBound(container, token)) continue;
    if (!isMakeable(token)) throw new ServiceNotBoundError(sourceName(target), member, nameOf(token));
    bindClass(container, token, 'singleton', order);
  }
}

function bindToSelf(container: Container, target: ClassReference, lifetime: 'singleton' | 'transient'): void {
  const unclear = unclearParameterOf(target);
  if (unclear !== undefined)
    throw new InjectionUnclearError(sourceName(target), `constructor parameter ${String(unclear)}`);
  try {
    const binding = container.bind(target as Newable<object>).toSelf();
    if (lifetime === 'singleton') binding.inSingletonScope();
    else binding.inTransientScope();
  } catch (error) {
    throw wiringFault(error, sourceName(target));
  }
}

function isBound(container: Container, token: unknown): boolean {
  return container.isBound(token as symbol);
}

/** A class with a body. One without is what is left of an abstract class, or of an interface, at run time. */
function isMakeable(token: unknown): token is ClassReference {
  if (typeof token !== 'function' || CONTRACTS.has(token)) return false;
  const source = Function.prototype.toString.call(token);
  return source.startsWith('class') && !/^class[^{]*\{\s*\}$/.test(source);
}

function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}
