import { ts } from '../typescript.js';
import { declarationOf } from './declaration-of.js';
import { followed } from './followed.js';

/** The class that a class extends, where its source is at hand. */
export function baseClassOf(
  node: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const [base] = clause?.types ?? [];
  return base && classNamedBy(base.expression, checker);
}

/** The class that an expression names, through imports and constants, where its source is at hand. */
export function classNamedBy(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const written = followed(expression, checker);
  if (ts.isClassExpression(written)) return written;
  const declaration = declarationOf(written, checker);
  if (declaration === undefined || declaration.getSourceFile().isDeclarationFile) return undefined;
  return ts.isClassLike(declaration) ? declaration : undefined;
}
