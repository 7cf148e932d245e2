import type { Event } from '../events/event.js';
import type { InvocationContext } from './invocation-context.js';

/** An agent in its place in the tree, as everything below the agents knows it. One class under two parents is two nodes. */
export interface AgentNode {
  /** The instance of the user's class, to which nothing is assigned. */
  readonly definition: object;
  readonly name: string;
  readonly description: string;
  /** The names from the root down, joined by `/`; unique in a tree. */
  readonly path: string;
  readonly parentAgent: AgentNode | undefined;
  readonly subAgents: readonly AgentNode[];
  /** Whether the agent hands over, and is handed to, by `transfer_to_agent`. */
  readonly transfer: TransferPolicy;
  /** The agent's whole turn: its callbacks around its `run`. */
  invoke(context: InvocationContext): AsyncGenerator<Event, void, undefined>;
}

export interface TransferPolicy {
  readonly disabled: boolean;
  readonly toParent: boolean;
  readonly toPeers: boolean;
}

export function rootOf(node: AgentNode): AgentNode {
  let root = node;
  while (root.parentAgent !== undefined) root = root.parentAgent;
  return root;
}

/** Depth first, the node itself included; undefined where nobody has the name. */
export function findAgent(node: AgentNode, name: string): AgentNode | undefined {
  if (node.name === name) return node;
  for (const child of node.subAgents) {
    const found = findAgent(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
