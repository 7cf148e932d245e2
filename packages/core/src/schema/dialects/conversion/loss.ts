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

/** The position of a schema during the conversion of its document. */
export interface Position {
  /** The references that are being put in place around it. */
  readonly within: readonly string[];
  /** The value it is about: `order.items[].price`; empty for the whole. */
  readonly path: string;
}

export const TOP: Position = { within: [], path: '' };

/** The position inside a reference that is put in place. */
export function inside({ within, path }: Position, ...references: readonly string[]): Position {
  return { within: [...within, ...references], path };
}

export function atProperty({ within, path }: Position, name: string): Position {
  return { within, path: path === '' ? name : `${path}.${name}` };
}

export function atElement({ within, path }: Position, index?: number): Position {
  return { within, path: `${path}[${index === undefined ? '' : String(index)}]` };
}

/** The position of the values that have no names of their own. */
export function atAnyProperty(position: Position): Position {
  return atProperty(position, '*');
}
