import type { DocComment } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import { ToolMisplacedError } from '../errors/errors.js';
import { findDecorator } from '../source/decorators.js';
import { inheritedDeclarations } from '../source/inheritance.js';
import { printedPlace } from '../source/place.js';
import { ts } from '../typescript.js';

/** A method or function that can be a tool, from which its declaration is read. */
export interface Callable {
  /** The class of a method; absent for a function. */
  readonly className?: string;
  readonly name: string;
  readonly node: ts.SignatureDeclaration;
  readonly words: DocComment;
  /** True if its first parameter is an object of all arguments. */
  readonly takesWhole?: boolean;
}

/** The name in errors: `Orders.find`, or that of a function. */
export function labelOf({ className, name }: Pick<Callable, 'className' | 'name'>): string {
  return className === undefined ? name : `${className}.${name}`;
}

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

/**
 * The comment of a method: its own, else the comment of an overload or of the overridden method. A parameter without
 * a description gets it from one of the others.
 */
export function methodWords(method: ts.MethodDeclaration, checker: ts.TypeChecker): DocComment {
  const overloads = checker.getSymbolAtLocation(method.name)?.declarations ?? [];
  const places = [...new Set([method, ...overloads, ...inheritedDeclarations(method, checker)])];
  const params = places.toReversed().flatMap((place) => [...wordsOf([place]).params]);
  return { ...wordsOf(places), params: new Map(params) };
}

/** The members of a class with `@tool`, and methods that override such a member. */
export function toolMembers(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.ClassElement[] {
  return node.members.filter((member) => isTool(member, checker) || overridesTool(member, checker));
}

function isTool(member: ts.Node, checker: ts.TypeChecker): boolean {
  return findDecorator(member, 'tool', checker) !== undefined;
}

function overridesTool(member: ts.ClassElement, checker: ts.TypeChecker): boolean {
  if (!ts.isMethodDeclaration(member) || !member.body) return false;
  return inheritedDeclarations(member, checker).some((base) => isTool(base, checker));
}
