import type { FunctionCall, GenerateContentResponseUsageMetadata, GroundingMetadata } from '@google/genai';

/** Something that a connection to a live model reports. */
export type LiveEvent =
  /** A piece of speech: PCM16, mono, little-endian, at `outputRate` of the capabilities. */
  | { readonly kind: 'audio'; readonly data: Uint8Array }
  /** A piece of text that the model writes. `thought`: it is not said to the user. */
  | { readonly kind: 'text'; readonly text: string; readonly thought?: boolean }
  /**
   * More words that the user has said. Each text continues the one before. `finished`: the utterance is complete.
   * `utterance`: the one of `speech` whose words they are, where the provider names it.
   */
  | {
      readonly kind: 'inputTranscript';
      readonly text: string;
      readonly finished?: boolean;
      readonly utterance?: string | undefined;
    }
  /** More words that the model has said. Each text continues the one before. */
  | { readonly kind: 'outputTranscript'; readonly text: string; readonly finished?: boolean }
  /** The user begins or ends to speak, as far as the provider reports it. `utterance`: its name, at the end. */
  | { readonly kind: 'speech'; readonly activity: 'start' | 'end'; readonly utterance?: string | undefined }
  /** Calls, each with a name; ids may be missing or equal. */
  | { readonly kind: 'toolCall'; readonly calls: readonly FunctionCall[] }
  /** Calls that the model does not need any more. They are stopped and not answered. */
  | { readonly kind: 'toolCallCancellation'; readonly ids: readonly string[] }
  /** The user has interrupted the model: what it has said and was not played is not played. */
  | { readonly kind: 'interrupted' }
  /** The model has made its whole answer, which may still be playing. Absent after an interruption. */
  | { readonly kind: 'generationComplete' }
  /** The end of the model's turn, also after an interruption. */
  | { readonly kind: 'turnComplete' }
  /** The provider will close the connection. `timeLeftMs`: 60,000 if the provider does not say. */
  | { readonly kind: 'goAway'; readonly timeLeftMs: number }
  /** How this connection can be continued. `handle` is absent while it cannot be, such as during a call. */
  | { readonly kind: 'resumption'; readonly handle?: string }
  /** Tokens of this turn so far, or of the connection: see `usage.totalTokenCount` of the provider. */
  | { readonly kind: 'usage'; readonly usage: GenerateContentResponseUsageMetadata }
  /** Sources of the answer. */
  | { readonly kind: 'grounding'; readonly grounding: GroundingMetadata }
  /**
   * Something failed. `fatal`: the connection cannot be used any more, and continuing it is of no use either; `closed`
   * follows. The message contains no key.
   */
  | { readonly kind: 'error'; readonly code: string; readonly message: string; readonly fatal: boolean }
  /** The last event. `clean` is false if neither side has asked for it: the session may continue by its handle. */
  | { readonly kind: 'closed'; readonly clean: boolean; readonly reason?: string };
