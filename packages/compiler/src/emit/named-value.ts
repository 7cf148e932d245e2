import { unwrapped } from '../source/followed.js';
import { ts } from '../typescript.js';

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

const VALUES: ts.SymbolFlags = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

/** Everything that an expression at this place can name, and what each name stands for there. */
export function namesInScope(place: ts.Node, checker: ts.TypeChecker): ReadonlyMap<string, ts.Symbol> {
  const symbols = checker
    .getSymbolsInScope(place, VALUES)
    .filter((symbol) => !isForTypesOnly(symbol, checker));
  return new Map(symbols.map((symbol) => [symbol.name, checker.getExportSymbolOfSymbol(symbol)]));
}

/** Whether an import or an export on the way to what the name stands for says `type`. */
export function isForTypesOnly(name: ts.Symbol, checker: ts.TypeChecker): boolean {
  const passed = new Set<ts.Symbol>();
  let symbol: ts.Symbol | undefined = name;
  while (symbol !== undefined && isAlias(symbol) && !passed.has(symbol)) {
    if (symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) === true) return true;
    passed.add(symbol);
    symbol = checker.getImmediateAliasedSymbol(symbol);
  }
  return false;
}

function isAlias({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Alias) !== 0;
}

/** A checker that knows of one file only, and so does not read or load anything. */
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
