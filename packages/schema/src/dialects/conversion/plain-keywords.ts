import {
  isObject,
  isOfType,
  type JsonSchema,
  schemasIn,
  statedTypes,
  typeOf,
} from '../../reader/schema-parts.js';
import { areDisjoint } from '../../reader/are-disjoint.js';
import type { SchemaDocument } from '../../reader/schema-document.js';
import type { ReportDropped } from './merge-schemas.js';

type Step = (schema: JsonSchema, dropped: ReportDropped, document: SchemaDocument) => JsonSchema;

const STEPS: readonly Step[] = [
  constAsEnum,
  itemsAsPrefix,
  oneOfAsAnyOf,
  patternsAsAdditional,
  typesOfEnum,
  nullableAsType,
];

/**
 * The same schema without the keywords for which the dialects have others: `const` is an `enum` of one, a list of
 * `items` is `prefixItems`, `oneOf` is `anyOf`, `nullable` is one more type, `patternProperties` are additional ones.
 *
 * @param dropped is told of a keyword whose substitute says less
 */
export function plainKeywords(
  schema: JsonSchema,
  document: SchemaDocument,
  dropped: ReportDropped,
): JsonSchema {
  return STEPS.reduce((plain, step) => step(plain, dropped, document), schema);
}

function constAsEnum(schema: JsonSchema): JsonSchema {
  if (!('const' in schema)) return schema;
  const { const: only, ...rest } = schema;
  return { ...rest, enum: [only] };
}

/** The old form of a tuple, and `items: false` of the new one, which is an upper bound. */
function itemsAsPrefix(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema;
  if (Array.isArray(items))
    return itemsAsPrefix({ ...rest, prefixItems: items as unknown[], items: additionalItems });
  if (items !== false) return items === undefined ? rest : { ...rest, items };
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0;
  return { ...rest, maxItems: prefix };
}

/** Beside `anyOf` there is no room for a second union. */
function oneOfAsAnyOf(schema: JsonSchema, dropped: ReportDropped, document: SchemaDocument): JsonSchema {
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf)) return rest;
  if ('anyOf' in rest || !areDisjoint(schemasIn(oneOf), document)) dropped('oneOf', oneOf);
  return 'anyOf' in rest ? rest : { ...rest, anyOf: oneOf as unknown[] };
}

function patternsAsAdditional(schema: JsonSchema, dropped: ReportDropped): JsonSchema {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return rest;
  const others = rest['additionalProperties'];
  const schemas = [...Object.values(patternProperties), ...(isObject(others) ? [others] : [])];
  if (schemas.length === 0) return rest;
  dropped('patternProperties', patternProperties);
  return { ...rest, additionalProperties: schemas.length === 1 ? schemas[0] : { anyOf: schemas } };
}

function typesOfEnum(schema: JsonSchema): JsonSchema {
  const values = schema['enum'];
  if (!Array.isArray(values) || schema['type'] !== undefined) return schema;
  const types = [
    ...new Set((values as unknown[]).map((value) => (Number.isInteger(value) ? 'integer' : typeOf(value)))),
  ];
  const numbers = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { ...schema, type: numbers.length === 1 ? numbers[0] : numbers };
}

function nullableAsType(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema;
  const types = statedTypes(rest);
  if (nullable !== true || types.length === 0) return rest;
  return { ...rest, type: [...new Set([...types, 'null'])] };
}

/** The single type of a schema, inferred from other keywords if not stated. */
export function typeOfSchema(schema: JsonSchema): string | undefined {
  const [type, ...more] = statedTypes(schema);
  if (type !== undefined) return more.length === 0 ? type : undefined;
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

const ARRAY = ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'];
const OBJECT = [
  'properties',
  'required',
  'additionalProperties',
  'propertyOrdering',
  'minProperties',
  'maxProperties',
];
const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const STRING = ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'];

/** The keywords that say something about values of a type. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  array: ARRAY,
  object: OBJECT,
  number: [...NUMBER, 'format'],
  integer: [...NUMBER, 'format'],
  string: [...STRING, 'format'],
};

const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

const ABOUT_ANY: ReadonlySet<string> = new Set([...ARRAY, ...OBJECT, ...NUMBER, ...STRING, 'format']);

/** A schema of several types as alternatives of one each, its words beside them. */
export function typeAlternatives(schema: JsonSchema, types: readonly string[]): JsonSchema {
  const words = Object.entries(schema).filter(([key]) => WORDS.has(key));
  const rules = Object.fromEntries(Object.entries(schema).filter(([key]) => !WORDS.has(key)));
  return { ...Object.fromEntries(words), anyOf: types.map((type) => ofOneType(rules, type)) };
}

function ofOneType(schema: JsonSchema, type: string): JsonSchema {
  if (type === 'null') return { type };
  const about = ABOUT[type] ?? [];
  const kept = Object.entries(schema).filter(([key]) => !ABOUT_ANY.has(key) || about.includes(key));
  const own: Record<string, unknown> = { ...Object.fromEntries(kept), type };
  if (Array.isArray(own['enum'])) own['enum'] = own['enum'].filter((value) => isOfType(value, type));
  return own;
}
