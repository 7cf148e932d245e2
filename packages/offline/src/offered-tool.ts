import type { JsonSchema, ModelRequest } from '@adorn/core';
import type { FunctionDeclaration } from '@adorn/core/backend';

import { type SimpleSchema, simplify } from './simple-schema.js';

/** A tool as the request declares it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: SimpleSchema;
}

export function offeredTools({ config }: ModelRequest): OfferedTool[] {
  return (config.tools ?? [])
    .flatMap((tool) => ('functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : []))
    .map(toOfferedTool);
}

function toOfferedTool({
  name = '',
  description = '',
  parametersJsonSchema,
  parameters,
}: FunctionDeclaration): OfferedTool {
  const schema = (parametersJsonSchema ?? parameters ?? { type: 'object' }) as JsonSchema;
  return { name, description, parameters: simplify(schema) };
}

/** One value that a call can hold: a property that is not itself an object, wherever it lies. */
export interface Parameter {
  /** `['address', 'city']` for `address.city`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly schema: SimpleSchema;
  /** True if a call without it is refused. */
  readonly required: boolean;
}

/** The values a call can hold, in the order of its schema. */
export function parametersOf(
  schema: SimpleSchema,
  path: readonly string[] = [],
  required = true,
): Parameter[] {
  return schema.properties.flatMap(([name, property]) => {
    const here = { path: [...path, name], required: required && schema.required.includes(name) };
    if (property.type === 'object') return parametersOf(property, here.path, here.required);
    return [{ ...here, name, schema: property }];
  });
}

/** Lays found values out as the schema wants them; an object that misses what it must have is left out. */
export function assemble(
  schema: SimpleSchema,
  valueAt: (path: readonly string[]) => unknown,
  path: readonly string[] = [],
): Record<string, unknown> | undefined {
  const entries = schema.properties.map(([name, property]) => {
    const here = [...path, name];
    return [name, property.type === 'object' ? assemble(property, valueAt, here) : valueAt(here)] as const;
  });
  const found = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const isComplete = schema.required.every((name) => name in found);
  return path.length > 0 && (!isComplete || Object.keys(found).length === 0) ? undefined : found;
}
