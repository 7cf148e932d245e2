import type { AgentNode } from './agent-node.js';
import type { AgentResult, OUTPUT } from './agent-result.js';
import { NotASubAgentError } from './errors.js';

/** A sub-agent to invoke: its class, its name or its node. */
export type SubAgent<Output = string> =
  (abstract new (...args: never[]) => { readonly [OUTPUT]?: Output }) | AgentNode | string;

/** How a sub-agent is invoked. */
export interface InvokeOptions {
  /**
   * Events of the run bear the branch, and other branches do not see them: `research.0`. Default: the branch of the
   * agent that invokes.
   */
  readonly branch?: string;
  /**
   * The message that the sub-agent works on, in place of the user's: `context.userContent`, and the last message in its
   * history. Give it a `branch` where the agents behind it should not read it.
   */
  readonly input?: string;
}

/** How sub-agents are invoked side by side. */
export interface InvokeAllOptions {
  /** How many run at a time. Default: all. */
  readonly concurrency?: number;
  /** The branches are `{branch}.0`, `{branch}.1` and so on. Default: the branch and the name of the agent that invokes. */
  readonly branch?: string;
  /** The messages that the sub-agents work on, see {@link InvokeOptions.input}. */
  readonly inputs?: readonly string[];
  /**
   * Whether the result of one is enough. The others are then cancelled, also one that waits for an answer: they have
   * failed with the code `CANCELLED`. Ends that the log holds are asked first, in their order.
   */
  readonly until?: (result: AgentResult<unknown>, index: number) => boolean;
}

/** The results of sub-agents, in their order. */
export type AgentResults<Children extends readonly SubAgent<unknown>[]> = {
  -readonly [Index in keyof Children]: AgentResult<OutputOfSubAgent<Children[Index]>>;
};

type OutputOfSubAgent<Child> = Child extends abstract new (...args: never[]) => {
  readonly [OUTPUT]?: infer Output;
}
  ? Output
  : string;

/**
 * The sub-agent of an agent that is meant.
 *
 * @throws {NotASubAgentError}
 */
export function findSubAgent({ name, subAgents }: AgentNode, child: SubAgent<unknown>): AgentNode {
  const found = subAgents.find((one) => isMeant(one, child));
  if (found !== undefined) return found;
  const names = subAgents.map((one) => one.name);
  throw new NotASubAgentError(name, wordsFor(child), names);
}

function isMeant(node: AgentNode, child: SubAgent<unknown>): boolean {
  if (typeof child === 'string') return node.name === child;
  return typeof child === 'function' ? node.definition instanceof child : node === child;
}

function wordsFor(child: unknown): string {
  if (typeof child === 'string') return `"${child}"`;
  if (typeof child === 'function') return child.name;
  const name: unknown = (child as Partial<AgentNode> | null | undefined)?.name;
  return typeof name === 'string' ? `"${name}"` : `a value of type ${typeof child}`;
}
