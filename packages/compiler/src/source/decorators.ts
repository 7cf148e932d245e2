import { ts } from '../typescript.js';

/** A decorator in the source. */
export interface DecoratorCall {
  /** The declared name of a decorator, also if it is imported under another one. */
  readonly name: string;
  /** The package it comes from; undefined for one of the project's own. */
  readonly module?: string;
  readonly args: readonly ts.Expression[];
  readonly node: ts.Decorator;
}

export function decoratorCalls(node: ts.Node, checker: ts.TypeChecker): DecoratorCall[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return decorators.flatMap((decorator) => {
    const called = ts.isCallExpression(decorator.expression);
    const callee = called ? decorator.expression.expression : decorator.expression;
    const name = declaredNameOf(callee, checker);
    if (name === undefined) return [];
    const module = moduleOf(callee, checker);
    const args = called ? decorator.expression.arguments : [];
    return [{ name, ...(module !== undefined && { module }), args, node: decorator }];
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
  const name = nameIn(callee);
  if (!name) return undefined;
  const symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return name.text;
  const target = targetOf(symbol, checker);
  return (target.declarations?.length ?? 0) > 0 ? target.name : importedName(symbol, name);
}

/** True for a name that the sources of the project declare. */
export function isOfProject(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  const name = nameIn(callee);
  const symbol = name && checker.getSymbolAtLocation(name);
  const [declaration] = symbol ? (targetOf(symbol, checker).declarations ?? []) : [];
  return declaration !== undefined && !declaration.getSourceFile().isDeclarationFile;
}

function nameIn(callee: ts.Expression): ts.Identifier | undefined {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) ? name : undefined;
}

function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function importedName(symbol: ts.Symbol, name: ts.Identifier): string {
  const specifier = symbol.declarations?.find(ts.isImportSpecifier);
  return (specifier?.propertyName ?? specifier?.name ?? name).text;
}

/** By the folder of node_modules in which it is declared, however deep that lies. */
function moduleOf(callee: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const name = nameIn(callee);
  const symbol = name && checker.getSymbolAtLocation(name);
  const file = symbol && targetOf(symbol, checker).declarations?.[0]?.getSourceFile().fileName;
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file ?? '')?.[1];
}

/** The module that a file imports a name from, as it is written there; undefined for a name that is not imported. */
export function importedFrom(callee: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const name = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  const [imported] = checker.getSymbolAtLocation(name)?.declarations ?? [];
  const statement = imported && ts.findAncestor(imported, ts.isImportDeclaration);
  const module = statement?.moduleSpecifier;
  return module && ts.isStringLiteral(module) ? module.text : undefined;
}
