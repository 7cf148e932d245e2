import { agentNameOf, runPathOf } from '../events/event-place.js';
import type { Event } from '../events/event.js';
import type { Model } from '../models/model.js';
import type { EventSink } from '../events/event-sink.js';
import type { Performed } from './emit-events.js';
import type { InvocationContext } from './invocation-context.js';

/** An agent at its place in the tree. A class under two parents has two nodes. */
export interface AgentNode {
  /** The instance of the user's class. Its properties are not modified. */
  readonly definition: object;
  /** The option `name`, else the class's name in snake_case. */
  readonly name: string;
  /** Shown to other agents; empty if the class has none. */
  readonly description: string;
  /** The names from the root down, joined by `/`; unique in a tree. */
  readonly path: string;
  /** False for a composite: an agent with a `run` of its own, which invokes its sub-agents itself. */
  readonly isLlmAgent: boolean;
  /** True for an agent that acts on the escalation of an agent below it: a loop, and an agent with a `run` of its own. */
  readonly actsOnEscalation: boolean;
  /** Absent for a composite. */
  readonly model?: Model;
  /** Undefined for the root, and for an agent that is a tool. */
  readonly parentAgent: AgentNode | undefined;
  /** In the order of the option `subAgents`; empty for a leaf. */
  readonly subAgents: readonly AgentNode[];
  /** The agents that are tools of this one; each is the root of a tree of its own. */
  readonly toolAgents: readonly AgentNode[];
  /** The transfers by `transfer_to_agent` that are allowed from and to the agent. */
  readonly transfer: TransferPolicy;
  /** Runs the agent's `run` with its callbacks, and emits its events. */
  perform(context: InvocationContext, sink: EventSink): Promise<Performed>;
  /** True for an LLM agent with the tool that reads results which requests show cut, or not at all. */
  readonly readsResults?: boolean;
  /** True if a script makes its calls in the place of a model. */
  readonly isScripted?: boolean;
  /** Parses the text of an answer with the agent's `outputSchema`; absent if it has none. */
  readonly readOutput?: (text: string) => Promise<AgentOutput>;
}

/** The output of an agent, or the reason why its answer is not valid. */
export type AgentOutput = { readonly output: unknown } | { readonly fault: string };

/** Which transfers by `transfer_to_agent` an agent takes part in. */
export interface TransferPolicy {
  /** True if the agent offers no transfers to its model. */
  readonly disabled: boolean;
  /** True if the agent may transfer to its parent. */
  readonly toParent: boolean;
  /** True if the agent may transfer to the other sub-agents of its parent. */
  readonly toPeers: boolean;
  /** True if its parent, an LLM agent, calls it and then continues the conversation. No other agent transfers to it. */
  readonly isCalled: boolean;
}

/**
 * The LLM agent that takes over if an agent escalates: its parent. Undefined if the parent is not an LLM agent, if it calls
 * the agent and so continues anyway, or if a loop above ends by the escalation.
 */
export function superiorOf({ parentAgent, transfer }: AgentNode): AgentNode | undefined {
  if (parentAgent?.isLlmAgent !== true || transfer.isCalled) return undefined;
  return hasLoopAbove(parentAgent) ? undefined : parentAgent;
}

/** True if an agent above acts on an escalation. */
export function hasLoopAbove({ parentAgent }: AgentNode): boolean {
  for (let node = parentAgent; node !== undefined; node = node.parentAgent)
    if (node.actsOnEscalation) return true;
  return false;
}

/** The names of the models of a tree's agents, by the names of the agents. */
export function modelNamesIn(root: AgentNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, model } of agentsIn(root)) if (model) found.set(name, model.name);
  return found;
}

/** The agents of a tree, also those that are tools, depth first and the root before those below it. */
export function* agentsIn(root: AgentNode): Generator<AgentNode, void, undefined> {
  yield root;
  for (const below of [...root.subAgents, ...root.toolAgents]) yield* agentsIn(below);
}

/** Finds an agent by name, depth first, including the node itself; undefined if there is none. */
export function findAgent(node: AgentNode, name: string): AgentNode | undefined {
  if (node.name === name) return node;
  for (const child of node.subAgents) {
    const found = findAgent(child, name);
    if (found) return found;
  }
  return undefined;
}

/**
 * The paths of the runs that an agent at a path is part of, the topmost first. A composite begins a run, and so does each
 * agent that a composite invokes or that runs as a tool. An LLM agent that takes over from another continues the run of
 * the other.
 */
export function runsOn(root: AgentNode, path: string): string[] {
  return stepsOf(root, path)
    .filter((step) => step.parent?.isLlmAgent !== true || step.agent?.isLlmAgent === false || isTool(step))
    .map((step) => step.path);
}

/** The path of the innermost run on a path that is the run of a tool. */
export function toolRunOn(root: AgentNode, path: string): string | undefined {
  return stepsOf(root, path).findLast(isTool)?.path;
}

/** The agent at a path of runs; undefined if the tree has no such agent. */
export function agentAt(root: AgentNode, path: string): AgentNode | undefined {
  if (path === root.name) return root;
  const last = stepsOf(root, path).at(-1);
  return last?.path === path ? last.agent : undefined;
}

/** The agent that made an event: by its path, or by its author's name if the path leads to no agent, as in another ADK's log. */
export function agentOf(root: AgentNode, event: Event): AgentNode | undefined {
  const path = runPathOf(event);
  return (path === undefined ? undefined : agentAt(root, path)) ?? findAgent(root, event.author);
}

/** True for an event of a called agent, or of an agent below it. */
export function isOfCalled(root: AgentNode, event: Event): boolean {
  const path = runPathOf(event);
  return path !== undefined && stepsOf(root, path).some(({ agent }) => agent?.transfer.isCalled === true);
}

/**
 * The path of the topmost agent on a path that continues when an agent below it is done: a composite, or the parent of a
 * called agent. Undefined if there is none.
 */
export function topmostInvoker(root: AgentNode, path: string): string | undefined {
  const steps = stepsOf(root, path);
  const index = steps.findIndex(
    ({ agent }, at) => agent?.isLlmAgent === false || steps[at + 1]?.agent?.transfer.isCalled === true,
  );
  return steps[index]?.path;
}

/** The path of an agent that takes over from another. Keeps the numbers of the runs that both are part of. */
export function successorPath(from: AgentRun, successor: AgentNode): string {
  if (from.path === from.agent.path) return successor.path;
  const own = from.agent.path.split('/');
  const numbered = from.path.split('/');
  const names = successor.path.split('/');
  const parting = names.findIndex((name, index) => name !== own[index]);
  const shared = parting === -1 ? names.length : parting;
  return [...numbered.slice(0, shared), ...names.slice(shared)].join('/');
}

/** An agent and the path of its run. */
export interface AgentRun {
  readonly agent: AgentNode;
  /** The path of the run. */
  readonly path: string;
}

/** An agent on the path of a run, with its own path. */
interface PathStep {
  readonly path: string;
  /** Undefined if the tree has no such agent. */
  readonly agent: AgentNode | undefined;
  readonly parent: AgentNode | undefined;
}

/** The agents on a path, the root first. Ends at the first agent that the tree does not have. */
function stepsOf(root: AgentNode, path: string): PathStep[] {
  const steps: PathStep[] = [];
  let parent: AgentNode | undefined;
  let end = 0;
  for (const segment of path.split('/')) {
    const agent = parent ? childOf(parent, segment) : rootAt(root, segment);
    end += segment.length;
    steps.push({ path: path.slice(0, end), agent, parent });
    if (!agent) break;
    parent = agent;
    end++;
  }
  return steps;
}

function rootAt(root: AgentNode, segment: string): AgentNode | undefined {
  return agentNameOf(segment) === root.name ? root : undefined;
}

function childOf(parent: AgentNode, segment: string): AgentNode | undefined {
  const name = agentNameOf(segment);
  const isMeant = (child: AgentNode): boolean => child.name === name;
  return parent.subAgents.find(isMeant) ?? parent.toolAgents.find(isMeant);
}

function isTool({ agent, parent }: PathStep): boolean {
  return agent !== undefined && parent?.toolAgents.includes(agent) === true;
}
