import type { JsonSchema } from '@adorn/core';

import type { Callable } from '../../extract/callable.js';
import { positionals } from '../../extract/injected-kind.js';
import { ts } from '../../typescript.js';
import type { FoundDeclaration, FoundParameter } from './found-tool.js';
import { paramOptions } from './param-options.js';

/** The properties of a declaration's arguments, each with the place of the parameter that takes it. */
export function parametersOf(
  { node }: Callable,
  { parametersJsonSchema }: FoundDeclaration,
  checker: ts.TypeChecker,
): FoundParameter[] {
  const properties = (parametersJsonSchema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const places = placesOf(node, checker);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    node: places.get(name) ?? node,
  }));
}

function placesOf(node: ts.SignatureDeclaration, checker: ts.TypeChecker): ReadonlyMap<string, ts.Node> {
  const renamed = paramOptions(node, checker);
  const places = new Map<string, ts.Node>();
  for (const [index, parameter] of positionals(node).entries()) {
    for (const name of namesIn(parameter)) places.set(renamed.get(index)?.name ?? name, parameter);
  }
  return places;
}

/** Its own, or those of its destructured properties. */
function namesIn({ name }: ts.ParameterDeclaration): string[] {
  if (!ts.isObjectBindingPattern(name)) return [name.getText()];
  return name.elements.map((element) => (element.propertyName ?? element.name).getText());
}
