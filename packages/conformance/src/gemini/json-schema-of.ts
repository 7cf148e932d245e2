import type { Json } from './gemini-json.js';

/** A schema in Google's own form as JSON Schema: types in lower case, `nullable` as a type. */
export function jsonSchemaOf(schema: Json): Json {
  const { type, nullable, properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(typeof type === 'string' && {
      type: nullable === true ? [type.toLowerCase(), 'null'] : type.toLowerCase(),
    }),
    ...(items !== undefined && { items: jsonSchemaOf(items as Json) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((each) => jsonSchemaOf(each as Json)) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Json).map(([name, value]) => [name, jsonSchemaOf(value as Json)]),
      ),
    }),
  };
}
