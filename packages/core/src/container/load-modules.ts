import { type Container, ContainerModule, type ContainerModuleLoadOptions } from 'inversify';

import { ArtifactService } from '../artifacts/artifact.service.js';
import { CredentialService } from '../auth/credential.service.js';
import { Embedder } from '../memory/embedder.js';
import { MemoryService } from '../memory/memory.service.js';
import { Clock } from '../runtime/clock.js';
import { Logger } from '../runtime/logger.js';
import { SessionService } from '../sessions/session.service.js';
import { containerFault } from './service-graph.js';

/** The services of which a runner has exactly one: the last module that binds one provides it. */
const BACKENDS: ReadonlySet<unknown> = new Set([
  ArtifactService,
  Clock,
  CredentialService,
  Embedder,
  Logger,
  MemoryService,
  SessionService,
]);

/**
 * Loads modules one after another. A module that binds a backend replaces the binding of an earlier module, as
 * inversify's `rebind` would; two bindings in one module stay ambiguous.
 *
 * @throws {AdornError} in place of every error of inversify
 */
export async function loadModules(container: Container, modules: readonly ContainerModule[]): Promise<void> {
  const boundEarlier = new Set<unknown>();
  for (const module of modules) {
    const bound = new Set<unknown>();
    const replacing = new ContainerModule((options) =>
      module.load(replacingBackends(options, boundEarlier, bound)),
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
