import { ts } from '../typescript.js';

/**
 * The text of a source without the bodies that no type and no record can come from: those of methods and functions that
 * state what they return, and in which nothing is declared for Adorn. Two sources of one shape have the same records.
 */
export function shapeOf(source: ts.SourceFile): string {
  const telling = tellingNames(source);
  const parts: string[] = [];
  let end = 0;
  const visit = (node: ts.Node): void => {
    const body = statedBody(node);
    if (!body || telling.test(source.text.slice(body.pos, body.end))) return ts.forEachChild(node, visit);
    parts.push(source.text.slice(end, body.pos));
    end = body.end;
  };
  visit(source);
  return [...parts, source.text.slice(end)].join('{}');
}

/** The body of a method or function with the type of its result. A constructor's gives properties their types. */
function statedBody(node: ts.Node): ts.Block | undefined {
  if (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node))
    return node.type === undefined ? undefined : node.body;
  return undefined;
}

/** Matches a body that may declare a class, a tool or an agent, under whatever name the file imports what makes one. */
function tellingNames(source: ts.SourceFile): RegExp {
  const imported = source.statements.filter(ts.isImportDeclaration).flatMap(renamedOrOurs);
  const words = ['class', 'tool', 'agent', 'toolbox', 'remembered', 'defineTool', 'defineAgent', ...imported];
  return new RegExp(`(?<![\\w$])(?:${words.map((word) => word.replaceAll('$', '\\$')).join('|')})(?![\\w$])`);
}

/** Names that an import gives anew, as of a default or a namespace, and all names of Adorn. */
function renamedOrOurs({ importClause, moduleSpecifier }: ts.ImportDeclaration): string[] {
  if (!importClause) return [];
  const { name, namedBindings } = importClause;
  const isOurs = ts.isStringLiteral(moduleSpecifier) && /adorn/i.test(moduleSpecifier.text);
  const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  const namespace = namedBindings && ts.isNamespaceImport(namedBindings) ? [namedBindings.name.text] : [];
  const telling = named.filter(({ propertyName }) => isOurs || propertyName !== undefined);
  return [...(name ? [name.text] : []), ...namespace, ...telling.map((one) => one.name.text)];
}
