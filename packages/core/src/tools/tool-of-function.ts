import type { DefinedFunction, DerivedFunction } from '../schema/derived-class.js';
import { FunctionRecord } from '../schema/function-record.js';
import { declarationSite } from '../schema/on-demand/declaration-site.js';
import { DefinedTool, type DefinedToolOptions } from './defined.tool.js';
import { NotAFunctionError } from './errors.js';
import { toolNameOf } from './tool-name.js';

/**
 * A function as a tool, by the name that it is given, else by its own: that of its source where it was built, as a
 * minifier may have changed it since. The file that asks for it is the one in which the compiler looks for it.
 *
 * @throws {NotAFunctionError}
 */
export function toolOfFunction(
  work: unknown,
  told: Partial<DefinedToolOptions> = {},
  derived?: DefinedFunction,
): DefinedTool {
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  const ownName = derived?.name ?? work.name;
  const options = { ...told, name: told.name ?? toolNameOf(ownName) };
  if (options.name === '') throw new NotAFunctionError(work);
  const record = new FunctionRecord(ownName || options.name, declarationSite(), derived);
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

/** A function that may be a tool as it is. */
export type ToolFunction = (...args: never[]) => unknown;

/** Whether something is a function to call, and no class to make instances of. */
export function isPlainFunction(value: unknown): value is ToolFunction {
  return typeof value === 'function' && !isClass(value);
}

/** A class statement fixes its prototype; where a compiler made a function of it, its methods are on the prototype. */
function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
  if (prototype === undefined) return false;
  return prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1;
}
