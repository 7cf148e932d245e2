import { logOf, type Session } from '../events/session.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { type AgentNode, findAgent } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';

/**
 * Who hears a message: each agent whose calls it answers, one after another; else the agent that spoke last, if it
 * can hand back; else the root.
 */
export function* agentsToRun(
  root: AgentNode,
  context: InvocationContext,
): Generator<AgentNode, void, undefined> {
  const { answeredAgent } = context;
  if (answeredAgent === undefined) {
    yield context.config.resumeAt === 'root' || root.subAgents.length === 0
      ? root
      : lastSpeaker(root, context.session);
    return;
  }
  const heard = new Set<string>();
  for (;;) {
    const name = context.answeredAgent;
    if (name === undefined || heard.has(name) || context.cancellation.isCancelled) return;
    heard.add(name);
    yield findAgent(root, name) ?? root;
  }
}

/** Looks back only as far as the last agent that spoke. */
function lastSpeaker(root: AgentNode, session: Session): AgentNode {
  for (const { author } of effectiveEventsBackwards(logOf(session))) {
    if (author === 'user') continue;
    const agent = findAgent(root, author);
    if (agent !== undefined && canHandBack(agent)) return agent;
    if (agent === root) return root;
  }
  return root;
}

/** An agent keeps the conversation only where it, and all above it, could give it back. */
function canHandBack(agent: AgentNode): boolean {
  for (let node: AgentNode | undefined = agent; node !== undefined; node = node.parentAgent) {
    if (node.transfer.disabled || (node.parentAgent !== undefined && !node.transfer.toParent)) return false;
  }
  return true;
}
