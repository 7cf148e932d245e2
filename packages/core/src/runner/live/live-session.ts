import type { Event } from '../../events/event.js';
import type { Message } from '../../events/content-parts.js';
import type { PendingRequest, PendingRequestData } from '../../events/pending-request.js';
import { shareClass } from '../../metadata/shared-class.js';
import type { Cancellation } from '../../run/cancellation.js';
import type { LiveSignals } from '../../run/live/live-signals.js';
import type { AnswerOptions, ApproveOptions } from '../answers/answer-input.js';
import type { RunResult } from '../run.js';

/**
 * A live conversation: one run that stays open. What is sent goes to the model at once, also while tools run; what comes
 * back is iterated as the events of a text run.
 *
 * ```ts
 * await using live = runner.live({ userId: 'ada', sessionId: 'call-7' });
 * live.sendAudio(microphone()); // PCM16, mono, at live.inputRate
 * for await (const event of live) {
 *   if (event.audio) speaker.play(event.audio);
 *   if (event.interrupted) speaker.stop();
 * }
 * ```
 *
 * Pieces (speech, transcripts as they grow) are `partial` and never stored. The transcripts of a turn are stored as its
 * text. The session does not wait for its reader; one that leaves 20,000 events unread cancels it. Stopping to iterate ends
 * nothing: iterate again for what follows. `close`, or the end of the block, ends the session.
 */
export abstract class LiveSession implements AsyncIterable<Event> {
  static {
    shareClass(this, 'LiveSession');
  }

  /** The id of the session's one run. */
  abstract readonly invocationId: string;
  /** The cancellation of the session's run. */
  abstract readonly cancellation: Cancellation;
  /** Samples per second of the speech to send; 16,000 until the model is known. */
  abstract readonly inputRate: number;
  /** Samples per second of the speech that the model answers with; 24,000 until the model is known. */
  abstract readonly outputRate: number;
  /**
   * Bytes of speech and messages that were sent and that the model has not taken, because it is not connected yet or takes
   * them slowly. Speech is never dropped: who passes on what others send reads this, and refuses more.
   */
  abstract readonly bufferedBytes: number;
  /** The handle by which the provider could continue this conversation, for `resume`; undefined while it could not. */
  abstract readonly resumptionHandle: string | undefined;
  /** What goes on now: who speaks, for how long, how much is left. Reading it costs nothing; ask as often as you show it. */
  abstract readonly signals: LiveSignals;
  /** Resolves to the result of the session when it has ended. Rejects if a store, or code around the agents, has failed. */
  abstract readonly ended: Promise<RunResult<unknown>>;

  /** Sends a message of the user. It is stored first. */
  abstract sendText(message: Message): void;

  /**
   * Sends speech: PCM16, mono, little-endian. Speech that is sent while there is no connection follows later.
   *
   * @param options `rate`: samples per second of the speech; another one than `inputRate` is converted, by the package
   *   `@alexanderolsen/libsamplerate-js`. Default: `inputRate`
   * @returns for a stream, when it has ended; the model is then told that the microphone is off
   * @throws {RunConfigInvalidError} at once, for a rate that is no whole number from 1,000 to 384,000
   * @throws {ResamplerMissingError} for a chunk of another rate, without that package
   */
  abstract sendAudio(
    speech: Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly rate?: number },
  ): Promise<void>;

  /** Says that the microphone is off: the model does not wait for more speech. */
  abstract endAudio(): void;

  /** Sends an image of a video. It is dropped if the connection does not take it: see the notice `videoDropped`. */
  abstract sendVideo(frame: Uint8Array, mimeType?: string): void;

  /** Says that the user begins or ends to speak, with `activity: 'manual'`. */
  abstract sendActivity(activity: 'start' | 'end'): void;

  /** Stops the answer of the model: an event `interrupted`, at once, and what was not played is dropped. */
  abstract interrupt(): void;

  /** Has the model read a text with whatever follows. It is not stored. */
  abstract steer(text: string): void;

  /** Has the model answer a text that is no message of the user. It is not stored. */
  abstract prompt(text: string): void;

  /**
   * Approves a call of an agent that has spoken, also of an earlier run, or of an agent that it runs as a tool: the call runs,
   * and the model gets its result. Rejects like `runner.approve`, and with `RequestOfOtherAgentError`.
   */
  abstract approve(request: PendingRequest | PendingRequestData, options?: ApproveOptions): Promise<void>;

  /** Rejects a request of this session. */
  abstract reject(
    request: PendingRequest | PendingRequestData,
    options?: AnswerOptions & { readonly reason?: string },
  ): Promise<void>;

  /** Supplies what a call of this session waits for. */
  abstract supply(
    request: PendingRequest | PendingRequestData,
    value: unknown,
    options?: AnswerOptions,
  ): Promise<void>;

  /** Ends the session: what has arrived is stored, tools are stopped, the connection is closed. Resolves when it has ended. */
  abstract close(): Promise<void>;

  /** Ends the session with an event `CANCELLED`. */
  abstract cancel(): void;

  /** Calls `close`, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Iterates the events of the session, for one reader. */
  abstract [Symbol.asyncIterator](): AsyncIterator<Event, void, undefined>;
}
