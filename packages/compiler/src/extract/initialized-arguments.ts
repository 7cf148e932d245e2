import { ts } from '../typescript.js';

/** The arguments for which the code has a default of its own, also where a parameter is taken apart. */
export function initializedArguments(parameters: readonly ts.ParameterDeclaration[]): string[] {
  return parameters.flatMap(({ name, initializer }) => {
    if (ts.isObjectBindingPattern(name)) return name.elements.flatMap(initializedElement);
    return initializer !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function initializedElement({ propertyName, name, initializer }: ts.BindingElement): string[] {
  const key = propertyName ?? name;
  if (initializer === undefined) return [];
  return ts.isIdentifier(key) || ts.isStringLiteral(key) ? [key.text] : [];
}
