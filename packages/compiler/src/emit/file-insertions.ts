import { allOrEveryFault } from '../errors/several-faults.error.js';
import { findClasses, type FoundClass } from '../extract/find-classes.js';
import { findFunctions, type FoundFunction } from '../extract/find-functions.js';
import type { TypeWorld } from '../schema/type-world.js';
import { declaredNameOf } from '../source/decorators.js';
import { ts } from '../typescript.js';
import { agentInsertion, toolInsertion } from './call-insertion.js';
import type { Insertion } from './insertion.js';
import { recordInsertion } from './record-insertion.js';
import type { RecordTarget } from './record-target.js';

/** What of a source has records. */
export interface FoundInFile {
  readonly classes: readonly FoundClass[];
  readonly functions: readonly FoundFunction[];
}

export function findInFile(file: ts.SourceFile, world: TypeWorld): FoundInFile {
  return { classes: findClasses(file, world), functions: findFunctions(file, world) };
}

/**
 * The records of all that was found in a source, each with its place in the file that takes them: of a class in its
 * body, of a function in the call that makes it a tool, or with the agent among whose tools it stands.
 */
export function fileInsertions(
  { classes, functions }: FoundInFile,
  target: RecordTarget,
  world: TypeWorld,
): Insertion[] {
  const ofClasses = classes.map((one) => () => {
    const listed = functions.filter(({ call }) => decoratedBy(call) === one.node);
    return recordInsertion(one, listed, target, world);
  });
  const calls = new Set(functions.map(({ call }) => call).filter((call) => takesRecord(call, world)));
  const ofCalls = [...calls].map((call) => () => {
    const made = functions.filter((one) => one.call === call);
    return callInsertion(call, made, target, world);
  });
  return allOrEveryFault([...ofClasses, ...ofCalls]);
}

/** `defineTool` and `defineAgent` do; what `@agent` is told goes into the class. */
function takesRecord({ expression }: ts.CallExpression, { checker }: TypeWorld): boolean {
  return declaredNameOf(expression, checker) !== 'agent';
}

/** The class before which a call stands as a decorator. */
function decoratedBy({ parent }: ts.CallExpression): ts.Node | undefined {
  return ts.isDecorator(parent) ? parent.parent : undefined;
}

function callInsertion(
  call: ts.CallExpression,
  made: readonly FoundFunction[],
  target: RecordTarget,
  world: TypeWorld,
): Insertion {
  const [first] = made;
  return first !== undefined && first.offered === call
    ? toolInsertion(first, target, world)
    : agentInsertion(call, made, target, world);
}
