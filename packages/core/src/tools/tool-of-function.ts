import type { DefinedFunction, DerivedFunction } from '../schema/derived-class.js';
import { FunctionRecord } from '../schema/function-record.js';
import { declarationSite } from '../schema/declaration-site.js';
import { DefinedTool, type DefinedToolOptions } from './defined.tool.js';
import { NotAFunctionError } from './errors.js';
import { toolNameOf } from './tool-name.js';

/**
 * Makes a tool of a function. Its name is the given one, else the function's name; the build records that name, because
 * a minifier may change it. The compiler looks for the function in the file that called this.
 *
 * @throws {NotAFunctionError}
 */
export function toolOfFunction(
  work: unknown,
  overrides: Partial<DefinedToolOptions> = {},
  derived?: DefinedFunction,
): DefinedTool {
  if (!isPlainFunction(work)) throw new NotAFunctionError(work);
  const ownName = derived?.name ?? work.name;
  const options = { ...overrides, name: overrides.name ?? toolNameOf(ownName) };
  if (options.name === '') throw new NotAFunctionError(work);
  const record = new FunctionRecord(ownName || options.name, declarationSite(), derived);
  return new DefinedTool({ work, options, record });
}

/** The cached tool for a bare function listed in `tools`, shared by all agents. */
export function bareTool(work: ToolFunction): DefinedTool {
  const tool = bareTools.get(work) ?? toolOfFunction(work);
  bareTools.set(work, tool);
  return tool;
}

/** The same for a function with a built record, under its name in the source, which a minifier may have changed. */
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

/** A function that can be a tool. */
export type ToolFunction = (...args: never[]) => unknown;

/** True for a function that is not a class. */
export function isPlainFunction(value: unknown): value is ToolFunction {
  return typeof value === 'function' && !isClass(value);
}

/** The prototype of a class statement is not writable; a class compiled to ES5 has its methods on the prototype. */
function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
  if (prototype === undefined) return false;
  return prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1;
}
