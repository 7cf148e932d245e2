import ts from 'typescript';

/** A function that has a name, and its length in lines. */
export interface MeasuredFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** One source file in figures. */
export interface MeasuredFile {
  readonly lines: number;
  /** Declarations, methods, constructors, accessors, and functions that a variable or a property names. */
  readonly functions: readonly MeasuredFunction[];
  /** Uses of `any`. */
  readonly anys: number;
  /** Names that the file itself declares and exports; re-exports do not count. */
  readonly exports: number;
  /** The specifiers of all imports and re-exports, types and dynamic imports included. */
  readonly imports: readonly string[];
}

/** Parses and measures one source file. */
export function measureFile(path: string, text: string): MeasuredFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions: MeasuredFunction[] = [];
  const imports = new Set<string>();
  let anys = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) anys += 1;
    const name = nameOfFunction(node, source);
    if (name !== undefined) functions.push(measureFunction(source, node, name));
    const specifier = specifierOf(node);
    if (specifier !== undefined) imports.add(specifier);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.trimEnd().split('\n').length;
  return { lines, functions, anys, exports: countExports(source), imports: [...imports] };
}

/** Undefined for what is no function, for functions without a name, and for signatures without a body. */
function nameOfFunction(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
    const { parent } = node;
    const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent);
    return isNamed ? parent.name.getText(source) : undefined;
  }
  if (ts.isConstructorDeclaration(node)) return node.body && 'constructor';
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node) && !ts.isAccessor(node))
    return undefined;
  return node.body && (node.name?.getText(source) ?? 'default');
}

function measureFunction(source: ts.SourceFile, node: ts.Node, name: string): MeasuredFunction {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const start = lineAt(node.getStart(source));
  return { name, line: start + 1, lines: lineAt(node.end) - start + 1 };
}

function specifierOf(node: ts.Node): string | undefined {
  const specifier =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
  return specifier && ts.isStringLiteral(specifier) ? specifier.text : undefined;
}

function countExports(source: ts.SourceFile): number {
  const names = source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    const { name } = statement as ts.DeclarationStatement;
    return [name?.getText(source) ?? 'default'];
  });
  return new Set(names).size;
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
