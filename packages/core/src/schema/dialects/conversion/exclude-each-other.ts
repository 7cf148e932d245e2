import { isObject, type JsonObject, objectsIn } from './json-object.js';

/**
 * Whether no value can fit two of the alternatives, as far as can be seen from their types and from a required
 * property that has other values in each. What stands behind a reference is not looked at.
 */
export function excludeEachOther(alternatives: readonly unknown[]): boolean {
  const schemas = objectsIn(alternatives);
  return schemas.every((one, index) => schemas.slice(index + 1).every((other) => areApart(one, other)));
}

function areApart(one: JsonObject, other: JsonObject): boolean {
  if (areDisjoint(typesOf(one), typesOf(other)) || areDisjoint(valuesOf(one), valuesOf(other))) return true;
  return requiredBy(one, other).some((name) =>
    areDisjoint(valuesOf(propertyOf(one, name)), valuesOf(propertyOf(other, name))),
  );
}

function areDisjoint(one: readonly unknown[] | undefined, other: readonly unknown[] | undefined): boolean {
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
