import { unwrapped } from '../source/followed.js';
import { ts } from '../typescript.js';

/** The name of a class or function in a source, usable as an expression. */
export interface NamedValue {
  readonly written: ts.EntityName | ts.Expression;
  /** The symbol of the first part of the name. */
  readonly root: ts.Symbol;
}

/** An expression that is a name or a path of names; undefined if it has another meaning at the place. */
export function namedValue(
  expression: ts.Expression,
  place: ts.Node,
  checker: ts.TypeChecker,
): NamedValue | undefined {
  const written = unwrapped(expression);
  const first = firstOf(written);
  const root = first && localSymbolOf(first, checker);
  if (!root || namesInScope(place, checker).get(first.text) !== root) return undefined;
  return { written, root };
}

/** The symbol of a name in its own file: an import is not followed. */
export function localSymbolOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && checker.getExportSymbolOfSymbol(symbol);
}

function firstOf(expression: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(expression)) return expression;
  return ts.isPropertyAccessExpression(expression) ? firstOf(expression.expression) : undefined;
}

const VALUES: ts.SymbolFlags = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

/** The names that an expression at this place can use, with their symbols. */
export function namesInScope(place: ts.Node, checker: ts.TypeChecker): ReadonlyMap<string, ts.Symbol> {
  const symbols = checker
    .getSymbolsInScope(place, VALUES)
    .filter((symbol) => !isForTypesOnly(symbol, checker));
  return new Map(symbols.map((symbol) => [symbol.name, checker.getExportSymbolOfSymbol(symbol)]));
}

/** True if an import or export that leads to the symbol is type-only. */
export function isForTypesOnly(name: ts.Symbol, checker: ts.TypeChecker): boolean {
  const passed = new Set<ts.Symbol>();
  let symbol: ts.Symbol | undefined = name;
  while (symbol && isAlias(symbol) && !passed.has(symbol)) {
    if (symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) === true) return true;
    passed.add(symbol);
    symbol = checker.getImmediateAliasedSymbol(symbol);
  }
  return false;
}

function isAlias({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Alias) !== 0;
}

/** A checker for one file, which reads and loads nothing else. */
export function checkerOf(file: ts.SourceFile): ts.TypeChecker {
  const options: ts.CompilerOptions = { allowJs: true, noLib: true, noResolve: true, types: [] };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    fileExists: (name) => name === file.fileName,
    writeFile: () => undefined,
  };
  return ts.createProgram([file.fileName], options, host).getTypeChecker();
}
