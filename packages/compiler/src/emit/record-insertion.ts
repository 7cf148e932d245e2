import { extractClass } from '../extract/extract-class.js';
import type { FoundClass } from '../extract/find-classes.js';
import { parameterClass } from '../extract/parameter-kind.js';
import { toolMembers } from '../extract/tool-members.js';
import { requireToolMethod } from '../extract/tool-method.js';
import type { TypeWorld } from '../schema/type-world.js';
import type { ts } from '../typescript.js';
import type { Insertion } from './insertion.js';
import { type NamedClass, namedClass } from './named-class.js';
import { type ClassReferences, recordMember } from './record-literal.js';

/** A file that takes the records of a source: the one emitted for it, or the source itself. */
export interface RecordTarget {
  /** The class in this file for one of the source. */
  classFor(source: FoundClass): ts.ClassLikeDeclaration;
  /** What names, inside that class, a class that the source names; undefined where the file does not reach it. */
  expressionFor(named: NamedClass, place: ts.ClassLikeDeclaration): string | undefined;
}

type ExpressionFor = (named: NamedClass) => string | undefined;

/** The record of a class, as the last member of its body. */
export function recordInsertion(found: FoundClass, target: RecordTarget, world: TypeWorld): Insertion {
  const record = extractClass(found, world);
  const place = target.classFor(found);
  const classes = classReferences(found, (named) => target.expressionFor(named, place), world);
  return { position: place.end - '}'.length, text: recordMember(record, classes) };
}

/** The expressions for the classes of a tool's parameters, by method. */
function classReferences(found: FoundClass, expressionFor: ExpressionFor, world: TypeWorld): ClassReferences {
  const methods = toolMembers(found.node, world.checker).map((member) =>
    requireToolMethod(found.name, member),
  );
  return Object.fromEntries(
    methods.map(({ name, node }) => [name, expressionsOf(node, expressionFor, world)]),
  );
}

/** By name. Where two classes have one name, neither is: what was emitted about the parameters tells them apart. */
function expressionsOf(
  method: ts.MethodDeclaration,
  expressionFor: ExpressionFor,
  world: TypeWorld,
): Record<string, string> {
  const owners = method.parameters.flatMap((parameter) => {
    const owner = parameterClass(world.checker.getTypeAtLocation(parameter), world);
    return owner === undefined ? [] : [{ ...owner, parameter }];
  });
  const clear = owners.filter(({ name, declaration }) =>
    owners.every((other) => other.name !== name || other.declaration === declaration),
  );
  const named = clear.flatMap(({ name, declaration, parameter }) => {
    const found = namedClass(parameter, declaration, world.checker);
    const expression = found && expressionFor(found);
    return expression === undefined ? [] : [[name, expression] as const];
  });
  return Object.fromEntries(named);
}
