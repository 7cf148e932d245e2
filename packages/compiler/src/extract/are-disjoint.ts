import type { JsonSchema } from '@adorn/core';

import { partsOf } from './schema-parts.js';
import { typesOf } from './types-of.js';

type Definition = (name: string) => JsonSchema;

/** True if certainly no value matches both schemas; false if unknown. */
export function areDisjoint(one: JsonSchema, other: JsonSchema, definition: Definition): boolean {
  const [left, right] = [one, other].map((schema) => resolved(schema, definition)) as [
    JsonSchema,
    JsonSchema,
  ];
  const shared = typesOf(left, definition).filter((type) => typesOf(right, definition).includes(type));
  return shared.every((type) => {
    switch (type) {
      case 'string':
        return isTextApart(left, right);
      case 'object':
        return isObjectApart(left, right, definition);
      case 'array':
        return isListApart(left, right, definition);
      default:
        return isLiteralApart(left, right);
    }
  });
}

function resolved(schema: JsonSchema, definition: Definition): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolved(definition($ref.slice('#/$defs/'.length)), definition) : schema;
}

/** Strings of two formats are disjoint, as are those of a format and a pattern of digits. */
function isTextApart(one: JsonSchema, other: JsonSchema): boolean {
  if (isLiteralApart(one, other)) return true;
  const [left, right] = [one, other].map(({ format, pattern }) => format ?? pattern);
  return left !== undefined && right !== undefined && left !== right;
}

function isLiteralApart(one: JsonSchema, other: JsonSchema): boolean {
  const [left, right] = [one, other].map(literalsOf);
  return left !== undefined && right !== undefined && !left.some((value) => right.includes(value));
}

function literalsOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

/** One demands what the other has no room for, or both demand a property with values that are apart. */
function isObjectApart(one: JsonSchema, other: JsonSchema, definition: Definition): boolean {
  return demandsUnknown(one, other) || demandsUnknown(other, one) || isPropertyApart(one, other, definition);
}

function demandsUnknown(one: JsonSchema, other: JsonSchema): boolean {
  if (other['additionalProperties'] !== false || 'patternProperties' in other) return false;
  return requiredOf(one).some((name) => !Object.hasOwn(partsOf(other).properties, name));
}

function isPropertyApart(one: JsonSchema, other: JsonSchema, definition: Definition): boolean {
  const [left, right] = [partsOf(one).properties, partsOf(other).properties];
  return requiredOf(one).some((name) => {
    const [a, b] = [left[name], right[name]];
    return (
      a !== undefined && b !== undefined && requiredOf(other).includes(name) && areDisjoint(a, b, definition)
    );
  });
}

function requiredOf(schema: JsonSchema): readonly string[] {
  return (schema['required'] ?? []) as readonly string[];
}

/** Lists of different things; of an empty one nothing is made. */
function isListApart(one: JsonSchema, other: JsonSchema, definition: Definition): boolean {
  const [left, right] = [partsOf(one).rest, partsOf(other).rest];
  return left !== undefined && right !== undefined && areDisjoint(left, right, definition);
}
