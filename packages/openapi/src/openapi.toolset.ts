import { isIP } from 'node:net';

import { type AuthConfig, type ListingOptions, Toolset, type ToolsetContext } from '@adorn/core';
import { kindOf, suggestName } from '@adorn/core/backend';
import { type GuardedFetch, guardedFetch } from '@adorn/http';

import { declareOperation } from './declaration/declare-operation.js';
import {
  loadDocument,
  MAX_DOCUMENT_BYTES,
  type OpenApiSource,
  urlOfSource,
} from './document/load-document.js';
import { type OpenApiDocument, ReferenceFault } from './document/openapi-document.js';
import { findOperations, type FoundOperation, readOperation } from './document/read-operations.js';
import { OpenApiDocumentError, OpenApiOperationError, OpenApiOptionError } from './errors.js';
import { checkOptions, type OpenApiToolsetOptions } from './options.js';
import { RestApiTool } from './rest-api.tool.js';
import { type AuthOptions, isAuthConfig, operationAuth, SecurityFault } from './security/operation-auth.js';

/**
 * The operations of an OpenAPI 3.0 or 3.1 document as tools, one for each.
 *
 * @param source the document as an object or a text, the path of its file, or its http URL; read when the tools are first
 *   listed
 * @throws {OpenApiOptionError}
 * @example
 * const museum = openApiToolset('museum.yaml', { baseUrl: 'https://museum.example.com', only: ['getMuseumHours'] });
 */
export function openApiToolset(source: OpenApiSource, options: OpenApiToolsetOptions = {}): OpenApiToolset {
  return new OpenApiToolset(source, options);
}

/** Operations of an OpenAPI document as tools. */
export class OpenApiToolset extends Toolset {
  override readonly listing: ListingOptions;
  private readonly errors: OpenApiOperationError[] = [];
  private readonly clients: GuardedFetch[] = [];
  private loading: Promise<readonly RestApiTool[]> | undefined;

  /** @throws {OpenApiOptionError} */
  constructor(
    private readonly source: OpenApiSource,
    private readonly options: OpenApiToolsetOptions = {},
  ) {
    super();
    checkOptions(options);
    const isSource =
      typeof source === 'string' || (typeof source === 'object' && (source as unknown) !== null);
    if (!isSource)
      throw new OpenApiOptionError(`the document is ${kindOf(source)}`, 'Pass a path, a URL or a document.');
    this.listing = options.listing ?? { required: true };
  }

  /** The operations that cannot be tools, once the tools were listed. */
  get skipped(): readonly OpenApiOperationError[] {
    return this.errors;
  }

  /**
   * The tools: always the same ones. The document is read once; if that fails, again at the next listing.
   *
   * @throws {OpenApiDocumentError | OpenApiOptionError}
   */
  override async listTools(context?: ToolsetContext): Promise<readonly RestApiTool[]> {
    this.loading ??= this.load(context).catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  override async close(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((client) => client.close()));
    this.loading = undefined;
  }

  private async load(context: ToolsetContext | undefined): Promise<readonly RestApiTool[]> {
    this.errors.splice(0);
    const document = await this.loadDocument();
    const all = findOperations(document, this.options.prefix, this.errors);
    const { auth = {} } = this.options;
    refuseUnknownSchemes(document, auth);
    const fetchers = this.fetchers(document, auth);
    const tools = this.chosen(all).flatMap((found) => this.toolFor(document, found, fetchers) ?? []);
    for (const { message } of this.errors)
      context?.logger.warn('an operation was left out', { error: message });
    if (all.length === 0)
      throw new OpenApiDocumentError(
        document.label,
        'it has no operations',
        'Add paths with operations to it.',
      );
    const [first] = this.errors;
    if (tools.length === 0 && first !== undefined) throw first;
    return tools;
  }

  private async loadDocument(): Promise<OpenApiDocument> {
    const { source, options } = this;
    const hosts = statedHosts(urlOfSource(source)?.href);
    const fetch = guardedFetch({
      privateHosts: [...(options.privateHosts ?? []), ...hosts],
      maxBytes: MAX_DOCUMENT_BYTES,
    });
    try {
      return await loadDocument(source, fetch);
    } finally {
      await fetch.close();
    }
  }

  private chosen(all: readonly FoundOperation[]): readonly FoundOperation[] {
    const { only } = this.options;
    if (only === undefined) return all;
    if (typeof only === 'function') return all.filter(({ fields: _f, pathItem: _p, ...info }) => only(info));
    const known = new Set(all.flatMap(({ name, operationId = name }) => [name, operationId]));
    const unknown = only.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new OpenApiOptionError(
        `only names "${unknown}", which the document does not have`,
        suggestName(unknown, new Set([...known].slice(0, 200))),
      );
    return all.filter(({ name, operationId = name }) => only.includes(name) || only.includes(operationId));
  }

  /** A tool, or undefined for an operation that cannot be one. */
  private toolFor(
    document: OpenApiDocument,
    found: FoundOperation,
    fetchers: Fetchers,
  ): RestApiTool | undefined {
    const { baseUrl, serverVariables, auth: authOptions = {}, confirm, timeout, untrusted } = this.options;
    try {
      const operation = readOperation(document, found, { baseUrl, variables: serverVariables });
      const auth = authFor(document, found, authOptions, operation.baseUrl);
      if (auth.length > 0) refuseInsecure(operation.baseUrl, found, this.options.privateHosts ?? []);
      const declaration = declareOperation(document, operation);
      const fetch = operation.effect === 'read' ? fetchers.reading : fetchers.writing;
      return new RestApiTool({ document, operation, declaration, auth, fetch, confirm, timeout, untrusted });
    } catch (error) {
      if (!(error instanceof OpenApiOperationError)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }

  private fetchers(document: OpenApiDocument, auth: AuthOptions): Fetchers {
    const { baseUrl, privateHosts = [], timeout, maxBytes } = this.options;
    const settings = {
      privateHosts: [...privateHosts, ...statedHosts(baseUrl)],
      credentialHeaders: keyHeaders(document, auth),
      ...(timeout !== undefined && { timeout, bodyTimeout: timeout }),
      ...(maxBytes !== undefined && { maxBytes }),
    };
    // A redirect of a write is not repeated elsewhere: the model sees where it leads.
    const [reading, writing] = [guardedFetch(settings), guardedFetch({ ...settings, maxRedirects: 0 })];
    this.clients.push(reading, writing);
    return { reading, writing };
  }
}

interface Fetchers {
  readonly reading: GuardedFetch;
  readonly writing: GuardedFetch;
}

/** An address that the developer wrote out may be private; a name may not, as it may be resolved to anything. */
function statedHosts(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (hostname !== 'localhost' && isIP(host) === 0) return [];
  return [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`];
}

/** The headers that hold API keys. */
function keyHeaders(document: OpenApiDocument, auth: AuthOptions): string[] {
  const own = isAuthConfig(auth) ? [auth.scheme] : Object.values(auth).map(({ scheme }) => scheme);
  const schemes = [...Object.values(document.securitySchemes), ...own] as (
    { in?: unknown; name?: unknown } | undefined
  )[];
  return schemes
    .filter((scheme) => scheme?.in === 'header')
    .map((scheme) => String(scheme?.name))
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
}

function refuseUnknownSchemes(document: OpenApiDocument, auth: AuthOptions): void {
  if (isAuthConfig(auth)) return;
  const known = new Set(Object.keys(document.securitySchemes));
  const unknown = Object.keys(auth).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new OpenApiOptionError(
    `auth names the security scheme "${unknown}", which the document does not have`,
    known.size === 0
      ? 'Pass one AuthConfig for all operations: { scheme, credential }.'
      : suggestName(unknown, known),
  );
}

function authFor(
  document: OpenApiDocument,
  { fields, method, path }: FoundOperation,
  auth: AuthOptions,
  { host }: URL,
): readonly AuthConfig[] {
  try {
    return operationAuth(document, fields, auth, host);
  } catch (error) {
    if (error instanceof SecurityFault || error instanceof ReferenceFault)
      throw new OpenApiOperationError(`${method} ${path}`, error.message);
    throw error;
  }
}

/** Credentials go over https, or to this machine. */
function refuseInsecure(url: URL, { method, path }: FoundOperation, privateHosts: readonly string[]): void {
  const isLocal = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(url.hostname);
  if (
    url.protocol === 'https:' ||
    isLocal ||
    [url.host, url.hostname].some((host) => privateHosts.includes(host))
  )
    return;
  throw new OpenApiOperationError(
    `${method} ${path}`,
    `its credential would be sent over http to ${url.host}, where others can read it`,
    "Pass the API's https address as baseUrl.",
  );
}
