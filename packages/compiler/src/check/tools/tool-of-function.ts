import type { FoundFunction } from '../../extract/find-functions.js';
import type { TypeWorld } from '../../schema/type-world.js';
import { ts } from '../../typescript.js';
import type { FoundTool } from './found-tool.js';
import { toldOptions } from './told-options.js';
import { toolOfCallable } from './tool-of-callable.js';

/** A function that `defineTool` or an agent offers, as the tool that it makes. */
export function toolOfFunction(found: FoundFunction, world: TypeWorld): FoundTool {
  const tool = toolOfCallable(found, toldOptions(world.checker, optionsOf(found)), world);
  const isOwn = !found.node.getSourceFile().isDeclarationFile;
  return isOwn ? tool : { ...tool, ...placedAt(found.offered, tool) };
}

/** What was said in the call: `defineTool(fn, options)`, or `defineTool({ run, … })`. */
function optionsOf({ offered, takesWhole = false }: FoundFunction): ts.Expression | undefined {
  if (!ts.isCallExpression(offered)) return undefined;
  return offered.arguments[takesWhole ? 0 : 1];
}

/** A function of another package is spoken of where it is offered. */
function placedAt(node: ts.Node, { parameters, faults }: FoundTool): Partial<FoundTool> {
  return {
    node,
    parameters: parameters.map((parameter) => ({ ...parameter, node })),
    faults: faults.map((fault) => ({ ...fault, node })),
  };
}
