import { LogRedaction } from '@adorn/schema';
import type { ModelResponse } from '../../models/model-response.js';
import type { ModelRequest } from '../../models/model.js';
import type { Logger } from '../../runtime/logger.js';

/** The run that an operation is part of. */
export interface ObservedRun {
  /** The name of the application. */
  readonly appName: string;
  /** The user of the session. */
  readonly userId: string;
  /** The session of the run. */
  readonly sessionId: string;
  /** The id of the run: the same for all its operations. */
  readonly invocationId: string;
}

/**
 * What an observer is told about when it begins: a run; one run of an agent; one request to a model; one call of a tool,
 * with its gates and policies. A call whose tool runs in the background ends when the tool does.
 */
export type Operation = RunOperation | AgentOperation | ModelOperation | ToolOperation;

/** A whole run, from the message to its end or pause. */
export interface RunOperation extends ObservedRun {
  /** Distinguishes the operations. */
  readonly kind: 'run';
}

/** One run of one agent. */
export interface AgentOperation extends ObservedRun {
  /** Distinguishes the operations. */
  readonly kind: 'agent';
  /** The name of the agent. */
  readonly name: string;
  /** The description of the agent; empty if it has none. */
  readonly description: string;
  /** The place of the run in the tree, such as `root/loop/draft@2`. */
  readonly path: string;
  /** True if the run continues after a pause or a crash. */
  readonly isResumed: boolean;
  /** Absent for a composite. */
  readonly model?: ObservedModel | undefined;
}

/** One request to a model, with its answer. */
export interface ModelOperation extends ObservedRun {
  /** Distinguishes the operations. */
  readonly kind: 'model';
  /** The agent that sends the request. Absent for a summary of the conversation. */
  readonly agentName?: string | undefined;
  /** The model that gets the request. */
  readonly model: ObservedModel;
  /** Must not be kept beyond the call of `observe`. */
  readonly request: ModelRequest;
}

/** One call of a tool. */
export interface ToolOperation extends ObservedRun {
  /** Distinguishes the operations. */
  readonly kind: 'tool';
  /** The agent whose model made the call. */
  readonly agentName: string;
  /** The name of the called tool. */
  readonly name: string;
  /** The description of the tool; empty if it has none. */
  readonly description: string;
  /** The id of the call in the log. */
  readonly callId: string;
  /** As the model wrote them: unchecked. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** A model as observers see it. */
export interface ObservedModel {
  /** The name of the model, as the provider knows it. */
  readonly name: string;
  /** The provider of the model, such as `gemini`. */
  readonly provider: string;
}

/** What happens during an operation. */
export type ObservedFact =
  /** A piece of a model's answer, or the complete answer. */
  | { readonly kind: 'response'; readonly response: ModelResponse }
  /** A gate has decided about a call: `open`, `again`, `intercept`, or the kind of the outcome. */
  | { readonly kind: 'gate'; readonly gate: string; readonly verdict: string }
  /** An attempt of a tool has failed, and another follows after the delay. */
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: unknown;
    };

/** How an operation ended. `paused`: it waits for a person. `refused`: the tool did not run. */
export interface OperationEnd {
  /** `cancelled`: the run was cancelled before the operation ended. */
  readonly status: 'completed' | 'failed' | 'refused' | 'paused' | 'cancelled';
  /** Why it failed or was cancelled. */
  readonly errorCode?: string | undefined;
  /** What was thrown. */
  readonly error?: unknown;
  /** The response of a tool to the model. */
  readonly response?: Readonly<Record<string, unknown>> | undefined;
}

/** One observed operation. */
export interface Observation {
  /** Calls `work`, at once and once. All that follows from it belongs to the operation, also when it continues later. */
  within(work: () => void): void;
  /** Called for a fact that becomes known while the operation runs, such as a piece of an answer. */
  note?(fact: ObservedFact): void;
  /** Called once. Is not called for a model that a cancelled run has abandoned; the end of the run comes after all others. */
  end(end: OperationEnd): void;
}

/** Watches the operations of runs, and cannot change them. */
export interface Observer {
  readonly name: string;
  /**
   * Called in the async context in which the operation begins. What it or the observation throws is logged once, and
   * changes nothing.
   *
   * @returns undefined to leave the operation unobserved
   */
  observe?(operation: Operation): Observation | undefined;
}

/** Begins the observation of an operation by all observers; undefined if none wants it. */
export type Observe = (operation: Operation) => GuardedObservation | undefined;

/** @returns undefined if no observer observes: operations then cost nothing */
export function observeBy(
  observers: readonly Observer[],
  logger: Logger,
  redaction = new LogRedaction(),
): Observe | undefined {
  const watching = observers.filter((observer) => typeof observer.observe === 'function');
  if (watching.length === 0) return undefined;
  const failed = new Set<string>();
  const guard = ({ name }: Observer, call: () => void): void => {
    try {
      call();
    } catch (error) {
      if (failed.has(name)) return;
      failed.add(name);
      logger.error(`the plugin "${name}" failed to observe; its further failures are not logged`, { error });
    }
  };
  return (operation) => {
    const observed: ObservedBy[] = [];
    for (const observer of watching)
      guard(observer, () => {
        const observation = observer.observe?.(operation) ?? undefined;
        if (observation) observed.push({ observer, observation });
      });
    return observed.length === 0 ? undefined : new GuardedObservation(observed, guard, redaction);
  };
}

interface ObservedBy {
  readonly observer: Observer;
  readonly observation: Observation;
}

/** The observations of one operation. None of them can harm it. */
export class GuardedObservation {
  private hasEnded = false;

  /** @internal */
  constructor(
    private readonly observed: readonly ObservedBy[],
    private readonly guard: (observer: Observer, call: () => void) => void,
    private readonly redaction: LogRedaction,
  ) {}

  /** Returns or throws what `work` does. */
  within<Result>(work: () => Result): Result {
    let done: { readonly result: Result } | { readonly error: unknown } | undefined;
    let next = (): void => {
      if (done) return;
      try {
        done = { result: work() };
      } catch (error) {
        done = { error };
      }
    };
    for (const { observer, observation } of this.observed) {
      const inner = next;
      next = () => {
        this.guard(observer, () => {
          observation.within(inner);
        });
        inner();
      };
    }
    next();
    const settled = done as unknown as { readonly result: Result } | { readonly error: unknown };
    if ('error' in settled) throw settled.error;
    return settled.result;
  }

  /** Passes the fact to all observers. What an observer throws is logged. */
  note(fact: ObservedFact): void {
    const safe = this.safe(fact);
    for (const { observer, observation } of this.observed)
      this.guard(observer, () => observation.note?.(safe));
  }

  /** Passes the end to all observers, once. What an observer throws is logged. */
  end(end: OperationEnd): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const safe = this.safe(end);
    for (const { observer, observation } of this.observed)
      this.guard(observer, () => {
        observation.end(safe);
      });
  }

  /** Without secrets in an error: what an observer writes may leave the process. */
  private safe<Told extends ObservedFact | OperationEnd>(told: Told): Told {
    if ('kind' in told && told.kind === 'response') return this.safeResponse(told) as Told;
    if (!('error' in told) || told.error === undefined) return told;
    const { error } = this.redaction.facts({ error: told.error });
    return error === told.error ? told : { ...told, error };
  }

  private safeResponse(
    told: Extract<ObservedFact, { kind: 'response' }>,
  ): Extract<ObservedFact, { kind: 'response' }> {
    const { errorMessage } = told.response;
    if (typeof errorMessage !== 'string') return told;
    return { ...told, response: { ...told.response, errorMessage: this.redaction.text(errorMessage) } };
  }
}
