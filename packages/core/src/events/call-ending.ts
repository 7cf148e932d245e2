import type { Event } from './event.js';
import type { Receipt } from './undo-mark.js';

/**
 * The key of an event's metadata for what a tool ended with, beside a request of a callback after the tool. The answer
 * continues in the callback with it, in any process, and the tool does not run again.
 */
export const CALL_ENDING = 'adorn:callEnding';

/** What a tool ended with, as JSON. */
export interface CallEnding {
  /** What it returned, threw, or refused by a `Deny`. A tool that returned undefined has no `result`. */
  readonly kind: 'returned' | 'failed' | 'denied';
  readonly result?: unknown;
  readonly error?: CallError;
  readonly reason?: string;
  /** The control actions that the call has requested; they are done with its response. */
  readonly steering?: Readonly<Record<string, unknown>>;
  /** True if the tool said while it ran that its result is a handle. */
  readonly longRunning?: boolean;
  /** True if the tool has begun and has not said itself that it failed. */
  readonly mayHaveTakenEffect?: boolean;
  /** What an undo needs of the call. */
  readonly receipt?: Receipt;
}

/** An error that a tool threw, without secrets. */
export interface CallError {
  readonly name: string;
  readonly message: string;
  /** The code of an `AdornError`. */
  readonly code?: string;
  readonly isFinal?: boolean;
  readonly mayHaveTakenEffect?: boolean;
}

/** What the tool of a request's call ended with; undefined if the tool has not ended, or the log is of an earlier version. */
export function endingIn({ customMetadata }: Event): CallEnding | undefined {
  const stored = customMetadata?.[CALL_ENDING];
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { kind } = stored as Partial<CallEnding>;
  return kind === 'returned' || kind === 'failed' || kind === 'denied' ? (stored as CallEnding) : undefined;
}
