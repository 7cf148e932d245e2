import { ts } from '../../typescript.js';

/**
 * Whether no value has the type: `never`, or an intersection that contradicts itself, as of two kinds of one
 * discriminated union. The checker finds the latter out when it is asked for, and tells it when it prints the type.
 */
export function isImpossible(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.Never) return true;
  return type.isIntersection() && checker.typeToString(type) === 'never';
}
