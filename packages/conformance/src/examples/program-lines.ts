import ts from 'typescript';

/** A program between its markers in a file. */
export interface MarkedProgram {
  readonly name: string;
  /** Lines with code: neither blank nor only comments. */
  readonly lines: number;
  /** The lines of the imports whose names the program uses. */
  readonly imports: number;
}

const BEGINS = /^\/\/ example: (.+)$/;
const ENDS = '// end of example';

/**
 * The programs in the text of a file: each begins behind `// example: NAME` and ends at `// end of example`.
 *
 * @throws Error for a marker inside of a program, and for a program without an end
 */
export function programsIn(text: string): MarkedProgram[] {
  const source = ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true);
  const code = linesWithCode(source);
  return regionsIn(text).map(({ name, from, to }) => ({
    name,
    lines: [...code].filter((line) => line > from && line < to).length,
    imports: importLines(source, code, namesIn(source, from, to)),
  }));
}

interface Region {
  readonly name: string;
  /** The lines of the markers, from 0. */
  readonly from: number;
  readonly to: number;
}

function regionsIn(text: string): Region[] {
  const regions: Region[] = [];
  let open: { readonly name: string; readonly from: number } | undefined;
  for (const [line, written] of text.split('\n').entries()) {
    const name = BEGINS.exec(written)?.[1];
    if (name !== undefined) {
      if (open) throw new Error(`The example "${open.name}" has no end before "${name}" begins.`);
      open = { name, from: line };
    } else if (written === ENDS && open) {
      regions.push({ ...open, to: line });
      open = undefined;
    }
  }
  if (open) throw new Error(`The example "${open.name}" has no end: write "${ENDS}" behind it.`);
  return regions;
}

/** The lines on which a token stands; a template of several lines is code on those that are not blank. */
function linesWithCode(source: ts.SourceFile): Set<number> {
  const written = source.text.split('\n');
  const lines = new Set<number>();
  for (const token of tokensOf(source)) {
    const first = lineOf(source, token.getStart(source, false));
    const last = lineOf(source, token.getEnd());
    for (let line = first; line <= last; line++) if (written[line]?.trim() !== '') lines.add(line);
  }
  return lines;
}

/** Doc comments are children of their declarations, and no code. */
function tokensOf(node: ts.Node): ts.Node[] {
  if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return [];
  const children = node.getChildren();
  return children.length === 0 && node.getWidth() > 0 ? [node] : children.flatMap(tokensOf);
}

function namesIn(source: ts.SourceFile, from: number, to: number): Set<string> {
  const names = tokensOf(source).filter((token): token is ts.Identifier => {
    const line = lineOf(source, token.getStart(source, false));
    return ts.isIdentifier(token) && line > from && line < to;
  });
  return new Set(names.map(({ text }) => text));
}

/** One line for each import of which the program uses a name, however the import is broken into lines. */
function importLines(source: ts.SourceFile, code: ReadonlySet<number>, names: ReadonlySet<string>): number {
  if (code.size === 0) return 0;
  return source.statements.filter((statement) => {
    if (!ts.isImportDeclaration(statement)) return false;
    const bindings = statement.importClause?.namedBindings;
    const imported = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
    return imported.some(({ name }) => names.has(name.text));
  }).length;
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line;
}
