import { ts } from '../typescript.js';

/** A source on its own, in which a name is followed to what it was imported as. */
export class SourceText {
  readonly file: ts.SourceFile;
  private readonly checker: ts.TypeChecker;
  private readonly uses = new Map<ts.Symbol, ts.Identifier[]>();
  private readonly taken = new Set<string>();

  constructor(path: string, text: string) {
    const program = programOf(path, text);
    this.checker = program.getTypeChecker();
    this.file = program.getSourceFile(path) as ts.SourceFile;
    walk(this.file, (node) => {
      if (ts.isIdentifier(node)) this.note(node);
    });
  }

  /** Where the name that an import declares is used, the import itself left out. */
  usesOf(declared: ts.Identifier): readonly ts.Identifier[] {
    const symbol = this.checker.getSymbolAtLocation(declared);
    const found = symbol === undefined ? [] : (this.uses.get(symbol) ?? []);
    return found.filter((use) => !isImported(use));
  }

  /** The name, or one like it if the source has the name already. Nobody gets it again. */
  freeName(wanted: string): string {
    let name = wanted;
    for (let count = 1; this.taken.has(name); count += 1) name = `${wanted}${String(count)}`;
    this.taken.add(name);
    return name;
  }

  /** True if the source neither declares nor uses the name. */
  isFree(name: string): boolean {
    return !this.taken.has(name);
  }

  private note(identifier: ts.Identifier): void {
    if (isMemberName(identifier)) return;
    this.taken.add(identifier.text);
    const symbol = this.symbolOf(identifier);
    if (symbol === undefined) return;
    this.uses.set(symbol, [...(this.uses.get(symbol) ?? []), identifier]);
  }

  private symbolOf(identifier: ts.Identifier): ts.Symbol | undefined {
    const { parent } = identifier;
    if (ts.isShorthandPropertyAssignment(parent))
      return this.checker.getShorthandAssignmentValueSymbol(parent);
    if (ts.isExportSpecifier(parent))
      return parent.parent.parent.moduleSpecifier === undefined
        ? this.checker.getExportSpecifierLocalTargetSymbol(parent)
        : undefined;
    return this.checker.getSymbolAtLocation(identifier);
  }
}

/** Calls for each node of a tree, comments left out. */
export function walk(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    walk(child, see);
  });
}

/** Nothing but this source: no library, and no file that it imports. */
function programOf(path: string, text: string): ts.Program {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === path ? file : undefined),
    getDefaultLibFileName: () => 'lib.d.ts',
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === path,
    readFile: (name) => (name === path ? text : undefined),
  };
  const options: ts.CompilerOptions = {
    noResolve: true,
    noLib: true,
    types: [],
    allowJs: true,
    target: ts.ScriptTarget.Latest,
    jsx: ts.JsxEmit.Preserve,
  };
  return ts.createProgram([path], options, host);
}

/** True for the name of a member, which neither declares a name nor uses one. */
function isMemberName(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === identifier;
  if (ts.isQualifiedName(parent)) return parent.right === identifier;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName === identifier;
  if (ts.isExportSpecifier(parent)) return parent.propertyName !== undefined && parent.name === identifier;
  return (
    (ts.isPropertyAssignment(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent)) &&
    parent.name === identifier
  );
}

function isImported({ parent }: ts.Identifier): boolean {
  return ts.isImportSpecifier(parent) || ts.isNamespaceImport(parent) || ts.isImportEqualsDeclaration(parent);
}
