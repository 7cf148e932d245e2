import { ts } from '../typescript.js';

const VALUES: ts.SymbolFlags = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

/** Everything that an expression at this place can name, and what each name stands for there. */
export function namesInScope(place: ts.Node, checker: ts.TypeChecker): ReadonlyMap<string, ts.Symbol> {
  const symbols = checker.getSymbolsInScope(place, VALUES);
  return new Map(symbols.map((symbol) => [symbol.name, checker.getExportSymbolOfSymbol(symbol)]));
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
