import type { JsonSchema } from '@adorn/core';

/** The schemas inside a schema, by what they speak of. */
export interface SchemaParts {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly patterns: Readonly<Record<string, JsonSchema>>;
  readonly others: JsonSchema | undefined;
  readonly first: readonly JsonSchema[];
  readonly rest: JsonSchema | undefined;
  /** Of which a value has to fit one. */
  readonly choices: readonly JsonSchema[];
  /** All of which a value has to fit. */
  readonly together: readonly JsonSchema[];
  /** True if it applies to the elements of an array. */
  readonly isList: boolean;
  readonly all: readonly JsonSchema[];
}

export function partsOf(schema: JsonSchema): SchemaParts {
  const properties = recordOf(schema['properties']);
  const patterns = recordOf(schema['patternProperties']);
  const others = schemaOf(schema['additionalProperties']);
  const first = listOf(schema['prefixItems']);
  const rest = schemaOf(schema['items']);
  const choices = listOf(schema['anyOf']);
  const together = listOf(schema['allOf']);
  const named = [...Object.values(properties), ...Object.values(patterns), ...(others ? [others] : [])];
  const all = [...named, ...first, ...(rest ? [rest] : []), ...choices, ...together];
  const isList = first.length > 0 || rest !== undefined;
  return { properties, patterns, others, first, rest, choices, together, isList, all };
}

function schemaOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, JsonSchema>> {
  return (schemaOf(value) ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : [];
}
