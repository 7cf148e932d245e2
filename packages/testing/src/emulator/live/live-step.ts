import type { EmulatedCall } from '../answer-steps.js';
import type { HeardMessage, LiveJson } from './live-message.js';

/** Tokens of a turn. */
export interface LiveUsage {
  readonly input: number;
  readonly output: number;
}

/** One step of a live conversation on the server's side; made by the functions of `liveWire`. */
export type LiveWireStep = AwaitingStep | SayingStep | FaultStep;

/** Waits for the client. */
export type AwaitingStep =
  /** Waits for the setup, and accepts it unless the next steps do. */
  | { readonly kind: 'setup'; readonly isAccepted: boolean }
  /** Waits for a message of this kind. Messages before it are passed over. */
  | { readonly kind: 'hear'; readonly isHeard: (message: HeardMessage) => boolean; readonly what: string }
  /** Waits for responses to these calls, or for any response. */
  | { readonly kind: 'hearResults'; readonly ids: readonly string[] }
  /** Waits for this many bytes of audio. */
  | { readonly kind: 'hearAudio'; readonly bytes: number }
  | { readonly kind: 'pause'; readonly ms: number };

/** Sends a message in the wire format. */
export type SayingStep =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'thought'; readonly text: string }
  | {
      readonly kind: 'speech';
      readonly pieces: readonly Uint8Array[];
      readonly transcript: readonly string[];
    }
  | { readonly kind: 'heardWords'; readonly pieces: readonly string[] }
  | { readonly kind: 'calls'; readonly calls: readonly EmulatedCall[] }
  | { readonly kind: 'cancelCalls'; readonly ids: readonly string[] }
  | { readonly kind: 'endTurn'; readonly usage: LiveUsage | undefined }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'voice'; readonly activity: 'start' | 'end' }
  | { readonly kind: 'goAway'; readonly ms: number }
  | { readonly kind: 'handle'; readonly handle: string | undefined }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }
  /** This frame, whatever it is. */
  | { readonly kind: 'frame'; readonly frame: string | Uint8Array | LiveJson };

/** Misbehaves. */
export type FaultStep =
  /** The steps of the script, each frame twice. */
  | { readonly kind: 'twice'; readonly steps: readonly SayingStep[] }
  /** The frames of the steps in reverse order. */
  | { readonly kind: 'backwards'; readonly steps: readonly SayingStep[] }
  /** Plays the steps after this delay, while the script continues. */
  | { readonly kind: 'late'; readonly ms: number; readonly steps: readonly SayingStep[] }
  /** All frames of the step but the last, half of that, and the end of the connection. */
  | { readonly kind: 'cut'; readonly step: SayingStep }
  /** The end of the connection, without a word. */
  | { readonly kind: 'drop' }
  /** The end of the connection, in the manner of WebSocket. */
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  /** As the only step: the WebSocket is refused with this status of HTTP. */
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  /** As the only step: the WebSocket is never opened. */
  | { readonly kind: 'ignore' };
