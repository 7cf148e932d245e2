import { isErrorType, unresolvedType } from '../schema/refusal.js';
import type { SchemaWriter } from '../schema/schema-writer.js';
import { ts } from '../typescript.js';

/**
 * Walks what is written of a parameter's type, through the users' own declarations, and refuses a name that
 * TypeScript cannot find: it would drop the members that come from it without a word.
 *
 * @throws Refusal naming the first such name.
 */
export function refuseUnresolved(
  parameter: ts.ParameterDeclaration,
  { world: { checker } }: SchemaWriter,
): void {
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node) || ts.isExpressionWithTypeArguments(node)) {
      refuseIfLost(node, checker);
      for (const declaration of declarationsOf(node, checker)) follow(declaration);
    }
    ts.forEachChild(node, visit);
  };
  const follow = (declaration: ts.Declaration): void => {
    if (seen.has(declaration) || declaration.getSourceFile().isDeclarationFile) return;
    seen.add(declaration);
    for (const part of typedParts(declaration)) visit(part);
  };
  if (parameter.type) visit(parameter.type);
}

function refuseIfLost(node: ts.NodeWithTypeArguments, checker: ts.TypeChecker): void {
  if (!isErrorType(checker.getTypeAtLocation(node))) return;
  throw unresolvedType(node.getText());
}

function declarationsOf(node: ts.NodeWithTypeArguments, checker: ts.TypeChecker): readonly ts.Declaration[] {
  const type = checker.getTypeAtLocation(node);
  return [
    ...(type.aliasSymbol?.declarations ?? []),
    ...((type.symbol as ts.Symbol | undefined)?.declarations ?? []),
  ];
}

/** The parts of a declaration that define its data: its base types, and the types of its properties. */
function typedParts(declaration: ts.Declaration): readonly ts.Node[] {
  if (ts.isTypeAliasDeclaration(declaration)) return [declaration.type];
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassLike(declaration)) return [];
  const bases = (declaration.heritageClauses ?? []).filter(
    ({ token }) => token === ts.SyntaxKind.ExtendsKeyword || ts.isInterfaceDeclaration(declaration),
  );
  const members: readonly ts.Node[] = [...declaration.members].flatMap((member: ts.Node) =>
    (ts.isPropertySignature(member) ||
      ts.isPropertyDeclaration(member) ||
      ts.isIndexSignatureDeclaration(member)) &&
    member.type
      ? [member.type]
      : [],
  );
  return [...bases.flatMap(({ types }) => [...types]), ...members];
}
