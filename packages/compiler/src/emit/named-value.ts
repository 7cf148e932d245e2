import { ts } from '../typescript.js';
import { unwrapped } from '../source/followed.js';
import { namesInScope } from './names-in-scope.js';

/** How a source names a class or a function, where the name leads to it as an expression. */
export interface NamedValue {
  readonly written: ts.EntityName | ts.Expression;
  /** What the first part of the name stands for. */
  readonly root: ts.Symbol;
}

/** An expression that is a name or a path of names; undefined where the same words would mean another thing at the place. */
export function namedValue(
  expression: ts.Expression,
  place: ts.Node,
  checker: ts.TypeChecker,
): NamedValue | undefined {
  const written = unwrapped(expression);
  const first = firstOf(written);
  const root = first && localSymbolOf(first, checker);
  if (root === undefined || namesInScope(place, checker).get(first?.text ?? '') !== root) return undefined;
  return { written, root };
}

/** What a name stands for in its file: an import is itself and not what it leads to. */
export function localSymbolOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && checker.getExportSymbolOfSymbol(symbol);
}

function firstOf(expression: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(expression)) return expression;
  return ts.isPropertyAccessExpression(expression) ? firstOf(expression.expression) : undefined;
}
