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
