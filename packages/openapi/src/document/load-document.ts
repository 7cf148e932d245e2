import { AdornError } from '@adorn/core';
import { kindOf } from '@adorn/core/backend';
import type { GuardedFetch } from '@adorn/http';

import { OpenApiDocumentError } from '../errors.js';
import { bundleDocument } from './bundle-document.js';
import { convertSwagger } from './convert-swagger.js';
import { type DocumentFiles, LocalFiles, RemoteFiles } from './document-files.js';
import { isObject, type JsonObject } from './json-object.js';
import { OpenApiDocument } from './openapi-document.js';
import { parseText } from './parse-text.js';
import { readBounded, tooLarge } from './read-bounded.js';

/** A document: as an object, as JSON or YAML text, as the path of a file, or as an http URL. */
export type OpenApiSource = object | string | URL;

/** The URL of a source that is read over HTTP; undefined for another. */
export function urlOfSource(source: OpenApiSource): URL | undefined {
  const text = source instanceof URL ? source.href : source;
  return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text)
    ? new URL(text)
    : undefined;
}

/** The largest document, in bytes, unless the developer states another limit. */
export const MAX_DOCUMENT_BYTES = 10_485_760;

/** How a document is read. */
export interface LoadSettings {
  readonly fetch: GuardedFetch;
  /** The largest document, in bytes. */
  readonly maxBytes: number;
  /** True if the developer states where the API is. */
  readonly hasBaseUrl: boolean;
}

/**
 * Reads a document. A text with a line break or a brace is the document itself; one that begins with http is a URL; any
 * other is a path.
 *
 * @throws {OpenApiDocumentError}
 */
export async function loadDocument(source: OpenApiSource, settings: LoadSettings): Promise<OpenApiDocument> {
  const { maxBytes } = settings;
  if (source instanceof URL || typeof source === 'string') {
    const url = urlOfSource(source);
    if (url !== undefined) return fromUrl(url, settings);
    if (source instanceof URL && source.protocol !== 'file:')
      throw new OpenApiDocumentError(
        '',
        `it is given as a ${source.protocol} URL`,
        'Pass an http URL, or a path.',
      );
    if (typeof source === 'string' && /[\n{]/.test(source))
      return fromText(source, 'given as a text', maxBytes);
    const text = await readBounded(source, maxBytes);
    return fromText(text, `"${String(source)}"`, maxBytes, new LocalFiles(source, maxBytes));
  }
  return asDocument(source, 'given as an object');
}

async function fromUrl(url: URL, { fetch, maxBytes, hasBaseUrl }: LoadSettings): Promise<OpenApiDocument> {
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
    const found = new URL(response.url);
    if (!hasBaseUrl) refuseOtherOrigin(url, found, label);
    return await fromText(text, label, maxBytes, new RemoteFiles(found, fetch, maxBytes));
  } catch (error) {
    if (error instanceof OpenApiDocumentError || !AdornError.is(error)) throw error;
    const { reason } = error as { readonly reason?: unknown };
    if (reason === 'tooLarge') throw tooLarge(label, maxBytes, error);
    throw new OpenApiDocumentError(label, error.message.replace(/\.$/, ''), 'Check the URL.', {
      cause: error,
    });
  }
}

/**
 * The server behind the developer's URL must not choose where credentials are sent: an operation is called at the
 * origin of the document.
 */
function refuseOtherOrigin(stated: URL, found: URL, label: string): void {
  if (stated.origin === found.origin) return;
  throw new OpenApiDocumentError(
    label,
    `${stated.origin} redirects to ${found.origin}, and credentials go only where you say`,
    `Pass the address of the API as baseUrl, or the final URL of the document: ${found.origin}${found.pathname}.`,
  );
}

async function fromText(
  text: string,
  label: string,
  maxBytes: number,
  files?: DocumentFiles,
): Promise<OpenApiDocument> {
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(label, maxBytes);
  return asDocument(await parseText(text, label), label, files);
}

async function asDocument(value: unknown, label: string, files?: DocumentFiles): Promise<OpenApiDocument> {
  if (!isObject(value))
    throw new OpenApiDocumentError(label, `it is ${kindOf(value)}`, 'Pass an OpenAPI 3.0 or 3.1 document.');
  refuseOtherVersions(value, label);
  if (!isObject(value['paths']) && value['paths'] !== undefined)
    throw new OpenApiDocumentError(label, `its paths are ${kindOf(value['paths'])}`, 'Make them an object.');
  const whole = files === undefined ? value : await bundleDocument(value, files, label);
  const root = whole['swagger'] === undefined ? whole : await convertSwagger(whole, label);
  return new OpenApiDocument(root, label, files?.url);
}

function refuseOtherVersions({ openapi, swagger }: JsonObject, label: string): void {
  if (typeof openapi === 'string' && /^3\.\d/.test(openapi)) return;
  if (swagger === '2.0' || swagger === 2) return;
  if (swagger !== undefined)
    throw new OpenApiDocumentError(
      label,
      `it is Swagger ${JSON.stringify(swagger).slice(0, 20)}`,
      'Pass a document of Swagger 2.0, or of OpenAPI 3.0 or 3.1.',
    );
  const shown = typeof openapi === 'string' ? `"${openapi.slice(0, 20)}"` : kindOf(openapi);
  throw new OpenApiDocumentError(label, `its "openapi" is ${shown}`, 'Pass an OpenAPI 3.0 or 3.1 document.');
}
