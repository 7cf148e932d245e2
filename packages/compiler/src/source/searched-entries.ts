import { ts } from '../typescript.js';
import { declaredNameOf } from './decorators.js';
import { followed } from './followed.js';
import { entriesOf } from './literals.js';

/** The sources of `searchable(…)`, given as one or in a list; undefined for any other expression. */
export function searchedEntries(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.Expression[] | undefined {
  const call = followed(expression, checker);
  if (!ts.isCallExpression(call) || declaredNameOf(call.expression, checker) !== 'searchable')
    return undefined;
  const [sources] = call.arguments;
  if (!sources) return [];
  return ts.isArrayLiteralExpression(followed(sources, checker)) ? entriesOf(sources, checker) : [sources];
}
