import { sessionCompaction } from '@adorn/compaction';
import {
  type AgentClass,
  ContainerModule,
  createRunner as createCoreRunner,
  type CreateRunnerOptions,
  ModelProvider,
  type Runner,
} from '@adorn/core';
import { liveSessions } from '@adorn/live';
import { toolPolicies } from '@adorn/policies';

import { NamedModelProvider } from './named-model.provider.js';

const namedModels = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(ModelProvider)) bind(ModelProvider).toConstantValue(new NamedModelProvider());
});

/**
 * Wires an agent tree: reads its classes, finds the schemas of its tools, binds what nobody bound, and builds every
 * agent. A model given by name is Gemini's, or an AI SDK provider's, such as
 * `openai/gpt-5-mini`. Whatever is wrong rejects here, with the class and the member named.
 *
 * @throws {AdornError}
 */
export function createRunner<Output>(
  root: AgentClass<Output>,
  options: CreateRunnerOptions = {},
): Promise<Runner<Output>> {
  return createCoreRunner(root, {
    ...options,
    modules: [...(options.modules ?? []), namedModels, toolPolicies, sessionCompaction, liveSessions],
  });
}
