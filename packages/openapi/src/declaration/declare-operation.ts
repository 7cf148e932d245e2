import type { FunctionDeclaration } from '@adorn/core';

import type { OpenApiDocument } from '../document/openapi-document.js';
import type { Operation, Parameter, RequestBody } from '../document/operation.js';
import { OperationFault } from '../document/operation-fault.js';
import { BODY_ARGUMENT } from '../document/read-parameters.js';
import { breakCycles } from './break-cycles.js';
import { shownText } from './described.js';
import { pageHint } from './page-hint.js';
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

/** What a body that is no JSON is given as. */
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
