import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { Logger } from '../runtime/logger.js';
import type { Toolset } from '../tools/toolset.js';
import type { BuildOrder } from './build-order.js';

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
