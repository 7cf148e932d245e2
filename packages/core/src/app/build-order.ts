import type { Container, Newable } from 'inversify';

import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { AgentNode } from '../run/agent-node.js';
import { Cancellation } from '../run/cancellation.js';
import type { InvocationServices } from '../run/invocation-services.js';
import type { Logger } from '../runtime/logger.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import { innermost, nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';

/**
 * Records the order in which services were constructed. They are disposed of in reverse order, so that dependencies
 * outlive their dependents. The container itself disposes in the order of binding, and stops at the first failure.
 */
export class BuildOrder {
  private readonly watched = new Set<unknown>();
  private readonly built = new Set<unknown>();

  constructor(private readonly container: Container) {}

  /** Records when the first instance is constructed for the token. */
  watch(token: unknown): void {
    if (this.watched.has(token)) return;
    this.watched.add(token);
    this.container.onActivation(token as Newable, (_context, service) => {
      this.built.add(token);
      return service;
    });
  }

  /** Disposes of everything that this container constructed. A failure is logged and does not stop the others. */
  async dispose(logger: Logger): Promise<void> {
    let failed = false;
    for (const token of [...this.built].reverse()) {
      try {
        await this.container.unbindAsync(token as Newable);
      } catch (error) {
        failed = true;
        logger.error('a service failed while the runner was closed', { error });
      }
    }
    // A service that failed is still bound and would be disposed of again.
    if (!failed) await this.container.unbindAllAsync();
  }
}

/** How long a toolset may take to close, in milliseconds. */
const CLOSE_MS = 10_000;

/**
 * Closes the toolsets of a tree, each once, the last one first, then disposes of what the container constructed. A
 * failure does not stop the others.
 */
export async function disposeTree(
  root: AgentNode,
  order: BuildOrder,
  { logger, clock }: Pick<InvocationServices, 'logger' | 'clock'>,
): Promise<void> {
  for (const toolset of [...new Set(toolsetsOf(root))].reverse()) {
    try {
      await new Cancellation(clock).wait(closeToolset(toolset), {
        limit: CLOSE_MS,
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

/** The innermost toolsets: two wrappers may contain the same one. */
function* toolsetsOf(agent: AgentNode): Generator<Toolset> {
  if (agent instanceof LlmAgentNode) yield* agent.toolsets.map(innermost);
  for (const child of [...agent.subAgents, ...agent.toolAgents]) yield* toolsetsOf(child);
}
