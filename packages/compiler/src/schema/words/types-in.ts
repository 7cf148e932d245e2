import type { JsonSchema } from '@adorn/core';

/** The types of JSON that a schema allows; undefined where it says none, or refers to another that does. */
export function typesIn(schema: JsonSchema): ReadonlySet<string> | undefined {
  const {
    anyOf,
    type,
    enum: values,
  } = schema as {
    anyOf?: readonly JsonSchema[];
    type?: string | readonly string[];
    enum?: readonly unknown[];
  };
  if (type !== undefined) return new Set([type].flat());
  if (values !== undefined) return new Set(values.map(typeOfJson));
  if (anyOf === undefined) return undefined;
  const all = anyOf.map(typesIn);
  return all.includes(undefined) ? undefined : new Set(all.flatMap((types) => [...(types ?? [])]));
}

/** Whether a type is among them; whole numbers are numbers. */
export function allows(types: ReadonlySet<string>, type: string): boolean {
  if (types.has(type)) return true;
  return type === 'number' ? types.has('integer') : type === 'integer' && types.has('number');
}

export function typeOfJson(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
