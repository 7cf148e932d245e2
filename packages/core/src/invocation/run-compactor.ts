import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';

/** The run that a summary is made in, and the agent that waits for it. */
export interface RunInProgress {
  readonly invocationId: string;
  /** The path of the agent. */
  readonly path: string;
}

/** Summarises the conversation of a run that goes on, so that a long run does not outgrow its model. */
export interface RunCompactor {
  /** Whether the conversation has grown beyond the threshold. Asked before each further model call of a run. */
  isDueWithinRun(session: Session): boolean;
  /**
   * The compaction event to append; undefined if there is nothing to cover.
   *
   * @throws what the summarizer throws, and if it takes too long
   */
  summaryWithinRun(session: Session, run: RunInProgress, signal: AbortSignal): Promise<Event | undefined>;
}
