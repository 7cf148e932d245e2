import type { FunctionDeclaration } from '@adorn/core/backend';

import { isObject } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import { OperationFault } from '../errors.js';
import type { Operation, Parameter, RequestBody } from '../document/operation.js';
import { BODY_ARGUMENT } from '../document/read-parameters.js';
import { shownText } from './described.js';
import type { BuiltSchema } from './plain-keywords.js';
import { type Detail, SchemaConverter } from './schema-converter.js';

/** The largest declaration, in bytes of JSON: providers refuse larger ones, and each call pays for them. */
const MOST_BYTES = 90_000;

/** From everything to the least: detail moves into descriptions until the declaration is small enough. */
const DETAILS: readonly Detail[] = [
  { levels: 50, description: 1_000 },
  { levels: 50, description: 200 },
  { levels: 50, description: 60 },
  { levels: 10, description: 60 },
  { levels: 6, description: 60 },
  { levels: 4, description: 60 },
  { levels: 3, description: 60 },
  { levels: 2, description: 60 },
  { levels: 1, description: 0 },
  { levels: 0, description: 0 },
];

const LONGEST_DESCRIPTION = 4_000;

/**
 * The declaration of an operation for the model.
 *
 * @throws {OperationFault} if a schema cannot be read, or the declaration is too large in any detail
 */
export function declareOperation(document: OpenApiDocument, operation: Operation): FunctionDeclaration {
  for (const detail of DETAILS) {
    const declaration = declare(document, operation, detail);
    if (declaration !== undefined && isSmall(declaration)) return declaration;
  }
  throw new OperationFault(`its declaration has more than ${String(MOST_BYTES)} bytes`);
}

function isSmall(declaration: FunctionDeclaration): boolean {
  return Buffer.byteLength(JSON.stringify(declaration)) <= MOST_BYTES;
}

/** Undefined if the schemas are too many in this detail. */
function declare(
  document: OpenApiDocument,
  operation: Operation,
  detail: Detail,
): FunctionDeclaration | undefined {
  const { name, parameters, body } = operation;
  const converter = new SchemaConverter(document, detail);
  const properties = new Map(parameters.map((one) => [one.argument, argumentSchema(converter, one, detail)]));
  if (body !== undefined)
    properties.set(BODY_ARGUMENT, argumentSchema(converter, { ...body, ...bodySchema(body) }, detail));
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ argument }) => argument);
  if (body?.isRequired === true) required.push(BODY_ARGUMENT);
  const definitions = converter.definitions();
  if (converter.isExceeded) return undefined;
  breakCycles(definitions);
  return {
    name,
    description: describe(operation),
    parametersJsonSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
    },
  };
}

/** The schema of the argument for a body: bytes, text, or the body's own schema. */
function bodySchema({ kind, schema }: RequestBody): Pick<RequestBody, 'schema'> {
  if (kind === 'bytes') return { schema: { type: 'string', format: 'binary' } };
  return { schema: kind === 'text' ? { type: 'string' } : schema };
}

function argumentSchema(
  converter: SchemaConverter,
  { schema, description }: Pick<Parameter, 'schema' | 'description'>,
  detail: Detail,
): BuiltSchema {
  const built = converter.convert(schema);
  if (description === undefined) return built;
  const own = typeof built['description'] === 'string' ? ` ${built['description']}` : '';
  const text = shownText(description + own, Math.max(detail.description, 60));
  return text === '' ? built : { ...built, description: text };
}

function describe({ description, isDeprecated, method, path, parameters }: Operation): string {
  const text = shownText(description, LONGEST_DESCRIPTION) || `${method} ${path}`;
  return [isDeprecated ? 'Deprecated.' : '', text, pageHint(parameters)].filter(Boolean).join('\n');
}

/** Common parameter names for the next page, and for the page size. */
const PLACE =
  /^(page|page_number|page_token|page_id|offset|start|skip|cursor|start_cursor|after|starting_after|next_token|continuation_token|marker|since_id)$/;
const SIZE = /^(limit|per_page|page_size|pagesize|max_results|count|take|first)$/;

/** A sentence on how to get more than the first page; undefined if nothing of the kind is known. */
function pageHint(parameters: readonly Parameter[]): string | undefined {
  const asked = parameters.filter(({ place }) => place === 'query').map(({ argument }) => argument);
  const next = asked.filter((name) => PLACE.test(name));
  if (next.length === 0) return undefined;
  const size = asked.filter((name) => SIZE.test(name));
  const sized = size.length === 0 ? '' : `, ${quoted(size)} for the size of a page`;
  return `The result comes in pages: pass ${quoted(next)} for the next one${sized}.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' or ');
}

/** A validator follows all of these for one value; `SchemaDocument.inPlace` leaves out `not` and conditions. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/**
 * Removes references that lead back to their own schema without a step into the value, such as two schemas that are all of
 * each other: a validator would follow them for ever. Changes the schemas in place.
 */
function breakCycles(definitions: ReadonlyMap<string, BuiltSchema>): void {
  const done = new Set<string>();
  for (const name of definitions.keys()) visit(name, definitions, new Set(), done);
}

function visit(
  name: string,
  definitions: ReadonlyMap<string, BuiltSchema>,
  path: Set<string>,
  done: Set<string>,
): void {
  if (done.has(name)) return;
  path.add(name);
  for (const referring of referencesInPlace(definitions.get(name))) {
    const target = String(referring['$ref']).slice('#/$defs/'.length);
    if (path.has(target)) delete referring['$ref'];
    else visit(target, definitions, path, done);
  }
  path.delete(name);
  done.add(name);
}

/** The schemas with a reference that are about the same value. */
function* referencesInPlace(schema: unknown): Generator<BuiltSchema> {
  if (!isObject(schema)) return;
  if (schema['$ref'] !== undefined) yield schema;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!IN_PLACE.has(keyword)) continue;
    for (const part of [value].flat()) yield* referencesInPlace(part);
  }
}
