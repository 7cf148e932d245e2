import { isObject, type JsonObject, listOf, objectOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';

/** Keywords whose members describe the value itself. */
export type Composition = 'allOf' | 'anyOf' | 'oneOf';

const COMPOSITIONS: readonly Composition[] = ['allOf', 'anyOf', 'oneOf'];

/** How many schemas may describe one value. */
const MOST_SCHEMAS = 200;

/**
 * All schemas that describe the same value as a schema: itself, the targets of references, and the members of its
 * compositions, directly or not. What the declaration tells of a schema and what a request makes of it are read from here.
 *
 * @param keywords which compositions are followed; by default all
 * @throws {OperationFault} for a reference that leads nowhere
 */
export function composedSchemas(
  document: OpenApiDocument,
  schema: unknown,
  keywords: readonly Composition[] = COMPOSITIONS,
): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (value: unknown): void => {
    if (isObject(value) && found.size < MOST_SCHEMAS) found.add(document.complete(value));
  };
  add(schema);
  // What is added here is visited by the loop as well.
  for (const part of found) {
    if (typeof part['$ref'] === 'string') add(document.find(part['$ref']));
    for (const keyword of keywords) listOf(part[keyword]).forEach(add);
  }
  return [...found];
}

/** All schemas of a property, in whichever part of a composed schema it stands. */
export function propertySchemas(document: OpenApiDocument, schema: unknown, name: string): JsonObject[] {
  return composedSchemas(document, schema)
    .map((part) => objectOf(part['properties']))
    .filter((properties) => Object.hasOwn(properties, name))
    .flatMap((properties) => composedSchemas(document, properties[name]));
}

/** All schemas of the items of a list that these schemas describe. */
export function itemSchemas(document: OpenApiDocument, schemas: readonly JsonObject[]): JsonObject[] {
  return schemas.flatMap((schema) => composedSchemas(document, schema['items']));
}

/** The properties of a schema that only responses have. */
export function readOnlyProperties(document: OpenApiDocument, schema: unknown): ReadonlySet<string> {
  const isReadOnly = (property: unknown): boolean =>
    composedSchemas(document, property, ['allOf']).some((part) => part['readOnly'] === true);
  const properties = composedSchemas(document, schema, ['allOf']).flatMap((part) =>
    Object.entries(objectOf(part['properties'])),
  );
  return new Set(properties.filter(([, property]) => isReadOnly(property)).map(([name]) => name));
}

/** True for bytes, which JSON holds as base64. */
export function isBinary({ format, contentEncoding, contentMediaType, type }: JsonObject): boolean {
  if (format === 'binary' || contentEncoding === 'base64' || type === 'file') return true;
  // A format or another encoding says that the value is text about a medium, such as the URL of an image.
  if (typeof contentMediaType !== 'string' || format !== undefined || contentEncoding !== undefined)
    return false;
  return !/json|^text\/|xml/.test(contentMediaType);
}
