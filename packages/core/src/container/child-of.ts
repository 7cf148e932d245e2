import type { Container } from 'inversify';

import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { Logger } from '../runtime/logger.js';
import type { Toolset } from '../tools/toolset.js';
import type { BuildOrder } from './build-order.js';
import { NotAContainerError } from './errors.js';

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
  if (Base === undefined || !('unloadAsync' in Base.prototype) || 'createChild' in Base.prototype) {
    throw new NotAContainerError();
  }
  return Reflect.construct(Base, [{ parent }]) as Container;
}

/** Closes the toolsets of a tree, each once, and then lets go of what the container made; one failure stops no other. */
export async function disposeTree(root: AgentNode, order: BuildOrder, logger: Logger): Promise<void> {
  for (const toolset of new Set(toolsetsOf(root))) {
    try {
      await toolset.close();
    } catch (error) {
      logger.error('a toolset failed while the runner was closed', { error });
    }
  }
  await order.dispose(logger);
}

function* toolsetsOf(agent: AgentNode): Generator<Toolset> {
  if (agent instanceof LlmAgentNode) yield* agent.toolsets;
  for (const child of agent.subAgents) yield* toolsetsOf(child);
}
