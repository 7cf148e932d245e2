export type LiveJson = Readonly<Record<string, unknown>>;

/** A response to a call, as a client has sent it. OpenAI's Realtime API has no names, and its outputs are texts. */
export interface HeardResult {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The object that was sent; `{ output }` for a text that is not the JSON of an object. */
  readonly response: LiveJson;
  readonly scheduling?: string;
  readonly willContinue?: boolean;
}

/** What a message of a client means, on any wire. */
export type HeardContent =
  | { readonly kind: 'setup' }
  /** Text of the user. `respond`: an answer is expected now. */
  | { readonly kind: 'text'; readonly text: string; readonly respond: boolean }
  | { readonly kind: 'audio'; readonly bytes: Buffer; readonly mimeType: string }
  | { readonly kind: 'video'; readonly bytes: Buffer; readonly mimeType: string }
  | { readonly kind: 'audioEnd' }
  | { readonly kind: 'activity'; readonly activity: 'start' | 'end' }
  | { readonly kind: 'results'; readonly results: readonly HeardResult[] }
  /** Turns of a conversation that went before. */
  | { readonly kind: 'history' }
  /** Another instruction, or other tools, on an open connection. */
  | { readonly kind: 'update' }
  /** The client requests an answer now, in APIs that have a message for this. */
  | { readonly kind: 'respond' }
  /** The answer is not wanted any more. */
  | { readonly kind: 'cancel' }
  /** The user has heard only this much of an answer. */
  | { readonly kind: 'truncate'; readonly itemId: string; readonly playedMs: number }
  | { readonly kind: 'other' };

/** A message that reached an emulator. */
export type HeardMessage = HeardContent & {
  /** The JSON as it was sent. */
  readonly json: LiveJson;
};
