import type { ToolEffect } from '@adorn/core/backend';

import { OpenApiOperationError, OperationFault } from '../errors.js';
import { isObject, type JsonObject, listOf, objectOf, textOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { Operation, OperationInfo } from './operation.js';
import { OperationNames } from './operation-name.js';
import { readBody } from './read-body.js';
import { readParameters } from './read-parameters.js';
import { type ServerChoice, serverUrl } from './server-url.js';

/** The methods of a path item, with the effect that HTTP gives them. */
const EFFECTS: Readonly<Record<string, ToolEffect>> = {
  get: 'read',
  head: 'read',
  options: 'read',
  trace: 'read',
  query: 'read',
  post: 'write',
  put: 'write',
  patch: 'write',
  delete: 'destructive',
};

/** An operation as the document has it, before it is read in full. */
export interface FoundOperation extends OperationInfo {
  readonly fields: JsonObject;
  readonly pathItem: JsonObject;
}

/**
 * All operations of a document, in its order.
 *
 * @param skipped takes the paths that cannot be read
 */
export function findOperations(
  document: OpenApiDocument,
  prefix: string | undefined,
  skipped: OpenApiOperationError[],
): FoundOperation[] {
  const names = new OperationNames(prefix);
  const found: FoundOperation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/')) continue;
    const pathItem = readable(() => pathItemOf(document, item), path, skipped);
    for (const [key, effect] of Object.entries(EFFECTS)) {
      const method = key.toUpperCase();
      const written = pathItem?.[key];
      if (pathItem === undefined || !isObject(written)) continue;
      const fields = readable(() => operationOf(document, written), `${method} ${path}`, skipped);
      if (fields === undefined) continue;
      const operationId = textOf(fields['operationId']);
      found.push({
        name: names.nameFor(operationId, method, path),
        operationId,
        method,
        path,
        tags: listOf(fields['tags']).filter((tag) => typeof tag === 'string'),
        effect,
        isDeprecated: fields['deprecated'] === true,
        fields,
        pathItem,
      });
    }
  }
  return found;
}

/** A path item may have operations of its own beside a reference to another. */
function pathItemOf(document: OpenApiDocument, item: unknown): JsonObject {
  const target = document.object(item, 'its path item');
  const { $ref, ...own } = objectOf(item);
  if ($ref === undefined || Object.keys(own).length === 0) return target;
  const lists = [target, own].map((part) => document.list(part['parameters'], 'its parameters'));
  return { ...target, ...own, parameters: lists.flat() };
}

/** An operation may be a reference, to which it may add fields. */
function operationOf(document: OpenApiDocument, written: JsonObject): JsonObject {
  const { $ref, ...own } = written;
  const target = document.object(written, 'its operation');
  return $ref === undefined ? target : { ...target, ...own };
}

function readable(
  read: () => JsonObject,
  path: string,
  skipped: OpenApiOperationError[],
): JsonObject | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OperationFault)) throw error;
    const { fault, cure } = error;
    skipped.push(new OpenApiOperationError(path, fault, cure && `${cure}.`));
    return undefined;
  }
}

/**
 * Reads an operation in full.
 *
 * @throws {OperationFault} if it cannot be called
 */
export function readOperation(
  document: OpenApiDocument,
  { fields, pathItem, ...info }: FoundOperation,
  choice: ServerChoice,
): Operation {
  if (info.method === 'TRACE') throw new OperationFault('fetch sends no TRACE requests');
  const names = templateNames(info.path);
  const parameters = readParameters(document, info.path, pathItem, fields).filter(
    ({ place, name }) => place !== 'path' || names.includes(name) || !isUnplaced(info.path, name),
  );
  const missing = names.find((name) => !parameters.some((one) => one.place === 'path' && one.name === name));
  if (missing !== undefined)
    throw new OperationFault(`its path has {${missing}}, and there is no such parameter`);
  return {
    ...info,
    description: [fields, pathItem].flatMap(wordsOf)[0] ?? `${info.method} ${info.path}`,
    parameters,
    // fetch sends no body with these, and servers ignore it.
    body: /^(GET|HEAD)$/.test(info.method) ? undefined : readBody(document, fields),
    baseUrl: serverUrl(document, [fields, pathItem, document.root], choice),
  };
}

/** Summary and description, joined if both have content. */
function wordsOf(fields: JsonObject): string[] {
  const summary = textOf(fields['summary'])?.trim();
  const description = textOf(fields['description'])?.trim();
  if (summary === undefined || description === undefined)
    return [summary ?? description ?? ''].filter(Boolean);
  return [description.startsWith(summary) ? description : `${summary}\n${description}`];
}

/**
 * True for a path parameter that the path does not name: its value would not be sent.
 *
 * @throws {OperationFault} if the path has a placeholder of another notation, which would be sent as it is
 */
function isUnplaced(path: string, parameter: string): boolean {
  const placeholder = path.split('/').find((segment) => segment.startsWith(':'));
  if (placeholder === undefined) return true;
  throw new OperationFault(
    `its parameter "${parameter.slice(0, 100)}" has no place in its path`,
    `Write the path with {${parameter.slice(0, 100)}} in place of ${placeholder.slice(0, 100)}`,
  );
}

/** The names in braces of a path template. */
function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}
