import { ts } from '../typescript.js';
import { followed, unwrapped } from './followed.js';

/** A property of an object literal: the expression of its value, or a method. */
export type Property = ts.Expression | ts.MethodDeclaration;

/** The last property of a name in an object literal, including spread objects. */
export function propertyOf(
  expression: ts.Expression | undefined,
  name: string,
  checker: ts.TypeChecker,
): Property | undefined {
  const object = expression && followed(expression, checker);
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined;
  return object.properties.reduce<Property | undefined>(
    (found, property) => valueOf(property, name, checker) ?? found,
    undefined,
  );
}

function valueOf(
  property: ts.ObjectLiteralElementLike,
  name: string,
  checker: ts.TypeChecker,
): Property | undefined {
  if (ts.isSpreadAssignment(property)) return propertyOf(property.expression, name, checker);
  if (!('text' in property.name) || property.name.text !== name) return undefined;
  if (ts.isPropertyAssignment(property)) return property.initializer;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  return ts.isMethodDeclaration(property) ? property : undefined;
}

/** The entries of an array literal, including spread arrays and both sides of a conditional. */
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
