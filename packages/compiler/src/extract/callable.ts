import type { DocComment } from '../docs/doc-comment.js';
import type { ts } from '../typescript.js';

/** A method or function that can be a tool: what its declaration is read from. */
export interface Callable {
  /** The class of a method; absent for a function. */
  readonly className?: string;
  readonly name: string;
  readonly node: ts.SignatureDeclaration;
  readonly words: DocComment;
  /** Whether its first parameter is all the arguments, as one object. */
  readonly takesWhole?: boolean;
}

/** How errors name it. */
export function labelOf({ className, name }: Pick<Callable, 'className' | 'name'>): string {
  return className === undefined ? name : `${className}.${name}`;
}
