import type { ts } from '../typescript.js';

/** A name that a person has to change. Lines and columns are counted from 1. */
export interface ByHand {
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** What to write. */
  readonly advice: string;
}

/** The name of a node that a person has to change. */
export function byHand(node: ts.Node, name: string, advice: string): ByHand {
  const { line, character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return { line: line + 1, column: character + 1, name, advice };
}
