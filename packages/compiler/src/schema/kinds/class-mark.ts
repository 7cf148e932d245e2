import { exposedName, isChecked } from '../../source/class-transformer.js';
import { ts } from '../../typescript.js';
import type { ClassMark } from '../hydration-mark.js';
import { declaredName } from '../type-name.js';

/** The mark of a class type whose value must be an instance: a plain object lacks its methods. */
export function classMark(type: ts.Type, checker: ts.TypeChecker): ClassMark | undefined {
  const declaration = classOf(type);
  if (!declaration) return undefined;
  const obstacle = obstacleOf(declaration);
  const properties = checker.getPropertiesOfType(type);
  if (obstacle !== undefined && !properties.some(isMoreThanData)) return undefined;
  const name = declaredName(type.symbol);
  return {
    kind: 'class',
    name,
    declaration,
    sentAs: sentAs(properties, checker),
    unchecked: unchecked(properties, declaration, checker),
    ...(obstacle !== undefined && { obstacle }),
  };
}

function classOf(type: ts.Type): ts.ClassLikeDeclaration | undefined {
  const declaration = (type.symbol as ts.Symbol | undefined)?.valueDeclaration;
  const isInstance = type.isClass() || (type as { target?: ts.Type }).target?.isClass() === true;
  return isInstance && declaration && ts.isClassLike(declaration) ? declaration : undefined;
}

function obstacleOf(declaration: ts.ClassLikeDeclaration): string | undefined {
  if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract)
    return 'it is an abstract class with methods, and has no instances.';
  const closed = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isClosed = declaration.members.some(
    (member) => ts.isConstructorDeclaration(member) && ts.getCombinedModifierFlags(member) & closed,
  );
  return isClosed ? 'it is a class with methods whose constructor is not public.' : undefined;
}

/** True for members that a plain object cannot have. */
function isMoreThanData({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) !== 0;
}

function sentAs(properties: readonly ts.Symbol[], checker: ts.TypeChecker): Record<string, string> {
  const renamed = properties.flatMap(({ name, valueDeclaration }) => {
    const exposed = valueDeclaration && exposedName(valueDeclaration, checker);
    return exposed === undefined ? [] : [[name, exposed] as const];
  });
  return Object.fromEntries(renamed);
}

/**
 * The fields without validators; empty if no field has one, except in a declaration file, which contains no
 * decorators.
 */
function unchecked(
  properties: readonly ts.Symbol[],
  owner: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): string[] {
  const declared = properties.filter(({ valueDeclaration: one }) => one !== undefined && isField(one));
  const bare = declared.filter(({ valueDeclaration: one }) => one !== undefined && !isChecked(one, checker));
  const isNone = bare.length === declared.length && !owner.getSourceFile().isDeclarationFile;
  return isNone ? [] : bare.map(({ name }) => name);
}

function isField(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  if (!name || ts.isPrivateIdentifier(name)) return false;
  return (
    ts.isPropertyDeclaration(declaration) ||
    ts.isParameterPropertyDeclaration(declaration, declaration.parent)
  );
}
