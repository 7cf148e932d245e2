import type { Event } from '../events/event.js';
import { childRunPath } from '../events/event-place.js';
import type { AgentNode } from './agent-node.js';
import type { RecordedRun, Replay } from './replay.js';

/** The run whose progress it is. */
export interface ProgressOf {
  readonly agent: AgentNode;
  readonly path: string;
  /** Whether the log holds the beginning of the run. */
  readonly isResumed: boolean;
}

/** What a run has done so far, held against what the log has of it. */
export class RunProgress {
  private readonly recorded: RecordedRun | undefined;
  /** How often each agent was begun by this run, by name. */
  private readonly begun = new Map<string, number>();
  /** The paths of the runs that this one has asked for. */
  private readonly asked = new Set<string>();
  private readonly values = new Map<string, Promise<unknown>>();
  /** How many of the events that a resumed `run` yields first are in the log already. */
  private repeatsLeft: number;
  private readonly repeated = new Set<string>();

  constructor(
    private readonly run: ProgressOf,
    private readonly replay: Replay | undefined,
  ) {
    this.recorded = run.isResumed && !run.agent.isLlmAgent ? replay?.run(run.path) : undefined;
    this.repeatsLeft = this.recorded?.yielded ?? 0;
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

  /** The value that was kept under a key, in the log or by this run; else that which the function makes. */
  value(key: string, make: () => Promise<unknown>): Promise<unknown> {
    const kept = this.recorded?.values;
    const known = kept?.has(key) === true ? Promise.resolve(kept.get(key)) : this.values.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.values.set(key, made);
    return made;
  }

  /** True for an event of a resumed `run` that the log holds already. */
  isRepeated(event: Event): boolean {
    if (this.repeated.has(event.id)) return true;
    if (this.repeatsLeft === 0 || event.nodeInfo?.path !== this.run.path) return false;
    if (event.actions.agentState !== undefined) return false;
    if (!event.partial) this.repeatsLeft--;
    this.repeated.add(event.id);
    return true;
  }

  /**
   * A run that the log holds and this one, which goes on, has not asked for, though it should have.
   *
   * @param path of the run that is about to begin; absent at the end of this run
   */
  unaskedRun(path?: string): RecordedRun | undefined {
    const runs = this.recorded?.children ?? [];
    const unasked = runs.filter((run) => !this.asked.has(run.path));
    const next = runs.find((run) => run.path === path);
    return next === undefined ? unasked[0] : unasked.find((run) => run.hasEnded && run.last < next.first);
  }

  private nextPath(name: string, before: number): string {
    const number = (this.begun.get(name) ?? before) + 1;
    this.begun.set(name, number);
    return childRunPath(this.run.path, name, number);
  }
}
