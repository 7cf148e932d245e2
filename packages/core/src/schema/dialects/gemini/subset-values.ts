import type { JsonObject } from '../conversion/json-object.js';

/** Gemini takes enums of strings and of numbers only; others are left to validation. */
export function enumOf(schema: JsonObject): unknown[] | undefined {
  const values = schema['enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const takes = (values as unknown[]).every(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return takes ? (values as unknown[]) : undefined;
}

/** The required names that are properties at all; undefined where there are none. */
export function requiredOf(required: unknown, properties: readonly string[]): string[] | undefined {
  if (!Array.isArray(required)) return undefined;
  const names = properties.filter((name) => (required as unknown[]).includes(name));
  return names.length > 0 ? names : undefined;
}
