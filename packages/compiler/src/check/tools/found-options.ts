import type { AdornError } from '@adorn/core';
import {
  overrideOptions,
  TOOL_OPTION_NAMES,
  ToolConfigInvalidError,
  toolNameOf,
  toolOptionsFault,
} from '@adorn/core/compiler';

import { declaredNameOf } from '../../source/decorators.js';
import { UNKNOWN, type WrittenOptions, writtenOptions } from '../../source/written-options.js';
import { ts } from '../../typescript.js';
import type { FoundService, FoundTool } from './found-tool.js';
import { toolMarks } from './tool-marks.js';

/** The options with which a tool or an agent is made, as its source writes them. */
export interface FoundOptions {
  /** The method, class or parameter that they decorate, or the call. */
  readonly node: ts.Node;
  /** As people know it: `Orders.find`. */
  readonly origin: string;
  readonly values: WrittenOptions;
  /** What the runner would throw for them, as far as they are known. */
  readonly error?: AdornError;
  /** Those whose values only running the program would show. */
  readonly unknown: readonly string[];
}

/** The options of the tools of a class. An abstract class makes none: its options count with those of the classes below it. */
export function optionsOfService(service: FoundService, checker: ts.TypeChecker): FoundOptions[] {
  const isAbstract = (ts.getCombinedModifierFlags(service.node) & ts.ModifierFlags.Abstract) !== 0;
  return isAbstract ? [] : service.tools.flatMap((tool) => optionsOfMethod(tool, checker));
}

function optionsOfMethod({ node, name, origin }: FoundTool, checker: ts.TypeChecker): FoundOptions[] {
  if (!ts.isMethodDeclaration(node)) return [];
  const values = toolMarks(node, checker)
    .map(({ options }) => writtenOptions(options, TOOL_OPTION_NAMES, checker))
    .reduceRight(overridden, {});
  return [foundOptions({ node, name, origin, values })];
}

/** The options of an override over those of its base. Whether one of two is the stricter cannot be told of one that is unknown. */
function overridden(base: WrittenOptions, own: WrittenOptions): WrittenOptions {
  const laid = overrideOptions(base, own);
  const asks = [base, own].flatMap(({ confirm, effect }) => [confirm, effect]);
  return asks.includes(UNKNOWN) ? { ...laid, confirm: UNKNOWN, effect: UNKNOWN } : { ...laid };
}

/** The options of the tools that calls in a file make: `defineTool(…)` and `new FunctionTool(…)`. */
export function optionsOfCalls(file: ts.SourceFile, checker: ts.TypeChecker): FoundOptions[] {
  const found: FoundOptions[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) found.push(...optionsOfCall(node, checker));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function optionsOfCall(call: ts.CallExpression | ts.NewExpression, checker: ts.TypeChecker): FoundOptions[] {
  const maker = declaredNameOf(call.expression, checker) ?? '';
  if (maker !== (ts.isNewExpression(call) ? 'FunctionTool' : 'defineTool')) return [];
  const [first, second] = call.arguments ?? [];
  const isFunction = first !== undefined && checker.getTypeAtLocation(first).getCallSignatures().length > 0;
  const values = writtenOptions(isFunction ? second : first, TOOL_OPTION_NAMES, checker);
  const name = isFunction ? nameOfFunction(first) : undefined;
  return [foundOptions({ node: call, name, origin: `${maker}(…)`, values })];
}

/** The name of the tool that `defineTool` makes of a function without options that name it. */
function nameOfFunction(work: ts.Expression): string | undefined {
  const written = ts.isFunctionExpression(work) ? work.name : work;
  return written && ts.isIdentifier(written) ? toolNameOf(written.text) : undefined;
}

interface NamedOptions extends Pick<FoundOptions, 'node' | 'origin' | 'values'> {
  /** The tool's name, unless the options have one. */
  readonly name: string | undefined;
}

function foundOptions({ node, origin, name, values }: NamedOptions): FoundOptions {
  const unknown = Object.keys(values).filter((option) => values[option] === UNKNOWN);
  const fault = toolOptionsFault(values, new Set(unknown));
  const error = fault && new ToolConfigInvalidError(values['name'] ?? name, fault.fault, fault.cure);
  return { node, origin, values, unknown, ...(error && { error }) };
}
