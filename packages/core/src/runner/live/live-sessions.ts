import type { Event } from '../../events/event.js';
import type { Content, Part } from '../../events/genai-types.js';
import type { PendingRequest, PendingRequestData } from '../../events/pending-request.js';
import { shareClass } from '../../metadata/shared-class.js';
import type { Cancellation } from '../../run/cancellation.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import type { LiveRun } from '../../run/live/live-run.js';
import type { Replacement } from '../../run/replacement.js';
import type { AnswerOptions, ApproveOptions } from '../answers/answer-input.js';
import type { RunResult } from '../run.js';
import type { LiveRunInput } from './live-run-input.js';
import type { LiveSession } from './live-session.js';

/**
 * Opens the live sessions of a runner. The class is its own container identifier; the module `liveSessions` of `@adorn/live`
 * binds it, and reads and sends all speech.
 */
export abstract class LiveSessions {
  static {
    shareClass(this, 'LiveSessions');
  }

  /** Opens a session, and begins its run in a later tick. */
  abstract open(start: LiveStart): LiveSession;
}

/** What a live session begins with. */
export interface LiveStart {
  /** The id of the session's one run. */
  readonly invocationId: string;
  /** The options of `runner.live`. */
  readonly input: LiveRunInput;
  /** The clock and the log of the runner. */
  readonly services: Pick<InvocationServices, 'clock' | 'logger'>;
  /**
   * Runs the agents from the next tick on, until the session has ended. Rejects if a store, or code around the agents, has failed.
   */
  readonly run: (session: OpenSession, output: LiveRunOutput) => Promise<RunResult<unknown>>;
}

/** Where the run of a live session shows its events. */
export interface LiveRunOutput {
  /** The cancellation of the run. */
  readonly cancellation: Cancellation;
  /** The events that were shown, without pieces. */
  readonly events: readonly Event[];
  /**
   * Shows an event when it is stored.
   *
   * @param store returns the event to show
   */
  readonly emit: (event: Event, store: (event: Event) => Promise<Event>) => Promise<void>;
  /** Called in the tick in which the run is cancelled. */
  readonly cancelled: () => void;
}

/** An open live session, as its run sees it. */
export interface OpenSession extends LiveRun {
  /** True if the session is to end: nothing is sent any more. */
  readonly isClosing: boolean;
  /** The paths of the agents that have spoken. */
  readonly spoken: ReadonlySet<string>;
  /** Called when the run has its session, before the first agent. */
  connect(run: RunOfSession): void;
  /** Takes a message of the user. @param mail the id of the mail that it comes from */
  postMessage(message: Content, mail?: string): void;
  /**
   * Takes answers to open requests: `store` is called between two items of the session, or at once if the session ends.
   * Rejects with what `store` throws.
   */
  deliver(store: () => Promise<void>): Promise<void>;
  /** Stops the answer of the model. */
  interrupt(): void;
  /** Ends the session for another one of the same conversation. */
  takenOver(): void;
}

/** The run of a live session, as the session sees it. */
export interface RunOfSession {
  /** Passes a message of the user to the plugins, which may replace it. Absent if none does. */
  readonly onUserMessage: ((message: Content) => Promise<Replacement>) | undefined;
  /** Stores the message of a mail. False if another run has stored it. */
  takeMail(mail: string, event: Event): Promise<boolean>;
  /** Stores an approval, for the agent that made the call. Rejects like `runner.approve`. */
  approve(request: PendingRequest | PendingRequestData, options: ApproveOptions): Promise<void>;
  /** Stores a rejection. */
  reject(
    request: PendingRequest | PendingRequestData,
    options: AnswerOptions & { readonly reason?: string },
  ): Promise<void>;
  /** Stores what a call waits for. */
  supply(request: PendingRequest | PendingRequestData, value: unknown, options: AnswerOptions): Promise<void>;
  /** Saves speech as an artifact. Never rejects. */
  saveSpeech(name: string, part: Part): Promise<void>;
}
