import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import { AdornError } from '../errors/adorn.error.js';
import { continuesInBackground, type Event } from '../events/event.js';
import { runPathOf } from '../events/event-place.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import { agentAt, type AgentNode, agentOf, topmostInvoker } from '../invocation/agent-node.js';
import type { Cancellable, Cancellation } from '../invocation/cancellation.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import type { CompleteRunConfig } from '../invocation/run-config.js';
import { SessionSlot } from '../log/projection.js';
import { isCancelledEnd } from '../invocation/cancellation.js';
import { InvocationActiveError } from './errors.js';

/** The interval of reading the log during a wait for a run of another process, in milliseconds. */
const POLL_MS = 200;

/** The last event of each session when a run of this process ended. */
const ENDED = new SessionSlot<{ last: Event | undefined }>(() => ({ last: undefined }));

/** The options of entering a session in which a run of another process may be active. */
export type FenceOptions = Pick<CompleteRunConfig, 'whileActive' | 'takeOverAfter'>;

/**
 * Prevents simultaneous runs of two processes in one session, without a lock. A new run waits while the log shows another
 * active run with recent events. Then it claims the last invocation of the log, unless that is known to be over. The
 * store refuses every further append of the invocation's earlier owner.
 */
export class SessionFence {
  constructor(
    private readonly services: Pick<InvocationServices, 'sessions' | 'clock'>,
    private readonly root: AgentNode,
  ) {}

  /** The invocation to claim before a run begins; undefined if the last one is known to be over. */
  unfinished(session: Session): string | undefined {
    const last = logOf(session).at(-1);
    if (last === undefined || last.invocationId === '') return undefined;
    return ENDED.of(session).last === last || this.isOver(last) ? undefined : invocationOf(last);
  }

  /**
   * Waits for a run of another process, and claims its invocation if it does not end.
   *
   * @returns the session after the wait; undefined if the new run was cancelled while it waited
   * @throws {InvocationActiveError} if the new run may not wait
   */
  async enter(
    session: Session,
    options: FenceOptions,
    cancellation: Cancellation,
  ): Promise<Session | undefined> {
    let current: Session | undefined = session;
    for (;;) {
      current = await this.untilQuiet(current, options, cancellation);
      const claimed = current && this.unfinished(current);
      if (current === undefined || claimed === undefined) return current;
      current = await this.claim(current, claimed);
      // A third process may have claimed it first.
      const last = logOf(current).at(-1);
      if (last !== undefined && invocationOf(last) === claimed) return current;
    }
  }

  /** Waits while the log shows an active run whose last event is recent. */
  private async untilQuiet(
    session: Session,
    { whileActive, takeOverAfter }: FenceOptions,
    cancellation: Cancellation,
  ): Promise<Session | undefined> {
    let current = session;
    let awaited: Event | undefined;
    for (let deadline = 0; ;) {
      const last = logOf(current).at(-1);
      if (last === undefined || !isUnderWay(last, this.root) || this.unfinished(current) === undefined)
        return current;
      if (last.id !== awaited?.id) {
        awaited = last;
        deadline = performance.now() + takeOverAfter - this.ageOf(last);
      }
      const rest = Math.max(0, deadline - performance.now());
      if (rest === 0) return current;
      if (whileActive === 'refuse') throw InvocationActiveError.elsewhere(last.invocationId, takeOverAfter);
      await pause(Math.min(rest, POLL_MS), cancellation);
      if (cancellation.isCancelled) return undefined;
      current = (await this.services.sessions.getSession(keyOf(current))) ?? current;
    }
  }

  /** The age of an event in milliseconds; 0 if the clock of its machine is ahead. */
  private ageOf({ timestamp }: Event): number {
    return Math.max(0, this.services.clock.now() - timestamp) * 1000;
  }

  /**
   * Claims an invocation. Does nothing if the store does not support claims: two processes may then write to one session.
   *
   * @returns the session with all events of the invocation, whose earlier owner cannot append more
   */
  private async claim(session: Session, invocationId: string): Promise<Session> {
    const key = keyOf(session);
    try {
      await this.services.sessions.claimInvocation(key, invocationId);
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
      return session;
    }
    return (await this.services.sessions.getSession(key)) ?? session;
  }

  /** Records that the session's last run has ended in this process. */
  release(session: Session): void {
    ENDED.of(session).last = logOf(session).at(-1);
  }

  /** True if the event is the last of its run: an answer, an end or a pause of an agent that no other agent waits for. */
  private isOver(event: Event): boolean {
    const { actions, turnComplete, content } = event;
    if (event.isolationScope !== undefined || continuesInBackground(event)) return false;
    const isPaused = functionResponsesOf(content).some(isUnfinished);
    if (!turnComplete && !isPaused && actions.endOfAgent !== true) return false;
    let node = agentOf(this.root, event);
    if (node === undefined) return false;
    if (actions.endOfAgent === true && !node.isLlmAgent) node = node.parentAgent;
    while (node?.isLlmAgent === true && !node.transfer.isCalled) node = node.parentAgent;
    return node === undefined;
  }
}

/**
 * True if the event shows that its run is not over: a message, a call, a response that the model has not read yet, or an
 * event of an agent that another agent waits for. A composite without sub-agents records no end, so its text may or may
 * not be its last event.
 */
export function isUnderWay(event: Event, root: AgentNode): boolean {
  const { author, actions, turnComplete, content } = event;
  if (actions.rewindBeforeInvocationId !== undefined) return false;
  // An active run writes a summary with the path of its agent; other summaries are written after a run.
  if (actions.compaction !== undefined) return runPathOf(event) !== undefined;
  if (author === 'user' || continuesInBackground(event)) return true;
  const responses = functionResponsesOf(content);
  if (event.isolationScope !== undefined) return true;
  // An agent that was cancelled because another was faster does not end the run.
  const isCancelled = isCancelledEnd(event) && actions.endOfAgent !== true;
  if (responses.some(isUnfinished) || isCancelled) return false;
  const path = runPathOf(event);
  const invoker = path === undefined ? undefined : topmostInvoker(root, path);
  if (invoker !== undefined && agentAt(root, invoker)?.subAgents.length !== 0)
    return path !== invoker || (actions.endOfAgent !== true && !turnComplete);
  if (turnComplete || actions.skipSummarization === true || actions.escalate === true) return false;
  return responses.length > 0 || functionCallsOf(content).length > 0;
}

/** The invocation of an event. The events of an agent that runs as a tool have an id derived from it. */
export function invocationOf({ invocationId, isolationScope }: Event): string {
  return isolationScope === undefined ? invocationId : (invocationId.split('.sub.', 1)[0] ?? invocationId);
}

function pause(milliseconds: number, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      cancellation.remove(watcher);
      resolve();
    };
    const watcher: Cancellable = { cancelled: end };
    const timer = setTimeout(end, milliseconds);
    cancellation.add(watcher);
  });
}

function isUnfinished({ willContinue }: { readonly willContinue?: boolean }): boolean {
  return willContinue === true;
}
