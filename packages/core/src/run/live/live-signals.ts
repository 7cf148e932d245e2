/** What goes on in a live session at a moment: for a client that shows it, and for an agent that decides by it. */
export interface LiveSignals {
  /** False while the session connects. */
  readonly isConnected: boolean;
  /** True while the user speaks, as far as the provider or the application (`sendActivity`) reports it. */
  readonly isUserSpeaking: boolean;
  /** True while speech of the model can be heard, if it is played as it arrives. */
  readonly isModelSpeaking: boolean;
  /** The turns of the model that have ended. */
  readonly turns: number;
  /** How often an answer was interrupted. */
  readonly interruptions: number;
  /** Milliseconds since the user or the model was heard last; 0 while one of them speaks. */
  readonly silenceMs: number;
  /** Milliseconds since the first connection was open. */
  readonly elapsedMs: number;
  /** Milliseconds until the provider closes the connection; undefined unless it has said so. */
  readonly leftMs: number | undefined;
  /** The tokens of the conversation, as the provider told them last. */
  readonly totalTokens: number | undefined;
  /** True if the provider could continue the conversation by a handle. */
  readonly isResumable: boolean;
}
