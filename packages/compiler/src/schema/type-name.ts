import { ts } from '../typescript.js';

/** The declared name of a type with the names of its arguments: `Page<Order>` is `Page_Order`. */
export function typeName(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const name = type.aliasSymbol ? declaredName(type.aliasSymbol) : declaredName(type.symbol);
  if (name === undefined) return undefined;
  const parts = argumentsOf(type, checker).map(
    (argument) => typeName(argument, checker) ?? checker.typeToString(argument),
  );
  return [name, ...parts].join('_');
}

/** The name in the declaration, which for a default export is not the symbol's. */
export function declaredName(symbol: ts.Symbol | undefined): string | undefined {
  const declaration = symbol?.declarations?.[0];
  const name = declaration && ts.getNameOfDeclaration(declaration);
  return name && ts.isIdentifier(name) ? name.text : undefined;
}

function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.aliasSymbol) return type.aliasTypeArguments ?? [];
  return isReference(type)
    ? checker.getTypeArguments(type).slice(0, type.target.typeParameters?.length ?? 0)
    : [];
}

export function isReference(type: ts.Type): type is ts.TypeReference {
  return isObject(type) && (type.objectFlags & ts.ObjectFlags.Reference) !== 0;
}

export function isObject(type: ts.Type): type is ts.ObjectType {
  return (type.flags & ts.TypeFlags.Object) !== 0;
}
