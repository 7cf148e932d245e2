import type { AgentNode } from './agent-node.js';
import type { AgentResult, OUTPUT } from './agent-result.js';
import { optionNames } from '@adorn/schema';
import { NotASubAgentError } from './errors.js';
import { requireOptions, RunConfigInvalidError } from './run-config.js';

/** A sub-agent to invoke: its class, its name or its node. */
export type SubAgent<Output = string> =
  (abstract new (...args: never[]) => { readonly [OUTPUT]?: Output }) | AgentNode | string;

/** How a sub-agent is invoked. */
export interface InvokeOptions {
  /**
   * The branch of the run's events: `research.0`. Runs on branches that differ in their last number, such as `research.1`,
   * do not see each other in that turn. Default: the branch of the invoking agent.
   */
  readonly branch?: string;
  /**
   * The message for the sub-agent, in place of the user's: `context.userContent`, and the last message in its history. Set
   * a `branch` if the agents after it should not read the message.
   */
  readonly input?: string;
}

/** The options of invoking sub-agents in parallel. */
export interface InvokeAllOptions {
  /** How many run at a time. Default: all. */
  readonly concurrency?: number;
  /**
   * The branches are `{branch}.0`, `{branch}.1` and so on; in a later run of the invoking agent `{branch}@2.0`, and for its
   * second call of `invokeAll` `{branch}#2.0`. Default: the branch and the name of the invoking agent.
   */
  readonly branch?: string;
  /** The messages for the sub-agents, see {@link InvokeOptions.input}. */
  readonly inputs?: readonly string[];
  /**
   * Returns true if a result is enough. The others are then cancelled, even if they wait for an answer, and fail with the
   * code `CANCELLED`. Recorded results are checked first, in the order of their ends.
   */
  readonly until?: (result: AgentResult<unknown>, index: number) => boolean;
}

export const INVOKE = optionNames<InvokeOptions>({ branch: true, input: true });

export const INVOKE_ALL = optionNames<InvokeAllOptions>({
  branch: true,
  concurrency: true,
  inputs: true,
  until: true,
});

/** @throws {RunConfigInvalidError} for options that are not an object, or do not exist */
export function requireInvokeOptions(method: string, options: unknown, names: ReadonlySet<string>): void {
  if (typeof options !== 'object' || options === null) {
    const cure = "Pass an object, such as { input: 'Translate this.' }.";
    throw RunConfigInvalidError.ofValue(`options of context.${method}`, options, cure);
  }
  requireOptions(`context.${method}`, options, names);
}

/** The results of sub-agents, in their order. */
export type AgentResults<Children extends readonly SubAgent<unknown>[]> = {
  -readonly [Index in keyof Children]: AgentResult<OutputOfSubAgent<Children[Index]>>;
};

/** The type of the answer of a sub-agent's class; text unless the class states it. */
export type OutputOfSubAgent<Child> = Child extends abstract new (...args: never[]) => {
  readonly [OUTPUT]?: infer Output;
}
  ? Output
  : string;

/**
 * Finds the sub-agent of an agent by class, name or node.
 *
 * @throws {NotASubAgentError}
 */
export function findSubAgent({ name, subAgents }: AgentNode, child: SubAgent<unknown>): AgentNode {
  const found = subAgents.find((one) => isMeant(one, child));
  if (found) return found;
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
