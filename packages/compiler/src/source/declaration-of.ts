import { ts } from '../typescript.js';

/** What a name stands for, through imports and `{ name }` in an object; undefined where it leads nowhere. */
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
