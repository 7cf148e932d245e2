/** The expression that a thread searches for. */
export interface SearchSettings {
  readonly source: string;
  readonly flags: string;
}

/** A text in which the expression was found. */
export interface FoundText {
  /** Of the text, in the list of all. */
  readonly index: number;
  /** Where the match begins, in characters. */
  readonly at: number;
}
