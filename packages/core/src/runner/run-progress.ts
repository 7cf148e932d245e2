import type { HeldRun } from '../events/run-record.js';
import { Event, type EventBody } from '../events/event.js';
import type { UndoPlan } from '../events/undo-mark.js';
import type { OpenRequest } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Invocation } from '../run/invocation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { yieldedPiece } from '../stores/sessions/session-record.js';
import { endEvent } from '../turn/turn-agent.js';
import { type RunHandle, READER_STOPPED } from './begin/active-run.js';
import type { ReadySession, RunStart } from './begin/begin-run.js';
import type { Holder } from './begin/run-holds.js';
import type { CheckedRunInput } from './begin/run-input.js';
import type { RunSetting } from './begin/run-setting.js';
import { RunMailbox } from './mailbox/run-mailbox.js';
import type { RunOutcome } from './run.js';
import { ShownPieces } from './shown-pieces.js';
import { undoReport } from './undo/undo-report.js';

/** How far a run has come: the session that it holds, its agents' invocation, and the last event that it has stored. */
export class RunProgress implements Holder {
  /** Undefined until the session is taken, or if it never was. */
  invocation: Invocation | undefined;
  /** What the run began with. Undefined until the message is stored. */
  start: RunStart | undefined;
  /** The session, if the run has taken it before its first event. */
  taken: ReadySession | undefined;
  /** The last event that was stored. */
  last: Event | undefined;
  /** What it has shown of answers that are not complete. */
  readonly shown = new ShownPieces();
  /** What is sent to the run while it is open. */
  readonly mailbox = new RunMailbox(this);
  /** True if another run has taken what this one was to begin with. */
  isTakenElsewhere = false;
  /** The undo that the run makes, or goes on with. */
  undoing: UndoPlan | undefined;
  /** True if the log holds a run of an agent that the code does not invoke any more. */
  isTreeChanged = false;

  constructor(
    readonly setting: RunSetting,
    readonly handle: RunHandle,
    readonly request: CheckedRunInput,
  ) {}

  /** The run with its epoch, once it has taken its session. */
  get heldRun(): HeldRun | undefined {
    const epoch = this.invocation?.log.epoch ?? this.taken?.epoch;
    return epoch === undefined ? undefined : { ...this.request.key, id: this.handle.invocationId, epoch };
  }

  noticeMail(): void {
    this.mailbox.notice();
  }

  cancelHeld(): void {
    this.handle.cancellation.cancel();
  }

  /** Cancels the run, because another one has the session, or is to have it. A message that was sent waits on until it is read. */
  giveWay(): void {
    if (this.start || !this.request.mail) this.cancelHeld();
  }

  /** Gives the session up that the run has taken and not written to, so that the run can begin again. */
  async giveBack(): Promise<void> {
    const { heldRun, invocation, taken, setting } = this;
    const session = invocation?.session ?? taken?.session;
    invocation?.end();
    this.invocation = this.taken = undefined;
    if (!heldRun || !session) return;
    setting.fence.release(session, heldRun.epoch);
    await setting.services.sessions.releaseRun(heldRun);
  }

  /** @throws {READER_STOPPED} if the reader has stopped: the run goes no further */
  refuseStopped(): void {
    if (this.handle.hasStopped) throw READER_STOPPED;
  }

  /** Stores and shows an event of the run itself. */
  emit(event: Event, context: InvocationContext): Promise<void> {
    return this.handle.emit(event, (one) => this.store(one, context));
  }

  async emitAll(events: readonly Event[], context: InvocationContext): Promise<void> {
    for (const event of events) await this.emit(event, context);
  }

  /** Stores an event of an agent, unless it is a piece of one. Returns the event to show. */
  async accept(event: Event, root: InvocationContext): Promise<Event> {
    if (!event.partial) return this.store(this.shown.complete(event), root);
    const { onEvent } = this.setting.hooks;
    const piece = yieldedPiece(onEvent ? await onEvent(event, root) : event);
    // What is said in a live session is stored by how much of it was heard.
    if (!this.request.live) this.shown.note(piece);
    return piece;
  }

  private async store(event: Event, context: InvocationContext): Promise<Event> {
    this.last = await context.store(event);
    if (this.last.errorCode === 'AGENT_TREE_CHANGED') this.isTreeChanged = true;
    return this.last;
  }

  /** Shows `CANCELLED` or `TIME_LIMIT` for a run that never began. It is not stored: another run is active in the session. */
  cancelledWaiting(): Promise<void> {
    const { invocationId } = this.handle;
    const { root, services } = this.setting;
    const timestamp = services.clock.now();
    const event = (body: EventBody): Event => new Event(body, { invocationId, timestamp });
    const end = endEvent(root, { event, budget: this.invocation?.budget }, 'CANCELLED');
    return this.handle.emit(end, (one) => Promise.resolve(one));
  }

  /** The open requests of the run and of the runs that it continues. */
  openRequests(): readonly OpenRequest[] {
    const { invocation, start } = this;
    if (!invocation) return [];
    const { invocationIds } = start?.chain ?? {};
    const open = PendingIndex.of(invocation.session).list();
    return open.filter((one) => invocation.continues(one) || invocationIds?.has(one.invocationId) === true);
  }

  outcome(): RunOutcome {
    const { handle, invocation, request, setting, undoing } = this;
    return {
      root: setting.root,
      key: request.key,
      invocationId: handle.invocationId,
      concluded: invocation?.result,
      undo: undoing && invocation && undoReport(setting.root, invocation.session, undoing),
      waiting: this.openRequests(),
    };
  }
}
