import { type Principal, toPrincipal } from '../approvals/principal.js';
import type { Content } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import type { EventSink } from '../events/event-sink.js';
import { isWithin, runPathOf } from '../events/event-place.js';
import type { RunOpening } from '../events/run-record.js';
import type { Session } from '../events/session.js';
import type { AgentNode } from './agent-node.js';
import type { AgentFailure, AgentResult } from './agent-result.js';
import type { Answer } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import { InvocationBudget, type Spent } from './budget.js';
import { Cancellation } from './cancellation.js';
import { InvocationContext } from './invocation-context.js';
import { InvocationLog } from './invocation-log.js';
import type { ContextKeeper, InvocationServices, RunCompactor } from './invocation-services.js';
import type { LiveRun } from './live/live-run.js';
import type { Replay } from './replay.js';
import { startTimer } from '../runtime/clock.js';
import type { CompleteRunConfig } from './run-config.js';

/** The parts of an invocation. */
export interface InvocationFields {
  /** The root of the agent tree. */
  readonly root: AgentNode;
  readonly invocationId: string;
  readonly session: Session;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly userContent?: Content | undefined;
  readonly answers?: readonly Answer[];
  /** Who began the run. Default: the user of the session. */
  readonly requester?: Principal | undefined;
  /** The run takes the session with its first event. */
  readonly opening?: RunOpening | undefined;
  /** The epoch of a run that has the session. */
  readonly epoch?: number | undefined;
  /** Created before the invocation if the run can be cancelled earlier. */
  readonly cancellation?: Cancellation;
  /** The budget that was spent before a pause. */
  readonly spent?: Spent | undefined;
  /** Returns the event that is stored and yielded in place of another, with the same id. Absent if no plugin watches events. */
  readonly replaceEvent?: ((event: Event, root: InvocationContext) => Promise<Event>) | undefined;
  /** Absent if conversations are not summarised. */
  readonly compactor?: RunCompactor | undefined;
  /** The live session. Absent in other runs. */
  readonly live?: LiveRun | undefined;
}

/** What was sent to a run since it began, and no model has read. */
export interface UnreadMail {
  /** True if there may be some. */
  readonly isDue: boolean;
  /** Appends the messages that the next model call is to read to the log, and shows them. */
  take(invocation: Invocation, sink: EventSink): Promise<void>;
}

/** One run of an agent tree for one message: the shared state of its agents' runs. */
export class Invocation {
  readonly invocationId: string;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly budget: InvocationBudget;
  readonly cancellation: Cancellation;
  /** The message that began it, without secrets. */
  readonly userContent: Content | undefined;
  readonly log: InvocationLog;
  /** The live session. Absent in other runs. */
  readonly live: LiveRun | undefined;
  /** Who began the run, or the run that it continues. */
  readonly requester: Principal;
  /** The context of the root agent. */
  readonly root: InvocationContext;
  /** The recorded runs of this request, if the invocation continues another one. */
  replay: Replay | undefined;
  /** The result of the composite with which the invocation began, or that took over. */
  result: AgentResult<unknown> | undefined;
  /** Undefined where nothing can be sent to the run, such as in a live session, which reads by its line. */
  mail: UnreadMail | undefined;
  /** The messages that it has read since it began, after the one that began it. */
  readWithin: readonly Content[] = NO_MESSAGES;
  /** The limit of the budget that ended an agent, and so the invocation. */
  spent: AgentFailure | undefined;
  /** Undefined after it has failed in this run: a run does not wait for it twice. */
  private compactor: RunCompactor | undefined;
  /** Keeps requests within the contexts of models; undefined if they are sent however long they are. */
  readonly keeper: ContextKeeper | undefined;
  /** True if a tool or a callback asked for a summary. */
  isSummaryAsked = false;
  /** The last work on the conversation that agents do one after another. */
  private working: Promise<unknown> = Promise.resolve();
  private unclaimed: readonly Answer[];
  /** The ids of the runs whose calls were answered since the invocation began. */
  private answered: Set<string> | undefined;
  /** The ids of the calls that the models of this invocation made, those of agents that run as tools included. */
  private callIds: Set<string> | undefined;
  private stopTimer: (() => void) | undefined;

  constructor(fields: InvocationFields) {
    this.invocationId = fields.invocationId;
    this.services = fields.services;
    this.config = fields.config;
    this.cancellation = fields.cancellation ?? new Cancellation(fields.services.clock);
    this.budget = new InvocationBudget(fields.config, fields.spent);
    this.userContent = fields.userContent;
    this.unclaimed = fields.answers ?? [];
    this.compactor = fields.compactor;
    this.keeper = fields.compactor?.context;
    this.live = fields.live;
    this.requester = fields.requester ?? toPrincipal(fields.session.userId, 'the session');
    this.root = new InvocationContext(this, { agent: fields.root, path: fields.root.name });
    this.log = this.createLog(fields);
    const { msLeft } = this.budget;
    if (msLeft !== undefined)
      this.stopTimer = startTimer(this.services.clock, msLeft, () => {
        this.endTime();
      });
  }

  private createLog({
    session,
    services: { sessions, redaction },
    opening,
    epoch,
    replaceEvent,
  }: InvocationFields): InvocationLog {
    const { budget, root } = this;
    const replace = replaceEvent && ((event: Event) => replaceEvent(event, root));
    return new InvocationLog({ session, sessions, budget, opening, epoch, redaction, replaceEvent: replace });
  }

  get session(): Session {
    return this.log.session;
  }

  /**
   * Claims the answers to calls of this agent. Each answer is returned once, and only to this agent: a tool of the same name
   * of another agent must not run because of it.
   */
  claimAnswers({ agent, path }: InvocationContext): readonly Answer[] {
    if (this.unclaimed.length === 0) return this.unclaimed;
    const taken = this.unclaimed.filter(({ open: { event } }) => {
      const madeAt = runPathOf(event);
      return madeAt === undefined ? event.author === agent.name : madeAt === path && this.continues(event);
    });
    this.unclaimed = this.unclaimed.filter((answer) => !taken.includes(answer));
    return taken;
  }

  /** Adds an answer that was stored in this invocation. It continues the run that made the call, which may be an earlier one. */
  addAnswer(answer: Answer): void {
    (this.answered ??= new Set()).add(answer.open.event.invocationId);
    this.unclaimed = [...this.unclaimed, answer];
  }

  /** The unclaimed answers. */
  get answers(): readonly Answer[] {
    return this.unclaimed;
  }

  /** Drops the answers to calls of a stopped run and of the runs below it. These calls get other responses. */
  dropAnswers(path: string): void {
    if (this.unclaimed.length === 0) return;
    this.unclaimed = this.unclaimed.filter(({ open: { event } }) => {
      const madeAt = runPathOf(event);
      return madeAt === undefined || !isWithin(madeAt, path) || !this.continues(event);
    });
  }

  /**
   * Reserves the id of a call. False if another call of this invocation has it, or an open call of the session: an answer
   * to one would answer the other.
   */
  reserveCallId(id: string): boolean {
    const reserved = (this.callIds ??= new Set());
    if (PendingIndex.of(this.session).findCall(id)) return false;
    const before = reserved.size;
    return reserved.add(id).size > before;
  }

  /** True for an event of this invocation, or of an invocation that it continues. */
  continues({ invocationId }: Pick<Event, 'invocationId'>): boolean {
    const own = this.invocationId;
    if (invocationId === own || invocationId.startsWith(`${own}.sub.`)) return true;
    return this.answered?.has(invocationId) === true || this.replay?.has(invocationId) === true;
  }

  /** Creates the context of an agent with which the invocation begins. */
  enter(agent: AgentNode, path: string): InvocationContext {
    const isResumed = this.replay?.lastIndex(path) !== undefined;
    return new InvocationContext(this, { agent, path, isResumed });
  }

  /** Returns the unclaimed answers, and forgets them. */
  drainUnclaimed(): readonly Answer[] {
    const rest = this.unclaimed;
    this.unclaimed = [];
    return rest;
  }

  /** Summarises the conversation if it exceeds its limit, or if it was asked for. Undefined if there is nothing to wait for. */
  compact(path: string): Promise<void> | undefined {
    const { compactor, session, isSummaryAsked } = this;
    this.isSummaryAsked = false;
    if (!compactor || (!isSummaryAsked && !compactor.isDueWithinRun(session))) return undefined;
    return this.appendSummary(compactor, path, isSummaryAsked);
  }

  private async appendSummary(compactor: RunCompactor, path: string, isAsked: boolean): Promise<void> {
    const { session, invocationId, cancellation, services } = this;
    let summary: Event | undefined;
    try {
      const run = { invocationId, path, isAsked };
      summary = await compactor.summaryWithinRun(session, run, cancellation);
    } catch (error) {
      this.compactor = undefined;
      if (cancellation.isCancelled) return;
      services.logger.warn('a long run could not be summarised; it continues with all its events', {
        ...{ sessionId: session.id, invocationId, error },
      });
    }
    if (summary && !cancellation.isCancelled) await this.log.appendUnchanged(summary);
  }

  /** Does work after the work of other agents of the invocation, and before that of the next. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.working.then(work);
    this.working = done.catch(noop);
    return done;
  }

  /** Ends its time limit, and refuses all further events. */
  end(): void {
    this.log.end();
    this.stopTimer?.();
  }

  private endTime(): void {
    this.budget.isTimeOver = true;
    this.cancellation.cancel();
  }
}

function noop(): void {
  // Whoever does the work gets its error.
}

const NO_MESSAGES: readonly Content[] = Object.freeze([]);
