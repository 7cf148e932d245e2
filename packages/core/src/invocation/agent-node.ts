import type { Event } from '../events/event.js';
import type { Model } from '../models/model.js';
import type { InvocationContext } from './invocation-context.js';

/** An agent in its place in the tree, as everything below the agents knows it. One class under two parents is two nodes. */
export interface AgentNode {
  /** The instance of the user's class, to which nothing is assigned. */
  readonly definition: object;
  readonly name: string;
  readonly description: string;
  /** The names from the root down, joined by `/`; unique in a tree. */
  readonly path: string;
  /** False for a composite: an agent with a `run` of its own, which invokes its sub-agents itself. */
  readonly isLlmAgent: boolean;
  /** Absent for a composite. */
  readonly model?: Model;
  readonly parentAgent: AgentNode | undefined;
  readonly subAgents: readonly AgentNode[];
  /** The agents that are tools of this one; each is the root of a tree of its own. */
  readonly toolAgents: readonly AgentNode[];
  /** Whether the agent hands over, and is handed to, by `transfer_to_agent`. */
  readonly transfer: TransferPolicy;
  /** The agent's callbacks around its `run`. */
  perform(context: InvocationContext): AsyncGenerator<Event, void, undefined>;
  /** What the text of an answer is in the form of the agent's `outputSchema`; absent if it has none. */
  readonly readOutput?: (text: string) => Promise<AgentOutput>;
}

/** The output of an agent, or what is wrong with its answer. */
export type AgentOutput = { readonly output: unknown } | { readonly fault: string };

export interface TransferPolicy {
  readonly disabled: boolean;
  readonly toParent: boolean;
  readonly toPeers: boolean;
  /** The parent, an LLM agent, gets the conversation back when the agent is done; no other agent hands over to it. */
  readonly isCalled: boolean;
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
