import type { Content } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { EventIdTakenError } from '../events/errors.js';
import type { Event } from '../events/event.js';
import { isWithin, runPathOf } from '../events/event-place.js';
import { keyOf, type Session } from '../events/session.js';
import { startTimer } from '../runtime/clock.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { persistedEvent } from '../sessions/session-record.js';
import { APPEND_AT_ONCE, type AppendOptions } from '../sessions/session.service.js';
import { applyKey, isTemporary } from '../state/state.js';
import type { AgentNode } from './agent-node.js';
import type { AgentResult } from './agent-result.js';
import type { Answer } from '../log/pending-call-index.js';
import { InvocationBudget, type Spent } from './budget.js';
import { Cancellation, InvocationCancelledError } from './cancellation.js';
import { InvocationContext } from './invocation-context.js';
import type { InvocationServices, RunCompactor } from './invocation-services.js';
import type { Replay } from './replay.js';
import type { CompleteRunConfig } from './run-config.js';

/** What one invocation is made with. */
export interface InvocationFields {
  /** The root of the agent tree. */
  readonly root: AgentNode;
  readonly invocationId: string;
  readonly session: Session;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly userContent?: Content;
  readonly answers?: readonly Answer[];
  /** Made before the invocation where it can be cancelled earlier. */
  readonly cancellation?: Cancellation;
  /** What was spent on it before it paused. */
  readonly spent?: Spent | undefined;
  /** Absent if no plugin watches events. */
  readonly replaceEvent?: EventReplacer | undefined;
  /** Absent if conversations are not summarised. */
  readonly compactor?: RunCompactor | undefined;
}

/** Gives the event that is stored and shown in place of another; it has the same id. */
export type EventReplacer = (event: Event, context: InvocationContext) => Promise<Event>;

/** One run of an agent tree over one message: what the runs of its agents share. */
export class Invocation {
  readonly invocationId: string;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly budget: InvocationBudget;
  readonly cancellation: Cancellation;
  /** The message that began it, without the secrets it may have brought. */
  readonly userContent: Content | undefined;
  /** Applied to each event that is appended, but the user's message. */
  readonly replaceEvent: EventReplacer | undefined;
  /** The context of the root agent. */
  readonly root: InvocationContext;
  /** What the runs of this request have recorded so far, where this invocation continues one. */
  replay: Replay | undefined;
  /** What the composite with which the invocation began, or that took over, concluded with. */
  result: AgentResult<unknown> | undefined;
  /** `temp:` keys: they live as long as the invocation. */
  private ownTemporary: Record<string, unknown> | undefined;
  /** Absent once it has failed in this run: a run does not wait for it twice. */
  private compactor: RunCompactor | undefined;
  private untaken: readonly Answer[];
  private current: Session;
  /** Stores refuse this invocation's appends once another process has claimed it under a later epoch. */
  private epoch = 0;
  private hasAppended = false;
  private stopTimer: (() => void) | undefined;
  private hasEnded = false;
  /** Events are stored one after another, also those of agents that run side by side. */
  private isStoring = false;
  private waiting: (() => void)[] | undefined;
  /** Why an event could not be stored. */
  private failure: unknown;
  /** The events that this invocation has written, by id. */
  private readonly written = new Map<string, WrittenEvent>();

  constructor(fields: InvocationFields) {
    this.invocationId = fields.invocationId;
    this.current = fields.session;
    this.services = fields.services;
    this.config = fields.config;
    this.cancellation = fields.cancellation ?? new Cancellation();
    this.budget = new InvocationBudget(fields.config, fields.spent);
    this.userContent = fields.userContent;
    this.untaken = fields.answers ?? [];
    this.replaceEvent = fields.replaceEvent;
    this.compactor = fields.compactor;
    this.root = new InvocationContext(this, { agent: fields.root, path: fields.root.name });
    const { msLeft } = this.budget;
    if (msLeft !== undefined)
      this.stopTimer = startTimer(this.services.clock, msLeft, () => {
        this.endTime();
      });
  }

  get session(): Session {
    return this.current;
  }

  /** `temp:` keys. */
  get temporary(): Readonly<Record<string, unknown>> {
    return this.ownTemporary ?? NOTHING;
  }

  /**
   * The answers that this invocation brought for calls of the agent. Each is given out once, and to nobody else: a
   * tool of the same name elsewhere must not run because of it.
   */
  takeAnswers({ agent, path }: InvocationContext): readonly Answer[] {
    if (this.untaken.length === 0) return this.untaken;
    const taken = this.untaken.filter(({ open: { event } }) => {
      const madeAt = runPathOf(event);
      return madeAt === undefined ? event.author === agent.name : madeAt === path && this.continues(event);
    });
    this.untaken = this.untaken.filter((answer) => !taken.includes(answer));
    return taken;
  }

  /** The answers that no agent has taken yet. */
  get answers(): readonly Answer[] {
    return this.untaken;
  }

  /** Drops the answers for calls of a run that does not go on, and of those below it: their calls are answered without them. */
  dropAnswers(path: string): void {
    if (this.untaken.length === 0) return;
    this.untaken = this.untaken.filter(({ open: { event } }) => {
      const madeAt = runPathOf(event);
      return madeAt === undefined || !isWithin(madeAt, path) || !this.continues(event);
    });
  }

  /** True for an event of this invocation, or of one that it continues. */
  continues({ invocationId }: Pick<Event, 'invocationId'>): boolean {
    const own = this.invocationId;
    if (invocationId === own || invocationId.startsWith(`${own}.sub.`)) return true;
    return this.replay?.has(invocationId) === true;
  }

  /** The context of an agent with which the invocation begins. */
  enter(agent: AgentNode, path: string): InvocationContext {
    const isResumed = this.replay?.lastIndex(path) !== undefined;
    return new InvocationContext(this, { agent, path, isResumed });
  }

  /** True for the error of a store, which is no agent's. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.failure;
  }

  /** The answers that no agent took; each is given out once. */
  takeRest(): readonly Answer[] {
    const rest = this.untaken;
    this.untaken = [];
    return rest;
  }

  /**
   * Writes an event to the log once, also where it is appended and then yielded. Done by the runner for all that
   * agents yield; a partial event is not written.
   *
   * @returns the event as it is stored: without `temp:` keys
   * @throws {EventIdTakenError} for another event with the id of one that was written
   * @throws {InvocationCancelledError} after the end of the run, such as from an agent that was left behind
   * @throws {SessionTakenOverError} if a run of another process has taken the session over
   */
  append(event: Event, options?: AppendOptions): Promise<Event> {
    try {
      return Promise.resolve(this.store(event, options));
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a store may throw anything
      return Promise.reject(error);
    }
  }

  /** `append`, without a promise where the store needs none. */
  store(event: Event, options?: AppendOptions): Awaitable<Event> {
    if (event.partial) return event;
    const written = this.written.get(event.id);
    if (written !== undefined) {
      if (written.event === event) return written.stored;
      throw new EventIdTakenError(event.id);
    }
    return this.storeNew(event, options, this.replaceEvent);
  }

  /** Writes an event that no plugin replaces: the message that began the invocation, or a summary. */
  storeUnchanged(event: Event, options?: AppendOptions): Awaitable<Event> {
    return this.storeNew(event, options, undefined);
  }

  /** Summarises the conversation, if it has outgrown its limit. Undefined if there is nothing to wait for. */
  compact(path: string): Promise<void> | undefined {
    const { compactor, current } = this;
    return compactor?.isDueWithinRun(current) === true ? this.appendSummary(compactor, path) : undefined;
  }

  private async appendSummary(compactor: RunCompactor, path: string): Promise<void> {
    const { current, invocationId, cancellation, services } = this;
    let summary: Event | undefined;
    try {
      summary = await compactor.summaryWithinRun(current, { invocationId, path }, cancellation.signal);
    } catch (error) {
      this.compactor = undefined;
      if (cancellation.isCancelled) return;
      services.logger.warn('a long run could not be summarised; it goes on with all its events', {
        ...{ sessionId: current.id, invocationId, error },
      });
    }
    if (summary !== undefined && !cancellation.isCancelled) await this.storeUnchanged(summary);
  }

  /** Takes its id over from an earlier invocation that had the same. */
  async claim(): Promise<void> {
    this.epoch = await this.services.sessions.claimInvocation(keyOf(this.current), this.invocationId);
  }

  /** Nothing is appended from now on. */
  end(): void {
    this.hasEnded = true;
    this.stopTimer?.();
  }

  private endTime(): void {
    this.budget.isTimeOver = true;
    this.cancellation.cancel();
  }

  /** Writes events that must stand in the log together before the first of them is seen. */
  async appendAhead(events: readonly Event[]): Promise<void> {
    for (const event of events) await this.append(event);
  }

  private storeNew(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Awaitable<Event> {
    this.budget.note(event);
    const entry: WrittenEvent = { event, stored: NOT_STORED };
    this.written.set(event.id, entry);
    return (entry.stored =
      this.storeAtOnce(event, options, replaceEvent) ?? this.storeInTurn(event, options, replaceEvent));
  }

  /** Undefined where something has to be waited for: a plugin, another event, or the store. */
  private storeAtOnce(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Event | undefined {
    const append = this.services.sessions[APPEND_AT_ONCE];
    if (append === undefined || replaceEvent !== undefined || this.isStoring) return undefined;
    try {
      const lasting = this.lasting(event);
      this.current = append(this.current, lasting, this.fenced(lasting, options));
      this.hasAppended = true;
      return lasting;
    } catch (error) {
      if (this.mayTakeBack(error)) return undefined;
      throw this.notStored(event, error);
    }
  }

  private async storeInTurn(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Promise<Event> {
    try {
      this.refuseAfterEnd();
      const lasting = this.lasting(replaceEvent === undefined ? event : await replaceEvent(event, this.root));
      if (this.isStoring) await this.turnToStore();
      this.isStoring = true;
      try {
        const { sessions } = this.services;
        this.current = await sessions.appendEvent(this.current, lasting, this.fenced(lasting, options));
      } catch (error) {
        this.current = await this.appendAgain(error, lasting, options);
      } finally {
        this.passTurn();
      }
      this.hasAppended = true;
      return lasting;
    } catch (error) {
      throw this.notStored(event, error);
    }
  }

  /** The event without `temp:` keys, which the invocation keeps. */
  private lasting(event: Event): Event {
    this.refuseAfterEnd();
    const lasting = persistedEvent(event);
    this.keepTemporary(event);
    return lasting;
  }

  private refuseAfterEnd(): void {
    if (this.hasEnded) throw new InvocationCancelledError();
  }

  private notStored(event: Event, error: unknown): unknown {
    this.failure = error;
    this.written.delete(event.id);
    return error;
  }

  private turnToStore(): Promise<void> {
    return new Promise((resolve) => {
      (this.waiting ??= []).push(resolve);
    });
  }

  private passTurn(): void {
    const next = this.waiting?.shift();
    if (next === undefined) this.isStoring = false;
    else next();
  }

  /** The first event of a run whose id another process has taken over is stored once the run has taken it back. */
  private async appendAgain(error: unknown, event: Event, options?: AppendOptions): Promise<Session> {
    if (!this.mayTakeBack(error)) throw error;
    await this.claim();
    return this.services.sessions.appendEvent(this.current, event, this.fenced(event, options));
  }

  private mayTakeBack(error: unknown): boolean {
    return !this.hasAppended && AdornError.is(error) && error.code === 'SESSION_TAKEN_OVER';
  }

  /** An agent that a tool runs has an invocation id of its own, and is fenced with the invocation that it is part of. */
  private fenced({ invocationId }: Event, options: AppendOptions | undefined): AppendOptions {
    const { epoch, invocationId: epochOf } = this;
    if (invocationId !== epochOf) return { ...options, epoch, epochOf };
    return options === undefined && epoch === 0 ? FIRST_EPOCH : { ...options, epoch };
  }

  private keepTemporary(event: Event): void {
    const { stateDelta } = event.actions;
    for (const key in stateDelta) {
      if (isTemporary(key)) applyKey((this.ownTemporary ??= emptyRecord()), key, stateDelta[key]);
    }
  }
}

const FIRST_EPOCH: AppendOptions = Object.freeze({ epoch: 0 });

interface WrittenEvent {
  readonly event: Event;
  stored: Awaitable<Event>;
}

/** Stands for the promise of a write that is being begun. */
const NOT_STORED = new Promise<Event>(() => undefined);

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(emptyRecord());

/** Without a prototype, so that no key of it is a key of all objects. */
function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
