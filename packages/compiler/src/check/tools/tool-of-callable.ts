import { AdornError, type JsonSchema } from '@adorn/core';
import { type DerivedTool, toolNameOf, withParamOptions } from '@adorn/core/compiler';

import { SeveralFaultsError, TypeNotRepresentableError } from '../../errors/errors.js';
import {
  type Callable,
  labelOf,
  methodWords,
  requireToolMethod,
  type ToolMethod,
} from '../../extract/callable.js';
import { extractTool } from '../../extract/extract-tool.js';
import { positionals } from '../../extract/injected-kind.js';
import type { CheckerContext } from '../../schema/checker-context.js';
import { ts } from '../../typescript.js';
import type { FoundDeclaration, FoundParameter, FoundTool, ToolFault } from './found-tool.js';
import { paramOptions, type ToldOptions, toldOptions } from './tool-options.js';
import { toolMarks } from './tool-marks.js';
import { toolOverride } from './tool-override.js';

/** The tool of a method or function, with its options. */
export function toolOfCallable(callable: Callable, told: ToldOptions, world: CheckerContext): FoundTool {
  const tool = {
    name: told.name ?? toolNameOf(callable.name),
    origin: labelOf(callable),
    node: callable.node,
    callable,
    parameters: [],
    faults: [],
    untrusted: told.untrusted,
    sensitive: told.sensitive,
    confidential: told.confidential,
    outside: told.outside,
    unapproved: told.unapproved,
  };
  const derived = derive(callable, world);
  if ('faults' in derived) return { ...tool, faults: derived.faults };
  if (told.hidesSchema) return tool;
  const declaration = withOptions(derived.declaration, told);
  const { omitted } = derived;
  return { ...tool, declaration, omitted, parameters: parametersOf(callable, declaration, world.checker) };
}

function derive(
  callable: Callable,
  world: CheckerContext,
):
  | { readonly declaration: FoundDeclaration; readonly omitted: ReadonlySet<string> }
  | { readonly faults: readonly ToolFault[] } {
  try {
    const { tool: derived, omitted } = extractTool(callable, world);
    const whole = withParamOptions(derived, paramOptions(callable.node, world.checker));
    return { declaration: declarationFrom(whole), omitted };
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    const all = error instanceof SeveralFaultsError ? error.faults : [error];
    return { faults: all.map((one) => ({ node: nodeOf(one, callable.node), error: one })) };
  }
}

function declarationFrom({
  description = '',
  parametersJsonSchema,
  responseJsonSchema,
}: DerivedTool): FoundDeclaration {
  return {
    description,
    parametersJsonSchema,
    ...(responseJsonSchema !== undefined && { responseJsonSchema }),
  };
}

/** Explicit options take precedence over derived values. */
function withOptions(derived: FoundDeclaration, { description, parameters }: ToldOptions): FoundDeclaration {
  return {
    ...derived,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parametersJsonSchema: parameters }),
  };
}

function nodeOf(error: AdornError, node: ts.SignatureDeclaration): ts.Node {
  if (!(error instanceof TypeNotRepresentableError)) return node;
  const { parameter } = error.place;
  return node.parameters.find(({ name }) => name.getText() === parameter) ?? node;
}

/** The properties of an argument object, each with the index of its parameter. */
function parametersOf(
  { node }: Callable,
  { parametersJsonSchema }: FoundDeclaration,
  checker: ts.TypeChecker,
): FoundParameter[] {
  const properties = (parametersJsonSchema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const places = placesOf(node, checker);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    node: places.get(name) ?? node,
  }));
}

function placesOf(node: ts.SignatureDeclaration, checker: ts.TypeChecker): ReadonlyMap<string, ts.Node> {
  const renamed = paramOptions(node, checker);
  const places = new Map<string, ts.Node>();
  for (const [index, parameter] of positionals(node).entries()) {
    for (const name of namesIn(parameter)) places.set(renamed.get(index)?.name ?? name, parameter);
  }
  return places;
}

/** The parameter's own properties, or those of its destructured properties. */
function namesIn({ name }: ts.ParameterDeclaration): string[] {
  if (!ts.isObjectBindingPattern(name)) return [name.getText()];
  return name.elements.map((element) => (element.propertyName ?? element.name).getText());
}

/** A member that is marked `@tool`, or overrides one that is, as the tool that it makes. */
export function toolOfMember(className: string, member: ts.ClassElement, world: CheckerContext): FoundTool {
  const method = methodOf(className, member);
  if (method instanceof AdornError) return misplacedTool(className, member, method);
  const words = methodWords(method.node, world.checker);
  const marks = toolMarks(member, world.checker);
  const told = toldOptions(world.checker, ...marks.map(({ options }) => options));
  const override = toolOverride(member, marks, world.checker);
  const tool = toolOfCallable({ className, ...method, words }, told, world);
  return { ...tool, ...(override !== undefined && { override }) };
}

function methodOf(className: string, member: ts.ClassElement): ToolMethod | AdornError {
  try {
    return requireToolMethod(className, member);
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return error;
  }
}

function misplacedTool(className: string, member: ts.ClassElement, error: AdornError): FoundTool {
  const name = member.name?.getText() ?? '';
  const faults = [{ node: member, error }];
  return { name: toolNameOf(name), origin: `${className}.${name}`, node: member, parameters: [], faults };
}
