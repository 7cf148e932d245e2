import { type ExtractedClass, extractClass } from '../extract/extract-class.js';
import type { FoundClass } from '../extract/find-classes.js';
import { toolMembers } from '../extract/tool-members.js';
import { requireToolMethod } from '../extract/tool-method.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { FoundFunction } from '../extract/find-functions.js';
import { functionLiterals } from './function-literals.js';
import type { Insertion } from './insertion.js';
import { namedClass } from './named-class.js';
import type { NamedValue } from './named-value.js';
import { type ClassReferences, recordMember } from './record-literal.js';
import type { RecordTarget } from './record-target.js';

/**
 * The record of a class, as the last member of its body.
 *
 * @param functions those that stand as they are among the tools of the class, where it is an agent
 */
export function recordInsertion(
  found: FoundClass,
  functions: readonly FoundFunction[],
  target: RecordTarget,
  world: CheckerContext,
): Insertion {
  const { record, classes } = extractClass(found, world);
  const place = target.classFor(found);
  const references = classReferences(found, classes, (named) => target.expressionFor(named, place), world);
  const written = functionLiterals(functions, { source: found.node, target: place }, target, world);
  return { position: place.end - '}'.length, text: recordMember(record, references, written) };
}

/** The expressions for the classes of which a tool's parameters promise instances, by method. */
function classReferences(
  found: FoundClass,
  classes: ExtractedClass['classes'],
  expressionFor: (named: NamedValue) => string | undefined,
  world: CheckerContext,
): ClassReferences {
  const methods = toolMembers(found.node, world.checker).map((member) =>
    requireToolMethod(found.name, member),
  );
  return Object.fromEntries(
    methods.map(({ name, node }) => {
      const named = [...(classes.get(name) ?? [])].flatMap(([key, declaration]) => {
        const one = namedClass(node, declaration, found.node, world.checker);
        const expression = one && expressionFor(one);
        return expression === undefined ? [] : [[key, expression] as const];
      });
      return [name, Object.fromEntries(named)];
    }),
  );
}
