import { type ExtractedTool, extractTool } from '../extract/extract-tool.js';
import type { FoundFunction } from '../extract/find-functions.js';
import { allOrEveryFault } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';
import { namedClass } from './named-class.js';
import { namedValue } from './named-value.js';
import { functionLiteral } from './record-literal.js';
import type { RecordTarget } from './planned-file.js';

/** The position of a record in the source, and the same position in the file that is written. */
export interface RecordPlace {
  readonly source: ts.Node;
  readonly target: ts.Node;
}

/** The record of the function that a call of `defineTool` makes a tool. */
export function definedLiteral(
  found: FoundFunction,
  place: RecordPlace,
  target: RecordTarget,
  world: CheckerContext,
): string {
  const { tool, classes } = extractTool(found, world);
  return functionLiteral(
    found.ownName,
    undefined,
    tool,
    classExpressions(found, classes, place, target, world),
  );
}

/** The records of bare functions in an agent's `tools`. */
export function functionLiterals(
  functions: readonly FoundFunction[],
  place: RecordPlace,
  target: RecordTarget,
  world: CheckerContext,
): string[] {
  return allOrEveryFault(
    functions.map((found) => () => {
      const { tool, classes } = extractTool(found, world);
      const named = namedValue(found.offered, place.source, world.checker);
      const expression = named && target.expressionFor(named, place.target);
      return functionLiteral(
        found.name,
        expression,
        tool,
        classExpressions(found, classes, place, target, world),
      );
    }),
  );
}

/** The expressions for the classes of which a function's parameters promise instances, by their names in the record. */
function classExpressions(
  { node }: FoundFunction,
  classes: ExtractedTool['classes'],
  place: RecordPlace,
  target: RecordTarget,
  { checker }: CheckerContext,
): Record<string, string> {
  const named = [...classes].flatMap(([key, declaration]) => {
    const one = namedClass(node, declaration, place.source, checker);
    const expression = one && target.expressionFor(one, place.target);
    return expression === undefined ? [] : [[key, expression] as const];
  });
  return Object.fromEntries(named);
}
