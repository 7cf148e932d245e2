import type { Principal } from '../approvals/principal.js';
import type { Content, Part } from '../events/genai-types.js';
import { AdornError, checkOptions, type OptionRules, present, wholeFrom } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { EventActions } from '../events/event-actions.js';
import { exactKeyOf, type Session } from '../events/session.js';
import { ArtifactVersionTakenError } from '../stores/artifacts/artifact.service.js';
import type { MemoryEntry, SearchMemoryOptions } from '../stores/memory/memory.service.js';
import type { Logger } from '../runtime/logger.js';
import { ReadonlyState, State } from '../events/state.js';
import type { AgentNode } from './agent-node.js';
import { ContextClosedError } from './errors.js';
import type { InvocationContext } from './invocation-context.js';

/** The read-only view of an invocation for instructions, toolsets and tools that change requests. */
export class ReadonlyContext {
  constructor(
    /** The invocation, for subclasses only. */
    protected readonly invocation: InvocationContext,
    /** The agent that runs, for subclasses only. */
    protected readonly agent: AgentNode,
  ) {}

  /**
   * The invocation of a context, for whoever lists the tools of its agent.
   *
   * @internal
   */
  static invocationOf({ invocation }: ReadonlyContext): InvocationContext {
    return invocation;
  }

  /**
   * The agent of a context, for checks of its answers.
   *
   * @internal
   */
  static agentOf({ agent }: ReadonlyContext): AgentNode {
    return agent;
  }

  /** The name of the application. */
  get appName(): string {
    return this.invocation.appName;
  }

  /** The user of the session. */
  get userId(): string {
    return this.invocation.userId;
  }

  /** Who began the run: a person, a service, a schedule. By default the user of the session. */
  get requester(): Principal {
    return this.invocation.requester;
  }

  /** The id of the session, unique for the user. */
  get sessionId(): string {
    return this.invocation.session.id;
  }

  /** The id of the invocation: one message, with the answers to its requests. */
  get invocationId(): string {
    return this.invocation.invocationId;
  }

  /** The name of the agent that runs. */
  get agentName(): string {
    return this.agent.name;
  }

  /** The stored events of the conversation up to now, oldest first. Shared and frozen. */
  get events(): readonly Event[] {
    return this.invocation.session.events;
  }

  /** The user message that started this invocation. */
  get userContent(): Content | undefined {
    return this.invocation.userContent;
  }

  /** The messages that the run has read since it began, by `runner.send`, oldest first. */
  get laterMessages(): readonly Content[] {
    return this.invocation.invocation.readWithin;
  }

  /** The runner's log. */
  get logger(): Logger {
    return this.invocation.services.logger;
  }

  /** The state as stored, with the `temp:` keys of the invocation. */
  get state(): ReadonlyState {
    return new ReadonlyState(this.invocation);
  }

  /** Aborted when the run is cancelled or fails, or leaves work behind. Not aborted by the end of a run that ended well. */
  get signal(): AbortSignal {
    return this.invocation.signal;
  }

  /** Loads a version of an artifact, by default the newest; undefined if it does not exist. */
  loadArtifact(name: string, version?: number): Promise<Part | undefined> {
    return this.invocation.services.artifacts.load(this.invocation.sessionKey, name, version);
  }

  /** The versions of an artifact, ascending; empty if it does not exist. */
  listArtifactVersions(name: string): Promise<number[]> {
    return this.invocation.services.artifacts.versions(this.invocation.sessionKey, name);
  }

  /** The names of the artifacts of this session and user. */
  listArtifacts(): Promise<string[]> {
    return this.invocation.services.artifacts.list(this.invocation.sessionKey);
  }

  /** Searches the memories of this user. */
  searchMemory(query: string, options?: SearchMemoryOptions): Promise<MemoryEntry[]> {
    const { appName, userId } = this.invocation;
    return this.invocation.services.memory.searchMemory({ appName, userId }, query, options);
  }
}

/** Actions with which a tool controls the run. They are stored with the event of its response. */
export interface RequestedActions {
  /** Uses the response as the answer: the model is not called again. */
  skipSummarization?: boolean;
  /** The name of the agent that takes over the rest of the invocation. */
  transferToAgent?: string | undefined;
  /** Ends the loop that the agent runs in; without one, the parent agent takes over. */
  escalate?: boolean;
}

/** The options of `saveArtifact`. */
export interface SaveArtifactOptions {
  /** The number that the version must get. Default: the next one. */
  readonly version?: number;
}

const SAVE_OPTIONS: OptionRules<SaveArtifactOptions> = { version: wholeFrom(0) };

/**
 * The view of an invocation for callbacks: writable state and artifacts. It is closed when the callback, or the run, has
 * ended: what it wrote is then on its way to the log, and a later write is an error `CONTEXT_CLOSED`.
 */
export class CallbackContext extends ReadonlyContext {
  private ownState: State | undefined;
  private artifactDelta: Record<string, number> | undefined;
  private closed = false;

  /** The state. Reads include this context's own writes, which are stored with its event. */
  override get state(): State {
    return (this.ownState ??= new State(this.invocation, (what) => this.requireOpen(what)));
  }

  /**
   * Refuses all further writes and requests.
   *
   * @internal
   */
  close(): void {
    this.closed = true;
  }

  /** Why it is closed, for the error of a late write: a sentence without its period. */
  protected get ending(): string {
    return `The callback of the agent "${this.agentName}" is over`;
  }

  /**
   * @param what the use that needs an open context, such as `saveArtifact("a.txt")`
   * @internal
   * @throws {ContextClosedError}
   */
  protected requireOpen(what: string): void {
    if (this.invocation.isOver)
      throw new ContextClosedError(what, `The run ${this.invocationId} is over`, CURE);
    if (this.invocation.session.isDeleted === true)
      throw new ContextClosedError(what, `The session "${this.sessionId}" was deleted`, CURE);
    if (this.closed) throw new ContextClosedError(what, this.ending, CURE);
  }

  /**
   * Not available here: only tool calls have actions, see {@link ToolContext}.
   *
   * @throws {ActionsUnavailableError} if an untyped callback of an agent or a model reads them
   */
  protected get actions(): RequestedActions {
    throw new ActionsUnavailableError();
  }

  /**
   * Refuses an artifact once the context is closed.
   *
   * @internal
   * @throws {ContextClosedError}
   */
  protected requireOpenToSave(what: string): void {
    this.requireOpen(what);
  }

  /**
   * Adds a version of an artifact and returns its number, from 0. A name with the prefix `user:` belongs to the user.
   *
   * @param options `version`: the number that it must get, so that nobody has saved another version since it was read. Default: the
   *   next one
   * @throws {ContextClosedError} once the call or the callback is over
   * @throws {OptionInvalidError} for an option that does not exist
   * @throws {ArtifactVersionTakenError} if it would get another number; nothing is saved
   * @throws {NotSupportedError} for a `version`, if the artifact service has no `saveVersion`
   */
  async saveArtifact(name: string, part: Part, options: SaveArtifactOptions = {}): Promise<number> {
    this.requireOpenToSave(`saveArtifact("${name}")`);
    const version = await this.saved(name, part, options);
    this.artifactDelta ??= Object.create(null) as Record<string, number>;
    this.artifactDelta[name] = version;
    return version;
  }

  private async saved(name: string, part: Part, options: SaveArtifactOptions): Promise<number> {
    checkOptions('saveArtifact', options, SAVE_OPTIONS);
    const { version } = options;
    const { services, session } = this.invocation;
    const key = exactKeyOf(session);
    if (version === undefined) return services.artifacts.save(key, name, part);
    if (await services.artifacts.saveVersion(key, name, part, version)) return version;
    throw new ArtifactVersionTakenError(name, version);
  }

  /**
   * The writes to the state and to artifacts since the last call, which the caller stores; undefined if there are none.
   *
   * @internal
   */
  drainWrites(): Partial<EventActions> | undefined {
    const stateDelta = this.ownState?.takeWritten();
    const { artifactDelta } = this;
    this.artifactDelta = undefined;
    return stateDelta || artifactDelta ? present({ stateDelta, artifactDelta }) : undefined;
  }

  /**
   * The requested actions, as the actions of an event; undefined if there are none.
   *
   * @internal
   */
  drainActions(): Partial<EventActions> | undefined {
    const stateDelta = this.ownState?.written;
    if (stateDelta === undefined && this.artifactDelta === undefined) return undefined;
    return present({
      stateDelta: stateDelta && { ...stateDelta },
      artifactDelta: this.artifactDelta && { ...this.artifactDelta },
    });
  }
}

const CURE =
  'Await all work before returning. For work that outlives the run, write with runner.sessions.updateSession and ' +
  'runner.artifacts.save, or begin another run.';

/** A callback of an agent or a model read `context.actions`, which only tool calls have. */
export class ActionsUnavailableError extends AdornError {
  readonly code = 'ACTIONS_UNAVAILABLE';

  constructor() {
    super(
      'The callbacks of agents and models have no context.actions: only tool calls can set transferToAgent, escalate ' +
        'and skipSummarization. Set them in a tool, beforeTool, afterTool or onToolError.',
    );
  }
}

/** The session of a context's run, for a projection of its log. */
export function sessionOf(context: ReadonlyContext): Session {
  return ReadonlyContext.invocationOf(context).session;
}
