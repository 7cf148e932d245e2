import { ts } from '../typescript.js';
import { followed, unwrapped } from './followed.js';

/** The entries of a list that is written down, also of lists that are spread into it; of a choice, all that may be. */
export function entriesOf(expression: ts.Expression, checker: ts.TypeChecker): ts.Expression[] {
  return choicesOf(followed(expression, checker)).flatMap((list) => {
    if (list !== unwrapped(expression)) return entriesOf(list, checker);
    if (!ts.isArrayLiteralExpression(list)) return [];
    return list.elements.flatMap((element) =>
      ts.isSpreadElement(element) ? entriesOf(element.expression, checker) : choicesOf(unwrapped(element)),
    );
  });
}

/** Both sides of `condition ? one : other`. */
function choicesOf(expression: ts.Expression): ts.Expression[] {
  if (!ts.isConditionalExpression(expression)) return [expression];
  return [expression.whenTrue, expression.whenFalse].map(unwrapped).flatMap(choicesOf);
}
