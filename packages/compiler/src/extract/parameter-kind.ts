import { ts } from '../typescript.js';
import { elementOf } from '../schema/array-schema.js';
import { declaredName } from '../schema/type-name.js';
import type { TypeWorld } from '../schema/type-world.js';

/** The users' class whose instance a parameter takes. */
export interface ParameterClass {
  readonly name: string;
  readonly array: boolean;
  readonly declaration: ts.ClassDeclaration;
}

export function parameterClass(type: ts.Type, { checker }: TypeWorld): ParameterClass | undefined {
  const plain = checker.getNonNullableType(type);
  const element = elementOf(plain, checker);
  const owner = element === undefined ? plain : checker.getNonNullableType(element);
  const declaration = makeableClass(owner);
  const name = declaredName(owner.symbol);
  if (declaration === undefined || name === undefined) return undefined;
  return { name, array: element !== undefined, declaration };
}

/** Only a class with a name of its own, in source and not abstract, can be made into an instance. */
function makeableClass(type: ts.Type): ts.ClassDeclaration | undefined {
  const declaration = (type.symbol as ts.Symbol | undefined)?.valueDeclaration;
  if (!type.isClassOrInterface() && !(type as { target?: ts.Type }).target?.isClass()) return undefined;
  if (declaration === undefined || !ts.isClassDeclaration(declaration)) return undefined;
  if (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Abstract | ts.ModifierFlags.Ambient))
    return undefined;
  return declaration.getSourceFile().isDeclarationFile ? undefined : declaration;
}
