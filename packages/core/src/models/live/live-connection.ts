import type { Content, GenerateContentConfig } from '@google/genai';

import { Channel } from '../../runtime/channel.js';
import type { LiveEvent } from './live-event.js';

/**
 * An open connection to a live model.
 *
 * Everything that is sent leaves in the order of the calls. Sending never waits and never throws: a failure is an event
 * `error`, and what is sent after the end is dropped. The events are read by one reader, in the order in which they
 * arrived; the last one is `closed`, after which the iteration ends. Events that arrive before they are read are kept.
 *
 * An implementation reports its events with `report`.
 */
export abstract class LiveConnection implements AsyncIterable<LiveEvent> {
  private readonly events = new Channel<LiveEvent>();
  private hasEnded = false;

  /** True once `closed` was reported. */
  get isClosed(): boolean {
    return this.hasEnded;
  }

  /** Bytes that were sent and have not left this process yet. Video waits for it, audio never does. */
  abstract readonly bufferedBytes: number;

  /**
   * Adds turns to the conversation.
   *
   * @param respond true if the model answers them now; otherwise it reads them with whatever follows
   */
  abstract sendContents(contents: readonly Content[], respond: boolean): void;

  /** Sends speech: PCM16, mono, little-endian, at `inputRate` of the capabilities. The chunk is not kept or changed. */
  abstract sendAudio(chunk: Uint8Array): void;

  /** Says that the microphone is off: the model does not wait for more speech. */
  abstract endAudio(): void;

  /** Sends an image of a video. @param mimeType such as `image/jpeg` */
  abstract sendVideo(frame: Uint8Array, mimeType: string): void;

  /** Says that the user begins or ends to speak, if the setup has `activity: 'manual'`. */
  abstract sendActivity(activity: 'start' | 'end'): void;

  /** Answers calls. */
  abstract sendToolResponses(responses: readonly LiveToolResponse[]): void;

  /**
   * Stops the answer that the model is making, if the capabilities have `interrupts`.
   *
   * @param playedMs milliseconds of the answer that the user has heard, so that the model knows what it has said
   */
  abstract interrupt(playedMs: number): void;

  /** Replaces the instruction and the tools, if the capabilities have `updates`. */
  abstract update(change: LiveSetupChange): void;

  /** Closes the connection. The event `closed` follows; closing twice is no error. */
  abstract close(): void;

  /** Reports an event to the reader. What comes after `closed` is dropped, as a connection that has ended reports none. */
  report(event: LiveEvent): void {
    if (this.hasEnded) return;
    this.events.push(event);
    if (event.kind !== 'closed') return;
    this.hasEnded = true;
    this.events.end();
  }

  /** Iterates the events. Called once. A reader that stops closes the connection. */
  [Symbol.asyncIterator](): AsyncIterator<LiveEvent, void, undefined> {
    return {
      next: () => this.events.next(),
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

/** What can be replaced on an open connection. */
export interface LiveSetupChange {
  /** The new system instruction; empty for none. */
  readonly instruction: string;
  /** The new tools. They replace all earlier ones. */
  readonly tools: NonNullable<GenerateContentConfig['tools']>;
  /** Names of the declared functions that run in the background. */
  readonly backgroundTools: readonly string[];
}

/** The response to a call. */
export interface LiveToolResponse {
  /** The id of the call, as the connection reported it; empty if it reported none. */
  readonly id: string;
  /** The name of the called function. */
  readonly name: string;
  /** The result for the model. JSON. */
  readonly response: Readonly<Record<string, unknown>>;
  /**
   * When the model reads a response that comes later than the acknowledgement of its call, if the capabilities have
   * `asyncCalls`. Absent: it reads it now.
   */
  readonly scheduling?: 'interrupt' | 'when_idle' | 'silent' | undefined;
  /** True if more responses to the same call follow, if the capabilities have `asyncCalls`. */
  readonly willContinue?: boolean | undefined;
}
