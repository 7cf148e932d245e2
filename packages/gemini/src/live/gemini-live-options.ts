/** Options of spoken conversations with Gemini, in addition to those of an agent and a session. */
export interface GeminiLiveOptions {
  /**
   * What happens when the context window is full: the oldest turns are dropped (`true`, the default), from `triggerTokens`
   * down to `targetTokens` if stated; or the connection ends (`false`).
   */
  readonly contextCompression?: boolean | { readonly triggerTokens?: number; readonly targetTokens?: number };
  /** How Gemini detects that the user speaks. Without effect for a session with `activity: 'manual'`. */
  readonly activityDetection?: {
    readonly startSensitivity?: 'low' | 'high';
    readonly endSensitivity?: 'low' | 'high';
    /** Milliseconds of speech before it counts as begun. */
    readonly prefixPadding?: number;
    /** Milliseconds of silence before speech counts as ended. */
    readonly silence?: number;
  };
  /** `false`: the user's speech does not interrupt the model. Default: `true`. */
  readonly interruptible?: boolean;
  /** Gemini may stay silent when nothing was asked of it. Only models with native audio. */
  readonly proactiveAudio?: boolean;
  /** Gemini adapts its tone to the user's. Only models with native audio. */
  readonly affectiveDialog?: boolean;
}
