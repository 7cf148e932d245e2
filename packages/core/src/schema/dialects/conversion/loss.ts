/** What becomes of something that a dialect has no keyword for. Arguments are checked against it in any case. */
export type LossOutcome =
  /** The model is told of it in the description. */
  | 'described'
  /** The model does not learn of it. */
  | 'unsaid'
  /** Because of it there is no schema in this dialect at all. */
  | 'undeclarable';

/** A constraint of a schema that a dialect cannot express. */
export interface Loss {
  /** The value it is said of, seen from the arguments: `order.items[].price`; empty for the arguments as a whole. */
  readonly path: string;
  readonly keyword: string;
  /** What the schema has under the keyword; absent where the keyword itself is missed. */
  readonly value?: unknown;
  readonly outcome: LossOutcome;
}

export type ReportLoss = (loss: Loss) => void;
