import { ts } from '../typescript.js';
import { declarationOf, followed } from './followed.js';

/** The declarations of the same member in the classes and interfaces above it, nearest first. */
export function inheritedDeclarations(member: ts.Declaration, checker: ts.TypeChecker): ts.Declaration[] {
  return declarationsAbove(member, checker, false);
}

/** The declarations of the same member in the classes that its class extends, nearest first. */
export function overriddenDeclarations(member: ts.Declaration, checker: ts.TypeChecker): ts.Declaration[] {
  return declarationsAbove(member, checker, true);
}

function declarationsAbove(
  member: ts.Declaration,
  checker: ts.TypeChecker,
  isOverriding: boolean,
): ts.Declaration[] {
  const owner = member.parent;
  const name = ts.getNameOfDeclaration(member);
  if (!(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner)) || !name) return [];
  if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name)) return [];
  const clauses = (owner.heritageClauses ?? []).filter(({ token }) => !isOverriding || isExtends(token));
  const types = clauses.flatMap((clause) => clause.types.map((type) => checker.getTypeAtLocation(type)));
  const all = types.flatMap((type) => declarationsOf(name.text, type, checker, isOverriding));
  return [...new Set(all)];
}

function declarationsOf(
  name: string,
  type: ts.Type,
  checker: ts.TypeChecker,
  isOverriding: boolean,
): ts.Declaration[] {
  const own = checker.getPropertyOfType(type, name)?.declarations ?? [];
  return [...own, ...own.flatMap((declaration) => declarationsAbove(declaration, checker, isOverriding))];
}

function isExtends(token: ts.HeritageClause['token']): boolean {
  return token === ts.SyntaxKind.ExtendsKeyword;
}

/** The base class of a class; undefined without source. */
export function baseClassOf(
  node: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const [base] = clause?.types ?? [];
  return base && classNamedBy(base.expression, checker);
}

/** The class that an expression names, through imports and constants; undefined without source. */
export function classNamedBy(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const written = followed(expression, checker);
  if (ts.isClassExpression(written)) return written;
  const declaration = declarationOf(written, checker);
  if (!declaration || declaration.getSourceFile().isDeclarationFile) return undefined;
  return ts.isClassLike(declaration) ? declaration : undefined;
}
