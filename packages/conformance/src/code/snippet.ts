/** An ordinary program, as a person or a model writes it, with all that it prints. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
  readonly output: string;
}
