import { ts } from '../typescript.js';
import { type Candidate, Counterparts } from './counterparts.js';

/** The calls of a source, and what was emitted for them: those of one name are alike. */
export class EmittedCalls extends Counterparts<ts.CallExpression> {
  constructor(source: ts.SourceFile, emitted: ts.SourceFile) {
    super(callsIn(source), callsIn(emitted));
  }
}

function callsIn(file: ts.SourceFile): Candidate<ts.CallExpression>[] {
  const imported = importedNames(file);
  const found: Candidate<ts.CallExpression>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push({ node, likeness: calledName(node.expression, imported) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `defineTool` for `defineTool(…)`, `adorn.defineTool(…)`, `(0, adorn_1.defineTool)(…)` and what imports it by another name. */
function calledName(callee: ts.Expression, imported: ReadonlyMap<string, string>): string {
  if (ts.isParenthesizedExpression(callee)) return calledName(callee.expression, imported);
  if (ts.isBinaryExpression(callee)) return calledName(callee.right, imported);
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? (imported.get(callee.text) ?? callee.text) : '';
}

/** By the name that a file gives to what it imports, the name that the other file has for it. */
function importedNames(file: ts.SourceFile): ReadonlyMap<string, string> {
  const bindings = file.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause?.namedBindings ?? [])
    .filter(ts.isNamedImports);
  return new Map(
    bindings.flatMap(({ elements }) =>
      elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text] as const),
    ),
  );
}
