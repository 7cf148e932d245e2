import { valueAt } from '@adorn/core/backend';

import { OpenApiDocumentError } from '../errors.js';
import { FILES } from './bundle-document.js';
import { isObject, type JsonObject, listOf, objectOf } from './json-object.js';

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
    const whole: unknown = JSON.parse(JSON.stringify(withOwnParameters(swagger)));
    // Faults of a document that can be mended are, as editors of Swagger let them pass.
    // Without a text, the converter writes the document as YAML first, which takes longer than all it does.
    const options = { patch: true, warnOnly: true, resolve: false, text: label };
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

/**
 * The same document in a form that the converter knows in full: parameters of other files stand where they are used, and a
 * body that is a parameter of the path is one of its operations.
 */
function withOwnParameters(swagger: JsonObject): JsonObject {
  const paths = Object.entries(objectOf(followed(swagger, swagger['paths']))).map(([path, item]) => [
    path,
    withBodies(swagger, objectOf(followed(swagger, item))),
  ]);
  return { ...swagger, paths: Object.fromEntries(paths) as JsonObject };
}

function withBodies(swagger: JsonObject, item: JsonObject): JsonObject {
  const shared = listOf(followed(swagger, item['parameters'])).map((parameter) =>
    inlined(swagger, parameter),
  );
  const bodies = shared.filter((parameter) => isBody(swagger, parameter));
  const entries = Object.entries(item).map(([name, part]) => {
    if (name === 'parameters') return [name, shared.filter((parameter) => !bodies.includes(parameter))];
    if (!isObject(part) || !METHODS.has(name)) return [name, part];
    const operation = objectOf(followed(swagger, part));
    // It is told when the operation is read.
    if (operation['$ref'] !== undefined) return [name, part];
    const own = listOf(followed(swagger, operation['parameters'])).map((parameter) =>
      inlined(swagger, parameter),
    );
    const hasBody = own.some((parameter) => isBody(swagger, parameter));
    return [name, { ...operation, parameters: hasBody ? own : [...own, ...bodies] }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function isBody(swagger: JsonObject, parameter: unknown): boolean {
  const reference = objectOf(parameter)['$ref'];
  const target = typeof reference === 'string' ? valueAt(swagger, reference) : parameter;
  return ['body', 'formData'].includes(String(objectOf(target)['in']));
}

/** What a reference leads to, of whatever the converter does not follow; the reference itself if it leads nowhere. */
function followed(swagger: JsonObject, value: unknown): unknown {
  let found = value;
  for (let steps = 0; steps < LONGEST_CHAIN && typeof objectOf(found)['$ref'] === 'string'; steps++)
    found = valueAt(swagger, String(objectOf(found)['$ref'])) ?? value;
  return found;
}

const LONGEST_CHAIN = 32;
const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** What stands in another file in place of a reference to it. */
function inlined(swagger: JsonObject, value: unknown): unknown {
  const reference = objectOf(value)['$ref'];
  const isInFile = typeof reference === 'string' && reference.startsWith(`#/${FILES}/`);
  return isInFile ? valueAt(swagger, reference) : value;
}
