import { valueAt } from '@adorn/core/backend';

import { OpenApiDocumentError } from '../errors.js';
import { FILES } from './bundle-document.js';
import { isObject, type JsonObject } from './json-object.js';

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0. References out of it are not followed.
 *
 * @param label the document, for messages
 * @throws {OpenApiDocumentError}
 */
export async function convertSwagger(swagger: JsonObject, label: string): Promise<JsonObject> {
  const { default: converter } = await import('swagger2openapi');
  try {
    // The converter changes its input, and refuses a value that stands in it twice.
    const whole: unknown = JSON.parse(JSON.stringify(withParametersOfFiles(swagger)));
    // Faults of a document that can be mended are, as editors of Swagger let them pass.
    const options = { patch: true, warnOnly: true, resolve: false };
    const { openapi } = await converter.convertObj(whole as never, options);
    return openapi as unknown as JsonObject;
  } catch (cause) {
    throw new OpenApiDocumentError(
      label,
      `it is Swagger 2.0, and cannot be converted to OpenAPI 3: ${(cause as Error).message.slice(0, 200)}`,
      'Correct it, or convert it with another tool.',
      { cause },
    );
  }
}

/** The converter knows parameters where they stand, and not in the files that were put into the document. */
function withParametersOfFiles(swagger: JsonObject): JsonObject {
  if (swagger[FILES] === undefined) return swagger;
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string' && $ref.startsWith(`#/${FILES}/`)) return inlined(valueAt(swagger, $ref));
    return value;
  };
  const pathItem = (item: unknown): unknown => {
    const target = inlined(item);
    if (!isObject(target)) return target;
    const entries = Object.entries(target).map(([name, part]) => {
      if (name === 'parameters') return [name, inlined(part)];
      return [name, isObject(part) ? { ...part, parameters: inlined(part['parameters'] ?? []) } : part];
    });
    return Object.fromEntries(entries) as JsonObject;
  };
  const paths = Object.entries(isObject(swagger['paths']) ? swagger['paths'] : {});
  return { ...swagger, paths: Object.fromEntries(paths.map(([path, item]) => [path, pathItem(item)])) };
}
