import { isObject, type JsonObject } from '../conversion/json-object.js';
import type { ReportLoss } from '../conversion/loss.js';
import { GeminiConverter } from './gemini-converter.js';

const converted = new WeakMap<object, JsonObject>();

/**
 * A JSON Schema in the subset that Gemini takes as `parametersJsonSchema` and `responseJsonSchema`. References are
 * put in place unless they are cyclic, or the whole would grow too large; what the subset cannot say is said in the
 * description; what says something about objects or arrays only is taken to ask for one. The result otherwise allows
 * no less than the schema and may allow more, so arguments are still to be validated against the schema itself.
 * Converted once per object.
 *
 * @param report is told of everything that the subset cannot express, and makes the conversion happen again
 */
export function toGeminiSchema(schema: unknown, report?: ReportLoss): JsonObject {
  if (!isObject(schema)) return {};
  const known = report === undefined ? converted.get(schema) : undefined;
  if (known !== undefined) return known;
  const fresh = new GeminiConverter(schema, report).convertDocument();
  converted.set(schema, fresh);
  return fresh;
}
