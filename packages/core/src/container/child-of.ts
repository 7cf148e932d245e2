import type { Container } from 'inversify';

import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { Cancellation } from '../invocation/cancellation.js';
import { unlessLate } from '../policies/time-limit.js';
import type { Logger } from '../runtime/logger.js';
import type { Toolset } from '../toolsets/toolset.js';
import { innermost, nameOfToolset } from '../toolsets/wrapped.toolset.js';
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

/** How long a toolset may take to close, in milliseconds. */
const CLOSE_MS = 10_000;

/**
 * Closes the toolsets of a tree, each once, the last one first, and then lets go of what the container made; one failure
 * stops no other.
 */
export async function disposeTree(root: AgentNode, order: BuildOrder, logger: Logger): Promise<void> {
  for (const toolset of [...new Set(toolsetsOf(root))].reverse()) {
    try {
      await unlessLate(closeToolset(toolset), {
        limit: CLOSE_MS,
        cancellation: new Cancellation(),
        late: () => new Error(`It did not close within ${String(CLOSE_MS)} ms.`),
      });
    } catch (error) {
      logger.error('a toolset failed while the runner was closed', {
        toolset: nameOfToolset(toolset),
        error,
      });
    }
  }
  await order.dispose(logger);
}

async function closeToolset(toolset: Toolset): Promise<void> {
  await toolset.close();
}

/** Without their wrappers: two of them may have the same toolset inside. */
function* toolsetsOf(agent: AgentNode): Generator<Toolset> {
  if (agent instanceof LlmAgentNode) yield* agent.toolsets.map(innermost);
  for (const child of [...agent.subAgents, ...agent.toolAgents]) yield* toolsetsOf(child);
}
