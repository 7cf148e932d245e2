import { ts } from '../typescript.js';
import { isFixed, isWrapped } from './constant.js';

const FARTHEST = 16;

/** The expression that defines a value: without `as` and parentheses, through constants and imports. */
export function followed(expression: ts.Expression, checker: ts.TypeChecker, steps = 0): ts.Expression {
  const written = unwrapped(expression);
  if (!ts.isIdentifier(written) && !ts.isPropertyAccessExpression(written)) return written;
  const declaration = declarationOf(written, checker);
  const initializer = declaration && isFixed(declaration) ? declaration.initializer : undefined;
  if (!initializer || steps > FARTHEST) return written;
  return followed(initializer, checker, steps + 1);
}

export function unwrapped(expression: ts.Expression): ts.Expression {
  return isWrapped(expression) ? unwrapped(expression.expression) : expression;
}

/** The symbol of a name, through imports and shorthand properties; undefined if unresolved. */
export function symbolOf(expression: ts.Expression, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = expression;
  const symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(expression);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

export function declarationOf(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.Declaration | undefined {
  const symbol = symbolOf(expression, checker);
  return symbol?.valueDeclaration ?? symbol?.declarations?.[0];
}
