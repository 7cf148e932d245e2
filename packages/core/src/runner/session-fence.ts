import { LlmAgent } from '../agents/llm.agent.js';
import { functionResponsesOf } from '../content/function-parts.js';
import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { logOf } from '../events/event-log.js';
import { keyOf, type Session } from '../events/session.js';
import { type AgentNode, findAgent } from '../invocation/agent-node.js';
import type { SessionService } from '../sessions/session.service.js';

/**
 * Keeps two processes from running in one session at once, without a lock: a new run claims the last invocation of the
 * log if that may still be active in another process. The store then refuses every further append of it.
 */
export class SessionFence {
  /** The id of the last event of each session when a run of this process ended. */
  private readonly ended = new WeakMap<Session, string>();

  constructor(
    private readonly sessions: SessionService,
    private readonly root: AgentNode,
  ) {}

  /** The invocation to claim before a run begins; undefined if the last one is known to be over. */
  unfinished(session: Session): string | undefined {
    const last = logOf(session).at(-1);
    if (last === undefined || last.invocationId === '') return undefined;
    return this.ended.get(session) === last.id || this.isOver(last) ? undefined : last.invocationId;
  }

  /**
   * Does nothing with a store that has no claims: two processes may then write into one session.
   *
   * @returns the session with all that the invocation has appended by now; more it cannot
   */
  async claim(session: Session, invocationId: string): Promise<Session> {
    const key = keyOf(session);
    try {
      await this.sessions.claimInvocation(key, invocationId);
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
      return session;
    }
    return (await this.sessions.getSession(key)) ?? session;
  }

  /** Records that the session's last run has ended in this process. */
  release(session: Session): void {
    const last = logOf(session).at(-1);
    if (last !== undefined) this.ended.set(session, last.id);
  }

  /** Whether nothing follows the event in its run: an answer, an end or a pause of an agent that no other continues. */
  private isOver({ author, turnComplete, content }: Event): boolean {
    if (!turnComplete && !functionResponsesOf(content).some(isUnfinished)) return false;
    let node = findAgent(this.root, author);
    if (node === undefined) return false;
    while (node instanceof LlmAgent && node.parentAgent !== undefined) node = node.parentAgent;
    return node instanceof LlmAgent;
  }
}

function isUnfinished({ willContinue }: { readonly willContinue?: boolean }): boolean {
  return willContinue === true;
}
