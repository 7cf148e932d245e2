import { type ExtractedClass, extractClass } from '../extract/extract-class.js';
import type { FoundClass } from '../extract/find-classes.js';
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
  const { record, classes } = extractClass(found, world);
  const place = target.classFor(found);
  const references = classReferences(found, classes, (named) => target.expressionFor(named, place), world);
  return { position: place.end - '}'.length, text: recordMember(record, references) };
}

/** The expressions for the classes of which a tool's parameters promise instances, by method. */
function classReferences(
  found: FoundClass,
  classes: ExtractedClass['classes'],
  expressionFor: ExpressionFor,
  world: TypeWorld,
): ClassReferences {
  const methods = toolMembers(found.node, world.checker).map((member) =>
    requireToolMethod(found.name, member),
  );
  return Object.fromEntries(
    methods.map(({ name, node }) => {
      const named = [...(classes.get(name) ?? [])].flatMap(([key, declaration]) => {
        const one = namedClass(node, declaration, world.checker);
        const expression = one && expressionFor(one);
        return expression === undefined ? [] : [[key, expression] as const];
      });
      return [name, Object.fromEntries(named)];
    }),
  );
}
