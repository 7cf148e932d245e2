import type { FoundFunction } from '../extract/find-functions.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';
import { definedLiteral, functionLiterals, type RecordPlace } from './function-literals.js';
import type { Insertion } from './insertion.js';
import { recordLiteral } from './record-literal.js';
import type { RecordTarget } from './record-target.js';

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
