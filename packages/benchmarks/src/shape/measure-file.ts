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
  /** Lines that hold more than blanks and comments. */
  readonly codeLines: number;
  /** Declarations, methods, constructors, accessors, and functions that a variable or a property names. */
  readonly functions: readonly MeasuredFunction[];
  /** Uses of `any`. */
  readonly anys: number;
  /** Uses of the word `undefined`, in types too. */
  readonly undefineds: number;
  /** Conditional expressions `a ? b : c`. */
  readonly ternaries: number;
  /** Spreads in object literals that add members under a condition, such as `...(a !== undefined && { a })`. */
  readonly conditionalSpreads: number;
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
  const lines = new Set<number>();
  const counts = { anys: 0, undefineds: 0, ternaries: 0, conditionalSpreads: 0 };
  const visit = (node: ts.Node): void => {
    for (const line of linesOfToken(source, node)) lines.add(line);
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.anys += 1;
    if (isUndefined(node)) counts.undefineds += 1;
    if (ts.isConditionalExpression(node)) counts.ternaries += 1;
    if (isConditionalSpread(node)) counts.conditionalSpreads += 1;
    const name = nameOfFunction(node, source);
    if (name !== undefined) functions.push(measureFunction(source, node, name));
    const specifier = specifierOf(node);
    if (specifier !== undefined) imports.add(specifier);
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return {
    ...counts,
    functions,
    lines: text.trimEnd().split('\n').length,
    codeLines: lines.size,
    exports: countExports(source),
    imports: [...imports],
  };
}

/** The lines of a token, which a comment is not; none for a node of several tokens. */
function linesOfToken(source: ts.SourceFile, node: ts.Node): number[] {
  if (node.getChildCount(source) > 0 || node.getWidth(source) === 0) return [];
  const [first, last] = [node.getStart(source), node.end].map((at) => lineAt(source, at)) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function lineAt(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line;
}

function isUndefined(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.UndefinedKeyword || (ts.isIdentifier(node) && node.text === 'undefined');
}

function isConditionalSpread(node: ts.Node): boolean {
  if (!ts.isSpreadAssignment(node)) return false;
  const spread = ts.isParenthesizedExpression(node.expression) ? node.expression.expression : node.expression;
  if (ts.isConditionalExpression(spread)) return true;
  return ts.isBinaryExpression(spread) && spread.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
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
  const start = lineAt(source, node.getStart(source));
  return { name, line: start + 1, lines: lineAt(source, node.end) - start + 1 };
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
