import type { Event } from '../events/event.js';
import { agentNameOf, childRunPath, isWithin, runPathOf } from '../events/event-place.js';
import type { InvocationChain } from '../log/invocation-chains.js';
import { type AgentNode, findAgent } from './agent-node.js';
import { isCancelledEnd } from './cancellation.js';
import { type Conclusion, readConclusion, ResultCollector } from './agent-result.js';

/** The key of an event's custom metadata for the callback that made it, where that is not the agent's `run`. */
export const MADE_BY_CALLBACK = 'adorn:callback';

/** What the log holds of one run of an agent. */
export interface RecordedRun {
  readonly path: string;
  readonly hasEnded: boolean;
  /** Indexes of its first and its last event, by which runs are compared. */
  readonly first: number;
  readonly last: number;
  /** How many events its own `run` yielded. */
  readonly yielded: number;
  /** The values that it recorded with `context.once`. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly collected: ResultCollector;
  /** The runs whose results are its own; undefined where it has said nothing of it. */
  readonly conclusion: Conclusion | undefined;
  /** The runs that it invoked, in the order of their first events. */
  readonly children: readonly RecordedRun[];
}

/** The last event of an agent. */
export interface LastStep {
  readonly event: Event;
  readonly index: number;
}

/**
 * What the log holds of the invocations that a new one continues. A composite, which is any agent that is no
 * `LlmAgent`, runs again from its top; a child whose run has ended returns its recorded result.
 */
export class Replay {
  private readonly runs = new Map<string, MutableRun>();
  /** The paths of the runs that calls of tools began, by scope. */
  private readonly tools = new Map<string, string>();
  private readonly steps = new Map<string, LastStep>();

  constructor(
    private readonly chain: InvocationChain,
    private readonly root: AgentNode,
  ) {
    for (const [index, event] of chain.events.entries()) {
      const path = runPathOf(event);
      if (path !== undefined) this.note(event, path, index);
    }
  }

  /** True for an invocation that the new one continues. */
  has(invocationId: string): boolean {
    return this.chain.invocationIds.has(invocationId);
  }

  /** The run of an agent that the call of a scope began. */
  runOfTool(scope: string): RecordedRun | undefined {
    return this.runs.get(this.tools.get(scope) ?? '');
  }

  /** How often an agent at a path ran another one as a tool. */
  countTools(path: string, name: string): number {
    const first = childRunPath(path, name, 1);
    return [...this.tools.values()].filter((run) => run === first || run.startsWith(`${first}@`)).length;
  }

  run(path: string): RecordedRun | undefined {
    return this.runs.get(path);
  }

  /** The last event of the agent with exactly this path. */
  lastStep(path: string): LastStep | undefined {
    return this.steps.get(path);
  }

  /** The last event of the agent with this path, or of one below it, behind an index. */
  lastStepWithin(path: string, behind: number): LastStep | undefined {
    let last: LastStep | undefined;
    for (const [at, step] of this.steps)
      if (step.index > (last?.index ?? behind) && isWithin(at, path)) last = step;
    return last;
  }

  /** The index of the last event of the agent with this path, or of the run that it began. */
  lastIndex(path: string): number | undefined {
    return this.runs.get(path)?.last ?? this.steps.get(path)?.index;
  }

  private note(event: Event, path: string, index: number): void {
    const runs = runsOn(this.root, path);
    const own = runs.at(-1);
    const { isolationScope } = event;
    const tool = isolationScope === undefined ? undefined : (toolRunOn(this.root, path) ?? path);
    let parent: MutableRun | undefined;
    for (const runPath of runs) {
      const run = this.begun(runPath, index, parent);
      run.last = index;
      // What an agent says as a tool is a result of a call, and not said by the agents above it.
      const isHeard = event.author !== 'user' && (tool === undefined || isWithin(runPath, tool));
      if (isHeard) run.collected.note(event, runPath === own);
      parent = run;
    }
    if (isolationScope !== undefined && tool !== undefined && !this.tools.has(isolationScope))
      this.tools.set(isolationScope, tool);
    if (event.author === 'user') return;
    this.steps.set(path, { event, index });
    if (parent?.path === path) parent.add(event);
  }

  private begun(path: string, index: number, parent: MutableRun | undefined): MutableRun {
    let run = this.runs.get(path);
    if (run === undefined) {
      this.runs.set(path, (run = new MutableRun(path, index)));
      parent?.children.push(run);
    }
    return run;
  }
}

class MutableRun implements RecordedRun {
  hasEnded = false;
  last: number;
  yielded = 0;
  readonly values = new Map<string, unknown>();
  readonly collected = new ResultCollector();
  conclusion: Conclusion | undefined;
  readonly children: MutableRun[] = [];

  constructor(
    readonly path: string,
    readonly first: number,
  ) {
    this.last = first;
  }

  /** Notes an event that bears the very path of the run. */
  add({ actions, customMetadata, errorCode }: Event): void {
    const { endOfAgent, agentState } = actions;
    if (endOfAgent === true) {
      this.hasEnded = true;
      this.conclusion = readConclusion(customMetadata);
    } else if (agentState !== undefined)
      for (const [key, value] of Object.entries(agentState)) this.values.set(key, value);
    else if (customMetadata?.[MADE_BY_CALLBACK] === undefined && !isEndOfInvocation(errorCode))
      this.yielded++;
  }
}

/** Written by the runner in the name of the agent. */
function isEndOfInvocation(errorCode: string | undefined): boolean {
  return isCancelledEnd({ errorCode }) || errorCode === 'AGENT_TREE_CHANGED';
}

/** An agent on the path of a run, with the path that leads to it. */
interface PathStep {
  readonly path: string;
  /** Undefined where the tree has no such agent. */
  readonly agent: AgentNode | undefined;
  readonly parent: AgentNode | undefined;
}

/** The agents that a path leads through, the root first. It ends at the first that the tree does not have. */
function stepsOf(root: AgentNode, path: string): PathStep[] {
  const steps: PathStep[] = [];
  let parent: AgentNode | undefined;
  let end = 0;
  for (const segment of path.split('/')) {
    const agent = parent === undefined ? rootAt(root, segment) : childOf(parent, segment);
    end += segment.length;
    steps.push({ path: path.slice(0, end), agent, parent });
    if (agent === undefined) break;
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

/**
 * The paths of the runs that an agent at a path is part of, the topmost first. A composite begins a run, and so does each
 * agent that a composite invokes or that runs as a tool; an LLM agent that takes over from another goes on with the run
 * of that one.
 */
export function runsOn(root: AgentNode, path: string): string[] {
  return stepsOf(root, path)
    .filter((step) => step.parent?.isLlmAgent !== true || step.agent?.isLlmAgent === false || isTool(step))
    .map((step) => step.path);
}

/** The path of the innermost run on a path that a tool began. */
function toolRunOn(root: AgentNode, path: string): string | undefined {
  return stepsOf(root, path).findLast(isTool)?.path;
}

function isTool({ agent, parent }: PathStep): boolean {
  return agent !== undefined && parent?.toolAgents.includes(agent) === true;
}

/** The agent at a path of runs; undefined if the tree has none there. */
export function agentAt(root: AgentNode, path: string): AgentNode | undefined {
  if (path === root.name) return root;
  const last = stepsOf(root, path).at(-1);
  return last?.path === path ? last.agent : undefined;
}

/** The agent that made an event: by its path, or by its author's name where that leads to none, as in another ADK's log. */
export function agentOf(root: AgentNode, event: Event): AgentNode | undefined {
  const path = runPathOf(event);
  return (path === undefined ? undefined : agentAt(root, path)) ?? findAgent(root, event.author);
}

/** True for an event of an agent that is called, or of one below it. */
export function isOfCalled(root: AgentNode, event: Event): boolean {
  const path = runPathOf(event);
  return path !== undefined && stepsOf(root, path).some(({ agent }) => agent?.transfer.isCalled === true);
}

/**
 * The path of the topmost agent on a path that goes on when an agent below it is done: a composite, or the parent of an
 * agent that is called. Undefined if there is none.
 */
export function topmostInvoker(root: AgentNode, path: string): string | undefined {
  const steps = stepsOf(root, path);
  const index = steps.findIndex(
    ({ agent }, at) => agent?.isLlmAgent === false || steps[at + 1]?.agent?.transfer.isCalled === true,
  );
  return steps[index]?.path;
}

/** The path of an agent that takes over from another: the numbers of the runs that both are part of stay. */
export function successorPath(from: RunPlace, successor: AgentNode): string {
  const own = from.agent.path.split('/');
  const numbered = from.path.split('/');
  const names = successor.path.split('/');
  const parting = names.findIndex((name, index) => name !== own[index]);
  const shared = parting === -1 ? names.length : parting;
  return [...numbered.slice(0, shared), ...names.slice(shared)].join('/');
}

/** An agent, and where it runs. */
export interface RunPlace {
  readonly agent: AgentNode;
  /** The path of the run. */
  readonly path: string;
}
