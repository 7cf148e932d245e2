import type { DocComment } from '../docs/doc-comment.js';
import type { ts } from '../typescript.js';

/** A method or function that can be a tool, from which its declaration is read. */
export interface Callable {
  /** The class of a method; absent for a function. */
  readonly className?: string;
  readonly name: string;
  readonly node: ts.SignatureDeclaration;
  readonly words: DocComment;
  /** True if its first parameter is an object of all arguments. */
  readonly takesWhole?: boolean;
}

/** How errors name it. */
export function labelOf({ className, name }: Pick<Callable, 'className' | 'name'>): string {
  return className === undefined ? name : `${className}.${name}`;
}
