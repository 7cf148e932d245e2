import type { Content, Part } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import type { EventActions } from '../events/event-actions.js';
import type { MemoryEntry, SearchMemoryOptions } from '../memory/memory.service.js';
import type { Logger } from '../runtime/logger.js';
import { ReadonlyState, State } from '../state/state.js';
import type { AgentNode } from './agent-node.js';
import type { InvocationContext } from './invocation-context.js';

/** What instructions and toolsets see of an invocation. */
export class ReadonlyContext {
  constructor(
    protected readonly invocation: InvocationContext,
    protected readonly agent: AgentNode,
  ) {}

  get appName(): string {
    return this.invocation.appName;
  }

  get userId(): string {
    return this.invocation.userId;
  }

  get sessionId(): string {
    return this.invocation.session.id;
  }

  get invocationId(): string {
    return this.invocation.invocationId;
  }

  get agentName(): string {
    return this.agent.name;
  }

  /** What the user said that began this invocation. */
  get userContent(): Content | undefined {
    return this.invocation.userContent;
  }

  /** The runner's log. */
  get logger(): Logger {
    return this.invocation.services.logger;
  }

  get state(): ReadonlyState {
    return new ReadonlyState(this.invocation);
  }

  /** Searches what was remembered of this user. */
  searchMemory(query: string, options?: SearchMemoryOptions): Promise<MemoryEntry[]> {
    const { appName, userId } = this.invocation;
    return this.invocation.services.memory.searchMemory({ appName, userId }, query, options);
  }
}

/** How a tool steers the run; the event of its response carries it. */
export interface RequestedActions {
  /** The response is the answer: the model is not called again. */
  skipSummarization?: boolean;
  /** The name of the agent that takes over the rest of the invocation. */
  transferToAgent?: string | undefined;
  /** Hands control upward; ends a loop. */
  escalate?: boolean;
}

/** What callbacks see of an invocation: the state to read and write, artifacts and memory. */
export class CallbackContext extends ReadonlyContext {
  private ownState: State | undefined;
  private artifactDelta: Record<string, number> | undefined;

  /** Reads see what this very context wrote; the writes are stored with the event that is made of it. */
  override get state(): State {
    return (this.ownState ??= new State(this.invocation));
  }

  /**
   * Only a call can steer the run: {@link ToolContext} has them.
   *
   * @throws {ActionsUnavailableError} where a callback of an agent or a model, written without types, asks for them
   */
  protected get actions(): RequestedActions {
    throw new ActionsUnavailableError();
  }

  /** Aborted when the invocation is cancelled, and when it has ended. */
  get signal(): AbortSignal {
    return this.invocation.signal;
  }

  /** Adds a version of a file and returns its number, the first being 0. A name with `user:` is the user's. */
  async saveArtifact(name: string, part: Part): Promise<number> {
    const version = await this.invocation.services.artifacts.save(this.invocation.sessionKey, name, part);
    this.artifactDelta ??= Object.create(null) as Record<string, number>;
    this.artifactDelta[name] = version;
    return version;
  }

  /** The newest version where none is named; undefined where there is none. */
  loadArtifact(name: string, version?: number): Promise<Part | undefined> {
    return this.invocation.services.artifacts.load(this.invocation.sessionKey, name, version);
  }

  listArtifacts(): Promise<string[]> {
    return this.invocation.services.artifacts.list(this.invocation.sessionKey);
  }

  /**
   * All that was asked for, as the actions of an event; undefined where nothing was.
   *
   * @internal
   */
  takeActions(): Partial<EventActions> | undefined {
    const stateDelta = this.ownState?.written;
    if (stateDelta === undefined && this.artifactDelta === undefined) return undefined;
    return {
      ...(stateDelta !== undefined && { stateDelta: { ...stateDelta } }),
      ...(this.artifactDelta !== undefined && { artifactDelta: { ...this.artifactDelta } }),
    };
  }
}

/** A callback of an agent or a model asked for `context.actions`: it has no call whose response could steer the run. */
export class ActionsUnavailableError extends AdornError {
  readonly code = 'ACTIONS_UNAVAILABLE';

  constructor() {
    super(
      'The callbacks of agents and models have no context.actions: transferToAgent, escalate and ' +
        'skipSummarization are set by a call. Set them in a tool, beforeTool, afterTool or onToolError, or yield an ' +
        'event with these actions from the run method of a BaseAgent.',
    );
  }
}
