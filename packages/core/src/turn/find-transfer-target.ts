import { type AgentNode, findAgent, rootOf } from '../invocation/agent-node.js';
import { shownName } from '../names/shown-name.js';
import { nearestNames } from '../schema/nearest-names.js';
import { transferTargets } from './transfer-targets.js';

/** The agent that takes over, or why nobody does, in words for the model. */
export type TransferTarget =
  | { readonly kind: 'found'; readonly agent: AgentNode }
  | { readonly kind: 'refused'; readonly error: string };

/**
 * Finds whom a hand-over is meant for: in the agent's own subtree first, then in the whole tree, the nearest of
 * that name. An agent that may not hand over to it is told so, and goes on itself.
 */
export function findTransferTarget(from: AgentNode, name: string): TransferTarget {
  if (from.transfer.disabled) return refused(`${from.name} may not hand over; transfer not performed`);
  if (name === from.name) return refused(`${name} cannot hand over to itself; transfer not performed`);
  const below = findBelow(from, name);
  if (below !== undefined && !below.transfer.disabled) return { kind: 'found', agent: below };
  const elsewhere =
    transferTargets(from).find((target) => target.name === name) ?? findAgent(rootOf(from), name);
  if (elsewhere === undefined) return refused(unknown(from, name));
  if (!mayLeaveSubtree(from, elsewhere))
    return refused(`${from.name} may not hand over to ${name}; transfer not performed`);
  return { kind: 'found', agent: elsewhere };
}

function refused(error: string): TransferTarget {
  return { kind: 'refused', error };
}

function findBelow(from: AgentNode, name: string): AgentNode | undefined {
  for (const child of from.subAgents) {
    const found = findAgent(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Ancestors are reached where the parent may be; everybody else where the peers may be. */
function mayLeaveSubtree(from: AgentNode, target: AgentNode): boolean {
  if (target.transfer.disabled) return false;
  return from.path.startsWith(`${target.path}/`) ? from.transfer.toParent : from.transfer.toPeers;
}

function unknown(from: AgentNode, name: string): string {
  const nearest = nearestNames(
    name,
    transferTargets(from).map((target) => target.name),
  );
  const hint = nearest.length > 0 ? `. Did you mean ${nearest.join(' or ')}?` : '';
  return `unknown agent ${shownName(name)}; transfer not performed${hint}`;
}
