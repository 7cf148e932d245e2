/** The source of the user's messages: a terminal or a script. */
export interface ChatInput {
  /** True if a person answers, who may be asked again. */
  readonly isInteractive: boolean;
  /** The next message of the user; undefined at the end. */
  readMessage(): Promise<string | undefined>;
  /** The answer to a pending question; undefined if there is none. */
  readAnswer(prompt: string): Promise<string | undefined>;
  /**
   * Offers the lines that are typed while nothing is read. One that is not taken (false) is read later. Returns a function that
   * removes the callback.
   */
  onLine(callback: (line: string) => boolean): () => void;
  /** Calls back on Ctrl-C. Returns a function that removes the callback. */
  onInterrupt(callback: () => void): () => void;
  close(): void;
}

export const PROMPT = '› ';
