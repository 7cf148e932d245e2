import { isObject, type JsonObject } from '../conversion/json-object.js';
import type { ReportLoss } from '../conversion/loss.js';
import { StrictConverter } from './strict-converter.js';

const converted = new WeakMap<object, JsonObject | null>();

/**
 * A JSON Schema of arguments as OpenAI takes it with `strict: true`: every property is required, one that may be left
 * out may be null instead, no object has other properties, and what strict mode has no keyword for is said in the
 * description. Undefined where it cannot be expressed, as records, tuples and unknown values cannot: such a tool is
 * declared without `strict`. Arguments are still to be validated against the schema itself, which also takes the nulls
 * away again. Converted once per object.
 *
 * @param report is told of everything that strict mode cannot express, and makes the conversion happen again
 */
export function toStrictSchema(schema: unknown, report?: ReportLoss): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const known = report === undefined ? converted.get(schema) : undefined;
  if (known !== undefined) return known ?? undefined;
  const fresh = new StrictConverter(schema, report).convertDocument();
  converted.set(schema, fresh ?? null);
  return fresh;
}
