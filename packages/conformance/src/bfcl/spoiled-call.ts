import type { JsonSchema } from 'adorn';

import type { ExpectedCall } from './expected-call.js';
import { isObject, type JsonObject } from './json-object.js';

/** The call without an argument that it needs; undefined where it needs none. */
export function withoutRequired({ name, args }: ExpectedCall, schema: JsonSchema): ExpectedCall | undefined {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  const removed = required.find((each) => each in args);
  if (removed === undefined) return undefined;
  return { name, args: Object.fromEntries(Object.entries(args).filter(([each]) => each !== removed)) };
}

/** The call with a value that no reading makes fit; undefined where all of its arguments take any value. */
export function withWrongType({ name, args }: ExpectedCall, schema: JsonSchema): ExpectedCall | undefined {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const typed = Object.keys(args).find((each) => wrongValue(properties[each]) !== undefined);
  return typed === undefined
    ? undefined
    : { name, args: { ...args, [typed]: wrongValue(properties[typed]) } };
}

/** A lone value is taken for a list of one, so the value is no item of the list either. */
function wrongValue({ type, items }: JsonSchema = {}): JsonObject | number | undefined {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('object')) return 7;
  if (types.includes('array')) return isObject(items) ? wrongValue(items) : undefined;
  return types.some((each) => typeof each === 'string') ? { unasked: true } : undefined;
}
