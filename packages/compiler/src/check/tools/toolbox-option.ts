import { baseClassOf } from '../../source/base-class.js';
import { findDecorator } from '../../source/decorators.js';
import { type Property, propertyOf } from '../../source/property-of.js';
import type { ts } from '../../typescript.js';

/** An option of a service's `@toolbox`, its own or inherited. */
export function toolboxOption(
  service: ts.ClassLikeDeclaration,
  name: string,
  checker: ts.TypeChecker,
): Property | undefined {
  const said = lineage(service, checker).map((one) =>
    propertyOf(findDecorator(one, 'toolbox', checker)?.args[0], name, checker),
  );
  return said.findLast((value) => value !== undefined);
}

/** A class and those that it extends, the topmost first. */
export function lineage(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.ClassLikeDeclaration[] {
  const base = baseClassOf(node, checker);
  return base === undefined ? [node] : [...lineage(base, checker), node];
}
