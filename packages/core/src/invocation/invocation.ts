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

/** The parts of an invocation. */
export interface InvocationFields {
  /** The root of the agent tree. */
  readonly root: AgentNode;
  readonly invocationId: string;
  readonly session: Session;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly userContent?: Content;
  readonly answers?: readonly Answer[];
  /** Created before the invocation if the run can be cancelled earlier. */
  readonly cancellation?: Cancellation;
  /** The budget that was spent before a pause. */
  readonly spent?: Spent | undefined;
  /** Absent if no plugin watches events. */
  readonly replaceEvent?: EventReplacer | undefined;
  /** Absent if conversations are not summarised. */
  readonly compactor?: RunCompactor | undefined;
}

/** Returns the event that is stored and yielded in place of another, with the same id. */
export type EventReplacer = (event: Event, context: InvocationContext) => Promise<Event>;

/** One run of an agent tree for one message: the shared state of its agents' runs. */
export class Invocation {
  readonly invocationId: string;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly budget: InvocationBudget;
  readonly cancellation: Cancellation;
  /** The message that began it, without secrets. */
  readonly userContent: Content | undefined;
  /** Applied to each appended event, except the user's message. */
  readonly replaceEvent: EventReplacer | undefined;
  /** The context of the root agent. */
  readonly root: InvocationContext;
  /** The recorded runs of this request, if the invocation continues another one. */
  replay: Replay | undefined;
  /** The result of the composite with which the invocation began, or that took over. */
  result: AgentResult<unknown> | undefined;
  /** `temp:` keys, which are dropped when the invocation ends. */
  private ownTemporary: Record<string, unknown> | undefined;
  /** Undefined after it has failed in this run: a run does not wait for it twice. */
  private compactor: RunCompactor | undefined;
  private untaken: readonly Answer[];
  private current: Session;
  /** The epoch of this writer. Stores refuse its appends after another process has claimed the invocation. */
  private epoch = 0;
  private hasAppended = false;
  private stopTimer: (() => void) | undefined;
  private hasEnded = false;
  /** True during a write: events are stored one after another, even those of parallel agents. */
  private isStoring = false;
  private waiting: (() => void)[] | undefined;
  /** Why an event could not be stored. */
  private failure: unknown;
  /** The events written by this invocation, by id. */
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
   * Takes the answers to calls of this agent. Each answer is returned once, and only to this agent: a tool of the same name
   * of another agent must not run because of it.
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

  /** The unclaimed answers. */
  get answers(): readonly Answer[] {
    return this.untaken;
  }

  /** Drops the answers to calls of a stopped run and of the runs below it. These calls get other responses. */
  dropAnswers(path: string): void {
    if (this.untaken.length === 0) return;
    this.untaken = this.untaken.filter(({ open: { event } }) => {
      const madeAt = runPathOf(event);
      return madeAt === undefined || !isWithin(madeAt, path) || !this.continues(event);
    });
  }

  /** True for an event of this invocation, or of an invocation that it continues. */
  continues({ invocationId }: Pick<Event, 'invocationId'>): boolean {
    const own = this.invocationId;
    if (invocationId === own || invocationId.startsWith(`${own}.sub.`)) return true;
    return this.replay?.has(invocationId) === true;
  }

  /** Creates the context of an agent with which the invocation begins. */
  enter(agent: AgentNode, path: string): InvocationContext {
    const isResumed = this.replay?.lastIndex(path) !== undefined;
    return new InvocationContext(this, { agent, path, isResumed });
  }

  /** True for the error of a store, as opposed to an agent's. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.failure;
  }

  /** Takes the unclaimed answers; each answer is returned once. */
  takeRest(): readonly Answer[] {
    const rest = this.untaken;
    this.untaken = [];
    return rest;
  }

  /**
   * Writes an event to the log once, even if it is appended and then yielded. The runner appends all events that agents
   * yield. A partial event is not written.
   *
   * @returns the stored event, without `temp:` keys
   * @throws {EventIdTakenError} if another event with the same id was written
   * @throws {InvocationCancelledError} after the end of the run, for example in an abandoned agent
   * @throws {SessionTakenOverError} if a run of another process has taken over the session
   */
  append(event: Event, options?: AppendOptions): Promise<Event> {
    try {
      return Promise.resolve(this.store(event, options));
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a store may throw anything
      return Promise.reject(error);
    }
  }

  /** Like `append`, but returns a promise only if the store does. */
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

  /** Summarises the conversation if it exceeds its limit. Undefined if there is nothing to wait for. */
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
      services.logger.warn('a long run could not be summarised; it continues with all its events', {
        ...{ sessionId: current.id, invocationId, error },
      });
    }
    if (summary !== undefined && !cancellation.isCancelled) await this.storeUnchanged(summary);
  }

  /** Claims the id of an earlier invocation that this one continues under the same id. */
  async claim(): Promise<void> {
    this.epoch = await this.services.sessions.claimInvocation(keyOf(this.current), this.invocationId);
  }

  /** Refuses all further appends. */
  end(): void {
    this.hasEnded = true;
    this.stopTimer?.();
  }

  private endTime(): void {
    this.budget.isTimeOver = true;
    this.cancellation.cancel();
  }

  /** Writes events that must all be in the log before the first of them is yielded. */
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

  /** Stores synchronously. Undefined if it would have to wait for a plugin, another event, or the store. */
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

  /** The event without `temp:` keys, which are written to the invocation. */
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

  /** Stores the first event again after claiming the invocation, if another process had claimed it before. */
  private async appendAgain(error: unknown, event: Event, options?: AppendOptions): Promise<Session> {
    if (!this.mayTakeBack(error)) throw error;
    await this.claim();
    return this.services.sessions.appendEvent(this.current, event, this.fenced(event, options));
  }

  private mayTakeBack(error: unknown): boolean {
    return !this.hasAppended && AdornError.is(error) && error.code === 'SESSION_TAKEN_OVER';
  }

  /** Adds the epoch. An agent that runs as a tool has its own invocation id, but the epoch of the enclosing invocation. */
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

/** A placeholder for the promise of a write that is about to begin. */
const NOT_STORED = new Promise<Event>(() => undefined);

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(emptyRecord());

/** Without a prototype, so that inherited names are not keys. */
function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
