import { extractClass, type ExtractedClass } from '../extract/extract-class.js';
import type { FoundClass } from '../extract/find-classes.js';
import type { FoundFunction } from '../extract/find-functions.js';
import { requireToolMethod, toolMembers } from '../extract/callable.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';
import { definedLiteral, functionLiterals, type RecordPlace } from './function-literals.js';
import { namedClass } from './named-class.js';
import type { NamedValue } from './named-value.js';
import { type ClassReferences, recordLiteral, recordMember } from './record-literal.js';
import type { RecordTarget } from './planned-file.js';

/** Code inserted into a file of the user. */
export interface Insertion {
  /** The offset in the file without insertions. */
  readonly position: number;
  /** Without a line break, so that the lines of the file keep their numbers. */
  readonly text: string;
}

const START = '/* adorn:derived */';
const END = '/* adorn:derived end */';
const INSERTED = /\/\* adorn:derived \*\/[^\n]*?\/\* adorn:derived end \*\//g;

/** The file's text with the insertions, each between two marker comments for the next run. */
export function withInsertions(plain: string, insertions: readonly Insertion[]): string {
  const lastFirst = [...insertions].sort((one, other) => other.position - one.position);
  return lastFirst.reduce(
    (text, { position, text: inserted }) => text.slice(0, position) + marked(inserted) + text.slice(position),
    plain,
  );
}

/** The insertion with its surrounding comments, as in the file. */
function marked(text: string): string {
  return START + text.replaceAll('*/', '*\\/') + END;
}

/** The file's text as it was before the insertions of an earlier run. */
export function withoutInsertions(text: string): string {
  return text.replace(INSERTED, '');
}

/** The record of the function that a call of `defineTool` makes a tool, as the third argument of the call. */
export function toolInsertion(found: FoundFunction, target: RecordTarget, world: CheckerContext): Insertion {
  const place = placeOf(found.call, target);
  return lastArgument(place.target, 2, definedLiteral(found, place, target, world));
}

/** The records of the functions among the tools of an agent that `defineAgent` makes, as the second argument of the call. */
export function agentInsertion(
  call: ts.CallExpression,
  functions: readonly FoundFunction[],
  target: RecordTarget,
  world: CheckerContext,
): Insertion {
  const place = placeOf(call, target);
  const literals = functionLiterals(functions, place, target, world);
  return lastArgument(place.target, 1, recordLiteral({ tools: {} }, {}, literals));
}

interface CallPlace extends RecordPlace {
  readonly target: ts.CallExpression;
}

function placeOf(source: ts.CallExpression, target: RecordTarget): CallPlace {
  return { source, target: target.callFor(source) };
}

/** Before the bracket that ends the call; arguments that are left out before it are `undefined`. */
function lastArgument(call: ts.CallExpression, index: number, literal: string): Insertion {
  const { length, hasTrailingComma } = call.arguments;
  const missing = Array.from({ length: index - length }, () => 'undefined, ').join('');
  const comma = hasTrailingComma ? ' ' : ', ';
  return { position: call.end - ')'.length, text: `${comma}${missing}${literal}` };
}

/**
 * The record of a class, as the last member of its body.
 *
 * @param functions the bare functions in `tools`, if the class is an agent
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
