import type { DerivedFunction, DerivedTool } from '../schema/derived-class.js';
import { FunctionRecord } from '../schema/function-record.js';
import { declarationSite } from '../schema/on-demand/declaration-site.js';
import { DefinedTool, type DefinedToolOptions } from './defined.tool.js';
import { NotAFunctionError } from './not-a-function.error.js';
import { isPlainFunction, type ToolFunction } from './plain-function.js';
import { toolNameOf } from './tool-name.js';

/**
 * A function as a tool, by its own name or, where it has none, by the one that it is given. The file that asks for it
 * is the one in which the compiler looks for it.
 *
 * @throws {NotAFunctionError}
 */
export function toolOfFunction(
  work: unknown,
  told: Partial<DefinedToolOptions> = {},
  derived?: DerivedTool,
): DefinedTool {
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  const options = { ...told, name: told.name ?? toolNameOf(work.name) };
  if (options.name === '') throw new NotAFunctionError(work);
  const record = new FunctionRecord(work.name || options.name, declarationSite(), derived);
  return new DefinedTool({ work, options, record });
}

/** The tool that a function is where it stands as it is among the tools of agents: one for all of them. */
export function bareTool(work: ToolFunction): DefinedTool {
  const tool = bareTools.get(work) ?? toolOfFunction(work);
  bareTools.set(work, tool);
  return tool;
}

/** The same where it was built: it has the name of its source, also where a minifier has given it another one. */
export function builtTool(work: ToolFunction, derived: DerivedFunction): DefinedTool {
  const name = toolNameOf(derived.name);
  const known = bareTools.get(work);
  const record = known?.record ?? new FunctionRecord(derived.name, undefined);
  record.derived ??= derived;
  const tool = known?.name === name ? known : new DefinedTool({ work, options: { name }, record });
  bareTools.set(work, tool);
  return tool;
}

const bareTools = new WeakMap<ToolFunction, DefinedTool>();
