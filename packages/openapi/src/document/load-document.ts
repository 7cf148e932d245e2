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

/** The largest document, in bytes, unless the developer states another limit. */
export const MAX_DOCUMENT_BYTES = 10_485_760;

/** How many values may come from aliases of YAML: some multiply a small text. */
const MOST_ALIASES = 10_000;

/** The longest message of a parser that is told. */
const LONGEST_FAULT = 200;

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
    return fromText(await readBounded(source, maxBytes), `"${String(source)}"`, maxBytes);
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
    return await fromText(text, label, maxBytes, found);
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
 * Whoever answers at the developer's URL must not choose where credentials go: an operation is called at the origin of the
 * document.
 */
function refuseOtherOrigin(stated: URL, found: URL, label: string): void {
  if (stated.origin === found.origin) return;
  throw new OpenApiDocumentError(
    label,
    `${stated.origin} redirects to ${found.origin}, and credentials go only where you say`,
    `Pass the address of the API as baseUrl, or the final URL of the document: ${found.origin}${found.pathname}.`,
  );
}

/** Never more than the limit: a device file has no end. */
async function readBounded(path: string | URL, maxBytes: number): Promise<string> {
  const label = `"${String(path)}"`;
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxBytes) throw tooLarge(label, maxBytes);
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

async function fromText(text: string, label: string, maxBytes: number, url?: URL): Promise<OpenApiDocument> {
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(label, maxBytes);
  if (text.trim() === '') throw new OpenApiDocumentError(label, 'it is empty', 'Check the text.');
  return asDocument(await parseText(text, label), label, url);
}

/** JSON is YAML as well, and the parser of YAML tells the line of a fault. */
async function parseText(text: string, label: string): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { parse } = await import('yaml');
    try {
      return parse(text, { merge: true, maxAliasCount: MOST_ALIASES }) as unknown;
    } catch (cause) {
      const [first = ''] = (cause as Error).message.split('\n');
      const fault = first.replace(/:$/, '').slice(0, LONGEST_FAULT);
      throw new OpenApiDocumentError(label, `it is neither JSON nor YAML: ${fault}`, 'Check the text.', {
        cause,
      });
    }
  }
}

function tooLarge(label: string, maxBytes: number, cause?: unknown): OpenApiDocumentError {
  return new OpenApiDocumentError(
    label,
    `it has more than ${String(maxBytes)} bytes`,
    'Pass a larger maxDocumentBytes, or keep the operations that are needed.',
    { cause },
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
