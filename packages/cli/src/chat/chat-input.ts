/** The source of the user's messages: a terminal or a script. */
export interface ChatInput {
  /** True if a person answers, who may be asked again. */
  readonly isInteractive: boolean;
  /** The next message of the user; undefined at the end. */
  readMessage(): Promise<string | undefined>;
  /** The answer to a pending question; undefined if there is none. */
  readAnswer(prompt: string): Promise<string | undefined>;
  /** Calls back on Ctrl-C. Returns a function that removes the callback. */
  onInterrupt(callback: () => void): () => void;
  close(): void;
}

export const PROMPT = '› ';
