import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { runPathOf } from '../events/event-place.js';
import { keyOf, logOf, type Session } from '../events/session.js';
import { agentAt, type AgentNode, agentOf, topmostInvoker } from '../invocation/agent-node.js';
import type { Cancellable, Cancellation } from '../invocation/cancellation.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import type { CompleteRunConfig } from '../invocation/run-config.js';
import { SessionSlot } from '../log/projection.js';
import { isCancelledEnd } from '../invocation/cancellation.js';
import { InvocationActiveError } from './errors.js';

/** How often the log is read while a run of another process is waited for. */
const POLL_MS = 200;

/** The last event of each session when a run of this process ended. */
const ENDED = new SessionSlot<{ last: Event | undefined }>(() => ({ last: undefined }));

/** How a run enters a session in which another process may be at work. */
export type FenceOptions = Pick<CompleteRunConfig, 'whileActive' | 'takeOverAfter'>;

/**
 * Keeps two processes from running in one session at once, without a lock: a new run waits while the log shows that
 * another run is under way and not silent for long. Then it claims the last invocation of the log, unless that is known
 * to be over. The store refuses every further append of a claimed invocation.
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
   * Waits for a run of another process, and claims it if it does not end.
   *
   * @returns the session as it is then; undefined if the new run was cancelled while it waited
   * @throws {InvocationActiveError} if it may not wait
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
      // A third process may have been faster.
      const last = logOf(current).at(-1);
      if (last !== undefined && invocationOf(last) === claimed) return current;
    }
  }

  /** Waits as long as the log shows a run under way whose last event is not too old. */
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

  /** In milliseconds; 0 for an event of a machine whose clock is ahead. */
  private ageOf({ timestamp }: Event): number {
    return Math.max(0, this.services.clock.now() - timestamp) * 1000;
  }

  /**
   * Does nothing with a store that has no claims: two processes may then write into one session.
   *
   * @returns the session with all that the invocation has appended by now; more it cannot
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

  /** Whether nothing follows the event in its run: an answer, an end or a pause of an agent for which no other waits. */
  private isOver(event: Event): boolean {
    const { actions, turnComplete, content } = event;
    if (event.isolationScope !== undefined) return false;
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
 * Whether the event shows that its run is not over: a message, a call, a response that the model has not read yet, or what
 * an agent says for which another waits. A composite without sub-agents records no end, so its text may be its last or not.
 */
export function isUnderWay(event: Event, root: AgentNode): boolean {
  const { author, actions, turnComplete, content } = event;
  if (actions.rewindBeforeInvocationId !== undefined) return false;
  // A run that goes on has written a summary under the path of its agent; others are written when nothing runs.
  if (actions.compaction !== undefined) return runPathOf(event) !== undefined;
  if (author === 'user') return true;
  const responses = functionResponsesOf(content);
  if (event.isolationScope !== undefined) return true;
  // The end of an agent that was cancelled because another was faster is not the end of the run.
  const isCancelled = isCancelledEnd(event) && actions.endOfAgent !== true;
  if (responses.some(isUnfinished) || isCancelled) return false;
  const path = runPathOf(event);
  const invoker = path === undefined ? undefined : topmostInvoker(root, path);
  if (invoker !== undefined && agentAt(root, invoker)?.subAgents.length !== 0)
    return path !== invoker || (actions.endOfAgent !== true && !turnComplete);
  if (turnComplete || actions.skipSummarization === true || actions.escalate === true) return false;
  return responses.length > 0 || functionCallsOf(content).length > 0;
}

/** The invocation that an event is part of: an agent that is a tool has an id below that. */
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
