import { ts } from '../../typescript.js';

/**
 * True if no value has the type: `never`, or an intersection that contradicts itself, such as of two variants of a
 * discriminated union. The checker detects the latter only on request, and shows it when it prints the type.
 */
export function isImpossible(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.Never) return true;
  return type.isIntersection() && checker.typeToString(type) === 'never';
}
