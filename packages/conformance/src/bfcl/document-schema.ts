import type { JsonSchema } from 'adorn';

import type { ParameterDocument } from './function-document.js';
import { isObject } from './json-object.js';

/** What the names of types mean, whatever their case. One that is not here says nothing: any value is taken. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...named('object', 'object', 'dict', 'hashmap', 'map'),
  ...named('array', 'array', 'list', 'arraylist', 'tuple'),
  ...named('string', 'string', 'str', 'char'),
  ...named('integer', 'integer', 'int', 'long', 'short', 'byte', 'bigint'),
  ...named('number', 'number', 'float', 'double'),
  ...named('boolean', 'boolean', 'bool'),
]);

/** The keywords that mean what they mean in JSON Schema. Defaults are told and not checked: many are wrong. */
const KEPT = ['description', 'default', 'format', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern'];

const converted = new WeakMap<ParameterDocument, JsonSchema>();

/** The schema of a function's arguments; nothing but its parameters may be given. Converted once per description. */
export function schemaOfDocument(parameters: ParameterDocument): JsonSchema {
  const schema = converted.get(parameters) ?? argumentsOf(parameters);
  converted.set(parameters, schema);
  return schema;
}

function argumentsOf(parameters: ParameterDocument): JsonSchema {
  const { properties = {}, required = [] } = schemaOf(parameters);
  return { type: 'object', properties, required, additionalProperties: false };
}

function schemaOf(document: unknown): JsonSchema {
  if (!isObject(document)) return {};
  const type = TYPES.get(String(document['type']).toLowerCase());
  const kept = KEPT.filter((keyword) => document[keyword] !== undefined);
  const schema = {
    ...(type !== undefined && { type }),
    ...Object.fromEntries(kept.map((keyword) => [keyword, document[keyword]])),
    ...(type === 'array' && itemsOf(document)),
    ...(type !== 'array' && Array.isArray(document['enum']) && { enum: document['enum'] as unknown[] }),
    ...(isObject(document['properties']) && fieldsOf(document['properties'], document['required'])),
  };
  return document['default'] === null ? nullable(schema) : schema;
}

/** An `enum` beside a list's type is what its items may be. */
function itemsOf({ items, enum: values }: ParameterDocument): JsonSchema {
  const schema = schemaOf(items);
  return { items: Array.isArray(values) ? { ...schema, enum: values as unknown[] } : schema };
}

function fieldsOf(properties: ParameterDocument, required: unknown): JsonSchema {
  const schemas = Object.entries(properties).map(([name, each]) => [name, schemaOf(each)] as const);
  const names: unknown[] = Array.isArray(required) ? required : [];
  return {
    properties: Object.fromEntries(schemas),
    required: Object.keys(properties).filter((name) => names.includes(name)),
  };
}

/** Python's `None` as a default says that a value may be absent, and that null stands for that. */
function nullable({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...new Set([...(values as unknown[]), null])] }),
  };
}

function named(type: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [name, type]);
}
