import { childRunPath, isWithin, runPathOf } from '../events/event-place.js';
import type { Event } from '../events/event.js';
import type { InvocationChain } from '../log/invocation-chains.js';
import { isSameJson } from '@adorn/schema';
import { unmarkedDelta } from '../log/labelled-state.js';
import { persistedEvent } from '../stores/sessions/session-record.js';
import { type AgentNode, runsOn, toolRunOn } from './agent-node.js';
import { type Conclusion, readConclusion, ResultCollector } from './agent-result.js';
import { isBudgetEnd } from './budget.js';
import { isCancelledEnd } from './cancellation.js';

/** The key of an event's custom metadata for the callback that made it. Absent for events of the agent's `run`. */
export const MADE_BY_CALLBACK = 'adorn:callback';

/** The recorded part of one run of an agent. */
export interface RecordedRun {
  readonly path: string;
  readonly hasEnded: boolean;
  /** Indexes of its first and its last event, which order the runs. */
  readonly first: number;
  readonly last: number;
  /** The events that its own `run` yielded. */
  readonly own: readonly OwnEvent[];
  /** The values that it recorded with `context.once`. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly collected: ResultCollector;
  /** The runs whose results it adopted; undefined if none is recorded. */
  readonly conclusion: Conclusion | undefined;
  /** The runs that it invoked, in the order of their first events. */
  readonly children: readonly RecordedRun[];
}

/** An event that the `run` of an agent yielded. */
interface OwnEvent {
  readonly event: Event;
  /** Orders the event among the runs that the agent invoked. */
  readonly index: number;
}

/** The last event of an agent. */
export interface LastStep {
  readonly event: Event;
  readonly index: number;
}

/**
 * The recorded runs of the invocations that a new one continues. A composite, which is any agent except an `LlmAgent`, runs
 * again from the top; a child whose run has ended returns its recorded result.
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

  /** How often an agent at a path ran another agent as a tool. */
  countTools(path: string, name: string): number {
    const first = childRunPath(path, name, 1);
    const isRun = (run: string): boolean =>
      run === first || (run.startsWith(`${first}@`) && !run.includes('/', first.length));
    return [...this.tools.values()].filter(isRun).length;
  }

  run(path: string): RecordedRun | undefined {
    return this.runs.get(path);
  }

  /** The runs that have not ended, except those that wait for a run below them. */
  openRuns(): RecordedRun[] {
    const open = [...this.runs.values()].filter((run) => !run.hasEnded);
    return open.filter(({ children }) => children.every((child) => child.hasEnded));
  }

  /** The last event of the agent with exactly this path. */
  lastStep(path: string): LastStep | undefined {
    return this.steps.get(path);
  }

  /** The last event after an index of the agent with this path, or of an agent below it. */
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
      // The answer of an agent that runs as a tool is the result of a call, not an answer of the agents above it.
      const isHeard = event.author !== 'user' && (tool === undefined || isWithin(runPath, tool));
      if (isHeard) run.collected.note(event, runPath === own);
      parent = run;
    }
    if (isolationScope !== undefined && tool !== undefined && !this.tools.has(isolationScope))
      this.tools.set(isolationScope, tool);
    if (event.author === 'user') return;
    this.steps.set(path, { event, index });
    if (parent?.path === path) parent.add(event, index);
  }

  private begun(path: string, index: number, parent: MutableRun | undefined): MutableRun {
    let run = this.runs.get(path);
    if (!run) {
      this.runs.set(path, (run = new MutableRun(path, index)));
      parent?.children.push(run);
    }
    return run;
  }
}

class MutableRun implements RecordedRun {
  hasEnded = false;
  last: number;
  readonly own: OwnEvent[] = [];
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

  /** Records an event with exactly the path of the run. */
  add(event: Event, index: number): void {
    const { actions, customMetadata, errorCode } = event;
    const { endOfAgent, agentState } = actions;
    if (endOfAgent === true) {
      this.hasEnded = true;
      this.conclusion = readConclusion(customMetadata);
    } else if (agentState) for (const [key, value] of Object.entries(agentState)) this.values.set(key, value);
    else if (customMetadata?.[MADE_BY_CALLBACK] === undefined && !isEndOfInvocation(errorCode))
      this.own.push({ event, index });
  }
}

function runNamed(run: RecordedRun | undefined): string | undefined {
  return run && `a run of "${run.path}"`;
}

/** True for ends that the runner writes in the name of the agent. */
function isEndOfInvocation(errorCode: string | undefined): boolean {
  return isCancelledEnd({ errorCode }) || isBudgetEnd(errorCode) || errorCode === 'AGENT_TREE_CHANGED';
}

/** The run of a {@link RecordedProgress}. */
interface ProgressOf {
  readonly agent: AgentNode;
  readonly path: string;
  /** True if the log contains the beginning of the run. */
  readonly isResumed: boolean;
}

/** The progress of a run, compared with its recorded part. */
export class RecordedProgress {
  private readonly recorded: RecordedRun | undefined;
  /** How often this run began each agent, by name. */
  private readonly begun = new Map<string, number>();
  /** The paths of the runs that this run has invoked. */
  private readonly asked = new Set<string>();
  /** The paths of those of them that have begun. */
  private readonly active = new Set<string>();
  private readonly values = new Map<string, Promise<unknown>>();
  /** How many events this run has yielded that the log holds. */
  private yielded = 0;
  private readonly repeated = new Set<string>();
  /** What the log holds in the place of the first event that differs from it. */
  deviation: string | undefined;

  constructor(
    private readonly run: ProgressOf,
    private readonly replay: Replay | undefined,
  ) {
    this.recorded = run.isResumed && !run.agent.isLlmAgent ? replay?.run(run.path) : undefined;
  }

  /** The path of the next run of a sub-agent. */
  pathOfChild(name: string): string {
    const path = this.nextPath(name, 0);
    this.asked.add(path);
    return path;
  }

  /** The path of the next run of an agent that is a tool. */
  pathOfTool(name: string): string {
    return this.nextPath(name, this.replay?.countTools(this.run.path, name) ?? 0);
  }

  /** The value stored under a key, in the log or by this run; else the value that the function returns. */
  value(key: string, make: () => Promise<unknown>): Promise<unknown> {
    const kept = this.recorded?.values;
    const known = kept?.has(key) === true ? Promise.resolve(kept.get(key)) : this.values.get(key);
    if (known) return known;
    const made = make();
    this.values.set(key, made);
    return made;
  }

  /**
   * True for an event of a resumed `run` that is not to be stored: the log holds it at the same place between the same runs,
   * or it differs from the log, which {@link deviationAt} then tells.
   *
   * @param areReplaced true if a plugin may have replaced the recorded events: then only the authors are compared
   */
  isRepeated(event: Event, areReplaced: boolean): boolean {
    if (this.repeated.has(event.id)) return true;
    const { recorded, run } = this;
    if (!recorded || event.nodeInfo?.path !== run.path) return false;
    const next = recorded.own[this.yielded];
    if (event.partial) return next !== undefined;
    if (!next) {
      this.deviation ??= runNamed(recorded.children.find(({ path }) => !this.asked.has(path)));
      return this.deviation !== undefined;
    }
    this.repeated.add(event.id);
    const isSame =
      event.author === next.event.author && (areReplaced || isSameJson(stepOf(event), stepOf(next.event)));
    if (isSame && this.isAt(next)) this.yielded++;
    else this.deviation ??= 'another event in the place of one';
    return true;
  }

  /**
   * What the log holds and this resumed run has not done by now; undefined if it has done all.
   *
   * @param path of the run that is about to begin; absent at the end of this run, and at an event of it
   */
  deviationAt(path?: string): string | undefined {
    const { recorded } = this;
    if (!recorded || this.deviation !== undefined) return this.deviation;
    const { children, own } = recorded;
    const next = children.find((run) => run.path === path);
    const unasked = children.filter((run) => !this.asked.has(run.path));
    const due = next ? own.filter(({ index }) => index < next.first).length : own.length;
    return (
      runNamed(next ? unasked.find((run) => run.hasEnded && run.last < next.first) : unasked[0]) ??
      (this.yielded === due
        ? undefined
        : `an event of it that ${this.yielded < due ? 'is missing' : 'came later'}`)
    );
  }

  /** Notes that a run begins, after a check by {@link deviationAt}. */
  begin(path: string): void {
    this.active.add(path);
  }

  /** True if a recorded event is due: the runs that begun before it have been invoked, and no others have begun. */
  private isAt({ index }: OwnEvent): boolean {
    const before = this.recorded?.children.filter(({ first }) => first < index).map(({ path }) => path) ?? [];
    return (
      before.every((path) => this.asked.has(path)) && [...this.active].every((path) => before.includes(path))
    );
  }

  private nextPath(name: string, before: number): string {
    const number = (this.begun.get(name) ?? before) + 1;
    this.begun.set(name, number);
    return childRunPath(this.run.path, name, number);
  }
}

/** What is compared of an event: its content, actions and error, as a store keeps them. */
function stepOf(event: Event): unknown {
  const { content, actions, errorCode } = unmarked(persistedEvent(event)).toJSON();
  return JSON.parse(JSON.stringify({ content, actions, errorCode }));
}

function unmarked(event: Event): Event {
  const stateDelta = unmarkedDelta(event.actions.stateDelta);
  return event.with({ actions: { ...event.actions, stateDelta } });
}
