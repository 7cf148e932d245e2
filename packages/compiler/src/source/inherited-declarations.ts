import { ts } from '../typescript.js';

/** The declarations of the same member in the classes and interfaces above it, nearest first. */
export function inheritedDeclarations(member: ts.Declaration, checker: ts.TypeChecker): ts.Declaration[] {
  const owner = member.parent;
  const name = ts.getNameOfDeclaration(member);
  if (!(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner)) || name === undefined) return [];
  if (!ts.isIdentifier(name)) return [];
  const types = (owner.heritageClauses ?? []).flatMap((clause) =>
    clause.types.map((type) => checker.getTypeAtLocation(type)),
  );
  return types.flatMap((type) => declarationsOf(name.text, type, checker));
}

function declarationsOf(name: string, type: ts.Type, checker: ts.TypeChecker): ts.Declaration[] {
  const own = checker.getPropertyOfType(type, name)?.declarations ?? [];
  return [...own, ...own.flatMap((declaration) => inheritedDeclarations(declaration, checker))];
}
