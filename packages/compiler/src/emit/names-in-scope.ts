import { ts } from '../typescript.js';

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
