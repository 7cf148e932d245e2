/** One conversation of a contestant. */
export interface Caller {
  /** Sends 20 ms of speech. The bytes are the caller's own. */
  speak(frame: Uint8Array): void;
  close(): Promise<void> | void;
}

/**
 * Opens a conversation over the wire of the server at an address. What a contestant's module exports as `open`.
 *
 * @param hear is called with the bytes of each frame of the model, where an application would play it
 */
export type OpenCaller = (url: string, hear: (frame: Uint8Array) => void) => Promise<Caller>;
