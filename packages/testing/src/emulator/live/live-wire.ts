import type { HeardMessage, LiveJson } from './live-message.js';
import type { SayingStep } from './live-step.js';

/** The API of a live model over WebSocket. */
export interface LiveWire {
  /** The paths that it serves, for error messages. */
  readonly paths: string;
  serves(path: string): boolean;
  /** The state of one connection. */
  connect(path: string): LiveDialect;
  /** The body of a refusal of the WebSocket. */
  refusal(status: number, message: string): LiveJson;
}

/** A frame to a client: JSON is written by the emulator. */
export type LiveFrame = string | Uint8Array | LiveJson | LiveClosing;

/** One connection, in the words of one API. */
export interface LiveDialect {
  /** Frames are sent as bytes, as Gemini does, instead of text. */
  readonly isBinary: boolean;
  /** Sent as soon as the WebSocket is open. */
  greeting(): LiveJson[];
  /** What a message of the client means, and what is answered at once. */
  read(json: LiveJson): { readonly heard: readonly HeardMessage[]; readonly replies: readonly LiveJson[] };
  /** The acceptance of a setup. */
  accept(): LiveJson[];
  /** False as long as the client has not asked for the answer that the step is part of. */
  maySay(step: SayingStep): boolean;
  /** The frames of a step. Throws for a step that the API has no words for. */
  frames(step: SayingStep): readonly LiveFrame[];
}

/** The end of a connection as part of a step. */
export class LiveClosing {
  constructor(
    readonly code: number,
    readonly reason: string,
  ) {}
}
