import { AdornError } from '@adorn/core';
import { type DerivedTool, toolNameOf, withParamOptions } from '@adorn/core/compiler';

import { SeveralFaultsError } from '../../errors/several-faults.error.js';
import { TypeNotRepresentableError } from '../../errors/errors.js';
import { type Callable, labelOf } from '../../extract/callable.js';
import { extractTool } from '../../extract/extract-tool.js';
import type { CheckerContext } from '../../schema/checker-context.js';
import type { ts } from '../../typescript.js';
import type { FoundDeclaration, FoundTool, ToolFault } from './found-tool.js';
import { paramOptions } from './param-options.js';
import { parametersOf } from './parameters-of.js';
import type { ToldOptions } from './told-options.js';

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
  };
  const derived = derive(callable, world);
  if ('faults' in derived) return { ...tool, faults: derived.faults };
  if (told.hidesSchema) return tool;
  const declaration = withOptions(derived, told);
  return { ...tool, declaration, parameters: parametersOf(callable, declaration, world.checker) };
}

function derive(
  callable: Callable,
  world: CheckerContext,
): FoundDeclaration | { readonly faults: readonly ToolFault[] } {
  try {
    const { tool: derived } = extractTool(callable, world);
    return declarationFrom(withParamOptions(derived, paramOptions(callable.node, world.checker)));
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
