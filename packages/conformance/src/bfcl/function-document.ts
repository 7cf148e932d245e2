/** A part of a parameter's description: like JSON Schema, in the words of whatever language it was written for. */
export type ParameterDocument = Readonly<Record<string, unknown>>;

/** A function as the leaderboard describes it to a model. */
export interface FunctionDocument {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParameterDocument;
}
