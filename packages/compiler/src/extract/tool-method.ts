import { ToolMisplacedError } from '../errors/errors.js';
import { ts } from '../typescript.js';
import { printedPlace } from '../source/place.js';

/** A method that can be a tool, with its name. */
export interface ToolMethod {
  readonly name: string;
  readonly node: ts.MethodDeclaration;
}

/** @throws ToolMisplacedError if `@tool` marks anything other than a public instance method. */
export function requireToolMethod(className: string, member: ts.ClassElement): ToolMethod {
  const kind = misplacement(member);
  const name = member.name?.getText() ?? '(no name)';
  if (kind !== undefined || !ts.isMethodDeclaration(member)) {
    throw new ToolMisplacedError(className, name, kind ?? 'not a method', printedPlace(member));
  }
  return { name: plainName(member.name), node: member };
}

function misplacement(member: ts.ClassElement): string | undefined {
  const flags = ts.getCombinedModifierFlags(member);
  if (ts.isAccessor(member) || flags & ts.ModifierFlags.Accessor) return 'an accessor';
  if (!ts.isMethodDeclaration(member)) return 'not a method';
  if (flags & ts.ModifierFlags.Static) return 'static';
  if (flags & ts.ModifierFlags.Private || ts.isPrivateIdentifier(member.name)) return 'private';
  if (flags & ts.ModifierFlags.Protected) return 'protected';
  return ts.isComputedPropertyName(member.name) ? 'named by a computed expression' : undefined;
}

function plainName(name: ts.PropertyName): string {
  return ts.isComputedPropertyName(name) ? name.getText() : name.text;
}
