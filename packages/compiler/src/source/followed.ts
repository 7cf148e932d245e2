import { ts } from '../typescript.js';
import { isFixed, isWrapped } from './constant.js';
import { declarationOf } from './declaration-of.js';

const FARTHEST = 16;

/** The expression that gives a value its form: out of `as` and brackets, through constants, also imported ones. */
export function followed(expression: ts.Expression, checker: ts.TypeChecker, steps = 0): ts.Expression {
  const written = unwrapped(expression);
  if (!ts.isIdentifier(written) && !ts.isPropertyAccessExpression(written)) return written;
  const declaration = declarationOf(written, checker);
  const initializer = declaration && isFixed(declaration) ? declaration.initializer : undefined;
  if (initializer === undefined || steps > FARTHEST) return written;
  return followed(initializer, checker, steps + 1);
}

export function unwrapped(expression: ts.Expression): ts.Expression {
  return isWrapped(expression) ? unwrapped(expression.expression) : expression;
}
