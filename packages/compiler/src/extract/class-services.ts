import type { DerivedClass } from '@adorn/core/compiler';

import type { CheckerContext } from '../schema/checker-context.js';
import { baseClassOf } from '../source/inheritance.js';
import { declarationOf, followed } from '../source/followed.js';
import { decoratorCalls, findDecorator } from '../source/decorators.js';
import { ts } from '../typescript.js';
import { findClasses, type FoundClass, nameOfClass } from './find-classes.js';
import { positionals } from './injected-kind.js';

type ServiceKind = NonNullable<DerivedClass['services']>[string];

/** The classes of a file that ask for services by `@inject` and have nothing else for Adorn in them. */
export function findAskingClasses(file: ts.SourceFile, world: CheckerContext): FoundClass[] {
  const marked = new Set(findClasses(file, world).map(({ node }) => node));
  const found: FoundClass[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isClassLike(node) && !marked.has(node) ? nameOfClass(node) : undefined;
    if (name !== undefined && asks(node as ts.ClassLikeDeclaration, world))
      found.push({ name, node: node as ts.ClassLikeDeclaration });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * The classes that a class and its bases require, by the place of the requirement: `constructor(0)`, `refund(1)`, or
 * a property's name. A container cannot construct abstract classes, and cannot recognise them at run time.
 */
export function classServicesOf(
  node: ts.ClassLikeDeclaration,
  world: CheckerContext,
): Record<string, ServiceKind> {
  const line = lineOf(node, world);
  const constructed = line.flatMap(({ members }) => members.find(isConstructor) ?? []).slice(0, 1);
  const methods = nearestByName(line, isMethod, (method) => asksAnywhere(method, world));
  const properties = nearestByName(line, isProperty, (property) => isInjected(property, world));
  const places = [
    ...constructed.flatMap((one) => parametersOf('constructor', one)),
    ...properties,
    ...[...methods].flatMap(([name, one]) => parametersOf(name, one)),
  ];
  return Object.fromEntries(
    places.flatMap(([place, member]) => {
      const kind = kindOfService(member, world);
      return kind === undefined ? [] : [[place, kind] as const];
    }),
  );
}

/** A class and its base classes that have sources. */
function lineOf(node: ts.ClassLikeDeclaration, world: CheckerContext): ts.ClassLikeDeclaration[] {
  const line: ts.ClassLikeDeclaration[] = [];
  let next: ts.ClassLikeDeclaration | undefined = node;
  while (next && !line.includes(next)) {
    line.push(next);
    next = baseClassOf(next, world.checker);
  }
  return line;
}

function nearestByName<Member extends ts.ClassElement>(
  line: readonly ts.ClassLikeDeclaration[],
  isMember: (member: ts.ClassElement) => member is Member,
  says: (member: Member) => boolean,
): Map<string, Member> {
  const nearest = new Map<string, Member>();
  for (const member of line.flatMap(({ members }) => members.filter(isMember))) {
    const name = member.name?.getText();
    if (name !== undefined && !nearest.has(name) && says(member)) nearest.set(name, member);
  }
  return nearest;
}

function parametersOf(
  name: string,
  callable: ts.SignatureDeclaration,
): (readonly [string, ts.ParameterDeclaration])[] {
  return positionals(callable).map((parameter, index) => [`${name}(${String(index)})`, parameter] as const);
}

/** The token in `@inject`; for a constructor parameter without a decorator, its type. */
function kindOfService(
  member: ts.ParameterDeclaration | ts.ClassElement,
  world: CheckerContext,
): ServiceKind | undefined {
  const [token] = findDecorator(member, 'inject', world.checker)?.args ?? [];
  if (token) return kindOfClass(namedBy(token), world);
  if (!ts.isParameter(member) || !isConstructor(member.parent)) return undefined;
  const { type } = member;
  if (!type || !ts.isTypeReferenceNode(type)) return undefined;
  const isPlain = decoratorCalls(member, world.checker).length === 0;
  return isPlain ? kindOfClass(type.typeName as ts.Expression, world) : undefined;
}

/** The service of `new LazyServiceIdentifier(() => Ledger)` is `Ledger`. */
function namedBy(token: ts.Expression): ts.Expression {
  const [lazy] = ts.isNewExpression(token) ? (token.arguments ?? []) : [];
  return lazy && ts.isArrowFunction(lazy) && !ts.isBlock(lazy.body) ? lazy.body : token;
}

function kindOfClass(name: ts.Expression, { checker }: CheckerContext): ServiceKind | undefined {
  const written = followed(name, checker);
  const declaration = ts.isClassExpression(written) ? written : declarationOf(written, checker);
  if (!declaration || !ts.isClassLike(declaration)) return undefined;
  const isAbstract = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword);
  return isAbstract === true ? 'abstract' : 'concrete';
}

function asks(node: ts.ClassLikeDeclaration, world: CheckerContext): boolean {
  return node.members.some(
    (member) =>
      (isConstructor(member) && asksAnywhere(member, world)) ||
      (isProperty(member) && isInjected(member, world)),
  );
}

function asksAnywhere(callable: ts.SignatureDeclaration, world: CheckerContext): boolean {
  return callable.parameters.some((parameter) => isInjected(parameter, world));
}

function isInjected(node: ts.Node, world: CheckerContext): boolean {
  return findDecorator(node, 'inject', world.checker) !== undefined;
}

function isConstructor(member: ts.Node): member is ts.ConstructorDeclaration {
  return ts.isConstructorDeclaration(member) && member.body !== undefined;
}

function isMethod(member: ts.ClassElement): member is ts.MethodDeclaration {
  return ts.isMethodDeclaration(member);
}

function isProperty(member: ts.ClassElement): member is ts.PropertyDeclaration | ts.SetAccessorDeclaration {
  return ts.isPropertyDeclaration(member) || ts.isSetAccessorDeclaration(member);
}
