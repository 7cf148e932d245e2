import { open } from 'node:fs/promises';

import { AdornError } from '@adorn/core';
import { kindOf } from '@adorn/core/backend';
import type { GuardedFetch } from '@adorn/http';

import { OpenApiDocumentError } from '../errors.js';
import { isObject, type JsonObject } from './json-object.js';
import { OpenApiDocument } from './openapi-document.js';

/** A document: as an object, as JSON or YAML text, as the path of a file, or as an http URL. */
export type OpenApiSource = object | string | URL;

/** The URL of a source that is read over HTTP; undefined for another. */
export function urlOfSource(source: OpenApiSource): URL | undefined {
  const text = source instanceof URL ? source.href : source;
  return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text)
    ? new URL(text)
    : undefined;
}

/** The largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 10_485_760;

/**
 * Reads a document. A text with a line break or a brace is the document itself; one that begins with http is a URL; any
 * other is a path.
 *
 * @throws {OpenApiDocumentError}
 */
export async function loadDocument(source: OpenApiSource, fetch: GuardedFetch): Promise<OpenApiDocument> {
  if (source instanceof URL || typeof source === 'string') {
    const url = urlOfSource(source);
    if (url !== undefined) return fromUrl(url, fetch);
    if (source instanceof URL && source.protocol !== 'file:')
      throw new OpenApiDocumentError(
        '',
        `it is given as a ${source.protocol} URL`,
        'Pass an http URL, or a path.',
      );
    if (typeof source === 'string' && /[\n{]/.test(source)) return fromText(source, 'given as a text');
    return fromText(await readBounded(source), `"${String(source)}"`);
  }
  return asDocument(source, 'given as an object');
}

async function fromUrl(url: URL, fetch: GuardedFetch): Promise<OpenApiDocument> {
  const label = `at ${url.origin}${url.pathname}`;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json, application/yaml;q=0.9, */*;q=0.8' },
    });
    const text = await response.text();
    if (!response.ok)
      throw new OpenApiDocumentError(
        label,
        `the server answered ${String(response.status)}`,
        'Check the URL.',
      );
    return await fromText(text, label, new URL(response.url));
  } catch (error) {
    if (error instanceof OpenApiDocumentError || !AdornError.is(error)) throw error;
    throw new OpenApiDocumentError(label, error.message.replace(/\.$/, ''), 'Check the URL.', {
      cause: error,
    });
  }
}

/** Never more than the limit: a device file has no end. */
async function readBounded(path: string | URL): Promise<string> {
  const label = `"${String(path)}"`;
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > MAX_DOCUMENT_BYTES) throw tooLarge(label);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (error instanceof OpenApiDocumentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new OpenApiDocumentError(
      label,
      `the file cannot be read (${code ?? 'unreadable'})`,
      'Check the path.',
      {
        cause: error,
      },
    );
  }
}

async function fromText(text: string, label: string, url?: URL): Promise<OpenApiDocument> {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw tooLarge(label);
  const { normalize } = await import('@scalar/openapi-parser');
  let parsed: unknown;
  try {
    parsed = normalize(text);
  } catch (cause) {
    throw new OpenApiDocumentError(label, 'it is neither JSON nor YAML', 'Check the text.', { cause });
  }
  if (parsed === undefined)
    throw new OpenApiDocumentError(label, 'it is empty, or neither JSON nor YAML', 'Check the text.');
  return asDocument(parsed, label, url);
}

function tooLarge(label: string): OpenApiDocumentError {
  return new OpenApiDocumentError(
    label,
    `it has more than ${String(MAX_DOCUMENT_BYTES)} bytes`,
    'Split it, or keep the operations that are needed.',
  );
}

function asDocument(value: unknown, label: string, url?: URL): OpenApiDocument {
  if (!isObject(value))
    throw new OpenApiDocumentError(label, `it is ${kindOf(value)}`, 'Pass an OpenAPI 3.0 or 3.1 document.');
  refuseOtherVersions(value, label);
  if (!isObject(value['paths']) && value['paths'] !== undefined)
    throw new OpenApiDocumentError(label, `its paths are ${kindOf(value['paths'])}`, 'Make them an object.');
  return new OpenApiDocument(value, label, url);
}

function refuseOtherVersions({ openapi, swagger }: JsonObject, label: string): void {
  if (typeof openapi === 'string' && /^3\.\d/.test(openapi)) return;
  if (swagger !== undefined)
    throw new OpenApiDocumentError(
      label,
      `it is Swagger ${JSON.stringify(swagger).slice(0, 20)}`,
      'Convert it to OpenAPI 3 first: npx swagger2openapi swagger.yaml -o openapi.yaml.',
    );
  const shown = typeof openapi === 'string' ? `"${openapi.slice(0, 20)}"` : kindOf(openapi);
  throw new OpenApiDocumentError(label, `its "openapi" is ${shown}`, 'Pass an OpenAPI 3.0 or 3.1 document.');
}
