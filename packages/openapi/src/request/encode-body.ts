import { ToolError } from '@adorn/core';

import { isBinary, itemSchemas, propertySchemas } from '../document/composed-schema.js';
import { isObject, type JsonObject } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import type { PartEncoding, RequestBody } from '../document/operation.js';
import { kindOfMedia } from '../document/media-kind.js';
import { type BodyPart, multipartBody } from './multipart-body.js';
import { encoded, encodedReserved, type Pair, pairsOf, plainText } from './parameter-styles.js';

/** A body as it is sent. */
export interface EncodedBody {
  readonly content: string | Uint8Array;
  readonly contentType: string;
}

/**
 * Writes a body in its media type.
 *
 * @throws {ToolError} if the value has no such form; the message is for the model
 */
export function encodeBody(document: OpenApiDocument, body: RequestBody, value: unknown): EncodedBody {
  const { kind, mediaType } = body;
  switch (kind) {
    case 'json':
      return { content: JSON.stringify(value), contentType: mediaType };
    case 'form':
      return { content: formText(body, value), contentType: mediaType };
    case 'multipart':
      return multipartBody(partsOf(document, body, value), mediaType);
    case 'bytes':
      return { content: bytesOf('body', value), contentType: mediaType };
    case 'text':
      return { content: plainText(value), contentType: mediaType };
  }
}

function formText({ encodings }: RequestBody, value: unknown): string {
  const parts = Object.entries(requireObject(value)).flatMap(([name, part]) => {
    const { serialization } = encodings.get(name) ?? {};
    const encode = serialization?.allowReserved === true ? encodedReserved : encoded;
    return formPairs(name, part, encodings.get(name), encode).map(([key, text]) => `${encoded(key)}=${text}`);
  });
  return parts.join('&');
}

/** Without a stated style a list is repeated, and an object is JSON. */
function formPairs(
  name: string,
  value: unknown,
  encoding: PartEncoding | undefined,
  encode: (text: string) => string,
): Pair[] {
  if (value === undefined || value === null) return [];
  if (encoding?.contentType?.includes('json') === true) return [[name, encode(JSON.stringify(value))]];
  if (encoding?.serialization !== undefined) return pairsOf(name, value, encoding.serialization, encode);
  if (isObject(value)) return [[name, encode(JSON.stringify(value))]];
  return pairsOf(name, value, { style: 'form', explode: true }, encode);
}

function partsOf(document: OpenApiDocument, { schema, encodings }: RequestBody, value: unknown): BodyPart[] {
  return Object.entries(requireObject(value)).flatMap(([name, part]) => {
    const described = propertySchemas(document, schema, name);
    const schemas = Array.isArray(part) ? itemSchemas(document, described) : described;
    const items = Array.isArray(part) ? (part as unknown[]) : [part];
    return items
      .filter((item) => item !== undefined && item !== null)
      .map((item) => partOf(name, item, isFile(schemas, item), encodings.get(name)?.contentType));
  });
}

/** Of a choice between bytes and a text, such as a URL, a value that is no base64 is the text. */
function isFile(schemas: readonly JsonObject[], value: unknown): boolean {
  if (!schemas.some(isBinary)) return false;
  const mayBeText = schemas.some((schema) => schema['format'] !== undefined && !isBinary(schema));
  return !mayBeText || isBase64(value);
}

function partOf(name: string, value: unknown, isFile: boolean, stated: string | undefined): BodyPart {
  if (isFile) {
    const contentType = stated ?? 'application/octet-stream';
    return { name, content: bytesOf(name, value), contentType, isFile };
  }
  const contentType = stated ?? (isObject(value) ? 'application/json' : undefined);
  const isJson = contentType !== undefined && kindOfMedia(contentType) === 'json';
  return { name, content: isJson ? JSON.stringify(value) : plainText(value), contentType, isFile };
}

function requireObject(value: unknown): object {
  if (isObject(value)) return value;
  throw new ToolError('The body is sent as a form, so it must be an object.', { final: true });
}

function bytesOf(name: string, value: unknown): Buffer<ArrayBuffer> {
  if (!isBase64(value)) throw new ToolError(`"${name}" must be base64.`, { final: true });
  return Buffer.from(value, 'base64');
}

function isBase64(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(value);
}
