import type { SessionKey } from '../events/session.js';
import type { Session } from '../events/session.js';
import type { InvocationServices, RunCompactor } from '../run/invocation-services.js';
import { shareClass } from '../metadata/shared-class.js';
import type { Model } from '../models/model.js';
import type { ContextOptions } from './context-options.js';
import type { EventSummarizer, SummarizeOptions } from './event-summarizer.js';
import type { CompactionRules } from './events-compaction-config.js';

/** Summarises the conversations of a runner: during a run, and when one has ended. */
export interface SessionCompactor extends RunCompactor {
  /**
   * Starts a summary if one is due. Returns at once and never throws.
   *
   * @param isBusy true if a run of the session is active; its end starts the summary instead
   */
  consider(session: Session, isBusy: (key: SessionKey) => boolean): void;
  /**
   * Summarises all that is completed of a session, whether a summary is due or not. False if there is nothing to
   * summarise, or if the log was changed meanwhile.
   *
   * @throws errors of the summarizer, and an error if it takes too long
   */
  compact(session: Session): Promise<boolean>;
  /** Cancels the running summary of a session. Nothing is appended after that. */
  cancel(key: SessionKey): Promise<void>;
  /** Ends the running summaries. */
  close(): Promise<void>;
}

/** What a runner gives to its compactor. */
export interface CompactorParts {
  /** The option `compaction`, with all defaults. */
  readonly rules: CompactionRules;
  /** The option `context`; undefined if requests are sent however long they are. */
  readonly context: ContextOptions | undefined;
  /** Whoever summarises, ready to do so; undefined if there is no model to summarise with. */
  readonly summarizer: () => Promise<EventSummarizer | undefined>;
  /** The runner's backends. */
  readonly services: Pick<InvocationServices, 'sessions' | 'clock' | 'logger'>;
  /** How a summarizer asks a model for a conversation, seen by plugins that observe. Default: unobserved. */
  readonly askFor?: (asker: SessionKey & { readonly invocationId: string }) => SummarizeOptions['ask'];
}

/**
 * Makes the compactor of a runner with the option `compaction`. The class is its own container identifier; the module
 * `sessionCompaction` of `@adorn/compaction` binds it.
 */
export abstract class Compaction {
  static {
    shareClass(this, 'Compaction');
  }

  /** The summarizer that uses a model; for a runner that has no other one. */
  abstract summarizerOf(model: Model): EventSummarizer;

  /** The compactor of one runner. */
  abstract compactorOf(parts: CompactorParts): SessionCompactor;
}
