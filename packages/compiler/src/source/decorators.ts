import { ts } from '../typescript.js';

/** A decorator as it stands in the source. */
export interface DecoratorCall {
  /** The name by which it is declared, whatever it is imported as. */
  readonly name: string;
  readonly args: readonly ts.Expression[];
  readonly node: ts.Decorator;
}

export function decoratorCalls(node: ts.Node, checker: ts.TypeChecker): DecoratorCall[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return decorators.flatMap((decorator) => {
    const called = ts.isCallExpression(decorator.expression);
    const callee = called ? decorator.expression.expression : decorator.expression;
    const name = declaredNameOf(callee, checker);
    return name === undefined
      ? []
      : [{ name, args: called ? decorator.expression.arguments : [], node: decorator }];
  });
}

export function findDecorator(
  node: ts.Node,
  name: string,
  checker: ts.TypeChecker,
): DecoratorCall | undefined {
  return decoratorCalls(node, checker).find((call) => call.name === name);
}

/** Follows `import { tool as offer }` and `import * as adorn`; a name that leads nowhere counts as written. */
export function declaredNameOf(callee: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  if (!ts.isIdentifier(name)) return undefined;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return name.text;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.declarations?.length ?? 0) > 0 ? target.name : importedName(symbol, name);
}

function importedName(symbol: ts.Symbol, name: ts.Identifier): string {
  const specifier = symbol.declarations?.find(ts.isImportSpecifier);
  return (specifier?.propertyName ?? specifier?.name ?? name).text;
}
