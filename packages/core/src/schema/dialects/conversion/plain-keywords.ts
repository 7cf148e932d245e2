import { isObject, type JsonObject, objectsIn } from './json-object.js';
import type { ReportDropped } from './merge-schemas.js';

type Step = (schema: JsonObject, dropped: ReportDropped) => JsonObject;

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
export function plainKeywords(schema: JsonObject, dropped: ReportDropped): JsonObject {
  return STEPS.reduce((plain, step) => step(plain, dropped), schema);
}

function constAsEnum(schema: JsonObject): JsonObject {
  if (!('const' in schema)) return schema;
  const { const: only, ...rest } = schema;
  return { ...rest, enum: [only] };
}

/** The old form of a tuple, and `items: false` of the new one, which is an upper bound. */
function itemsAsPrefix(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...rest } = schema;
  if (Array.isArray(items))
    return itemsAsPrefix({ ...rest, prefixItems: items as unknown[], items: additionalItems });
  if (items !== false) return items === undefined ? rest : { ...rest, items };
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0;
  return { ...rest, maxItems: prefix };
}

/** Beside `anyOf` there is no room for a second union. */
function oneOfAsAnyOf(schema: JsonObject, dropped: ReportDropped): JsonObject {
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf)) return rest;
  if ('anyOf' in rest || !areDisjoint(oneOf)) dropped('oneOf', oneOf);
  return 'anyOf' in rest ? rest : { ...rest, anyOf: oneOf as unknown[] };
}

function patternsAsAdditional(schema: JsonObject, dropped: ReportDropped): JsonObject {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return rest;
  const others = rest['additionalProperties'];
  const schemas = [...Object.values(patternProperties), ...(isObject(others) ? [others] : [])];
  if (schemas.length === 0) return rest;
  dropped('patternProperties', patternProperties);
  return { ...rest, additionalProperties: schemas.length === 1 ? schemas[0] : { anyOf: schemas } };
}

function typesOfEnum(schema: JsonObject): JsonObject {
  const values = schema['enum'];
  if (!Array.isArray(values) || schema['type'] !== undefined) return schema;
  const types = [...new Set((values as unknown[]).map(typeOf))];
  const numbers = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { ...schema, type: numbers.length === 1 ? numbers[0] : numbers };
}

function nullableAsType(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema;
  const { type } = rest;
  if (nullable !== true || type === undefined) return rest;
  return { ...rest, type: [...new Set([...(Array.isArray(type) ? (type as unknown[]) : [type]), 'null'])] };
}

/** The schema type of a value of JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/**
 * True if no value can match two of the alternatives, judged by their types and by a required property with different
 * values in each. References are not followed.
 */
export function areDisjoint(alternatives: readonly unknown[]): boolean {
  const schemas = objectsIn(alternatives);
  return schemas.every((one, index) => schemas.slice(index + 1).every((other) => areApart(one, other)));
}

function areApart(one: JsonObject, other: JsonObject): boolean {
  if (haveNoCommonValue(typesOf(one), typesOf(other)) || haveNoCommonValue(valuesOf(one), valuesOf(other)))
    return true;
  return requiredBy(one, other).some((name) =>
    haveNoCommonValue(valuesOf(propertyOf(one, name)), valuesOf(propertyOf(other, name))),
  );
}

function haveNoCommonValue(
  one: readonly unknown[] | undefined,
  other: readonly unknown[] | undefined,
): boolean {
  return one !== undefined && other !== undefined && !one.some((value) => other.includes(value));
}

/** A number may be an integer. */
function typesOf({ type }: JsonObject): unknown[] | undefined {
  if (type === undefined) return undefined;
  return [type].flat().map((name) => (name === 'integer' ? 'number' : name));
}

/** The only values there are, as JSON. */
function valuesOf(schema: JsonObject): string[] | undefined {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

function requiredBy(one: JsonObject, other: JsonObject): string[] {
  const [first, second] = [one['required'], other['required']];
  if (!Array.isArray(first) || !Array.isArray(second)) return [];
  return (first as string[]).filter((name) => (second as string[]).includes(name));
}

function propertyOf({ properties }: JsonObject, name: string): JsonObject {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(property) ? property : {};
}
