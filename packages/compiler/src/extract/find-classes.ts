import { DerivationFailedError } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { findDecorator } from '../source/decorators.js';
import { printedPlace } from '../source/place.js';
import { ts } from '../typescript.js';
import { toolMembers } from './callable.js';

/** The decorator of a class whose fields are remembered of a user. */
export const REMEMBERED = 'remembered';

/** A class with something for Adorn in it. */
export interface FoundClass {
  readonly name: string;
  readonly node: ts.ClassLikeDeclaration;
}

/** The classes of a file that are marked `@agent`, `@toolbox` or `@remembered`, or have or override a method marked `@tool`. */
export function findClasses(file: ts.SourceFile, world: CheckerContext): FoundClass[] {
  const found: FoundClass[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node) && isMarked(node, world))
      found.push({ name: nameOfClass(node) ?? '(anonymous)', node });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The name a class has at run time: its own, or that of the variable or the export it is put into. */
export function nameOfClass(node: ts.ClassLikeDeclaration): string | undefined {
  if (node.name) return node.name.text;
  const holder = node.parent;
  if (ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name)) return holder.name.text;
  const isDefault = ts.isExportAssignment(holder) || ts.isClassDeclaration(node);
  return isDefault ? 'default' : undefined;
}

function isMarked(node: ts.ClassLikeDeclaration, world: CheckerContext): boolean {
  const marks = ['agent', 'toolbox', REMEMBERED];
  return (
    marks.some((name) => findDecorator(node, name, world.checker)) ||
    toolMembers(node, world.checker).length > 0
  );
}

/** Records that are found by name at run time. */
export interface Named {
  readonly name: string;
  readonly node: ts.Node;
}

/**
 * The only declaration with the name: two in one file cannot be distinguished at run time.
 *
 * @param kind what they are, such as "classes"
 * @throws DerivationFailedError naming both places
 */
export function onlyOneNamed<Found extends Named>(one: Found, kind: string, all: readonly Found[]): Found {
  const other = all.find(({ name, node }) => name === one.name && node !== one.node);
  if (other === undefined) return one;
  const places = [other, one].map(({ node }) => printedPlace(node)).join(' and ');
  throw new DerivationFailedError(`Two ${kind} are named ${one.name} (${places}). Rename one of them.`);
}
