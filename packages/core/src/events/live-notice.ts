/** News of a live session in an event that is shown, never stored. */
export type LiveNotice =
  /** The connection is open. `resumed`: it continues an earlier one by its handle, without the history. */
  | { readonly kind: 'connected'; readonly model: string; readonly resumed: boolean }
  /** The connection was lost. The session connects again. */
  | { readonly kind: 'disconnected'; readonly reason: string }
  /** The provider will close the connection. The session connects again before that. */
  | { readonly kind: 'goAway'; readonly timeLeftMs: number }
  /** Frames of video were dropped since the last notice, because the connection does not take them fast enough. */
  | { readonly kind: 'videoDropped'; readonly frames: number }
  /** Another live session of the conversation was opened, such as by a caller who comes back: this one ends. */
  | { readonly kind: 'takenOver' }
  /** What the application sends could not be read; the rest of it is not sent. */
  | { readonly kind: 'inputFailed'; readonly message: string };
