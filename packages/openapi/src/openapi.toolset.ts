import { setImmediate } from 'node:timers/promises';

import { Toolset, type ToolsetContext } from '@adorn/core';
import { kindOf, type ListingOptions } from '@adorn/core/backend';
import { type GuardedFetch, guardedFetch } from '@adorn/http';

import { declareOperation } from './declaration/declare-operation.js';
import {
  loadDocument,
  MAX_DOCUMENT_BYTES,
  type OpenApiSource,
  urlOfSource,
} from './document/load-document.js';
import type { OpenApiDocument } from './document/openapi-document.js';
import { OpenApiDocumentError, OpenApiOperationError, OpenApiOptionError, OperationFault } from './errors.js';
import { findOperations, type FoundOperation, readOperation } from './document/read-operations.js';
import { isChosen, refuseUnknownNames } from './operation-choice.js';
import { checkOptions, type OpenApiToolsetOptions } from './options.js';
import { RestApiTool } from './rest-api.tool.js';
import { refuseInsecure, statedHosts } from './security/api-hosts.js';
import { operationAuth, refuseUnknownSchemes, withoutFixedParameters } from './security/operation-auth.js';

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

/** Providers take some hundred. */
const MOST_TOOLS = 2_000;

/** How many tools are made in one go. */
const AT_ONCE = 10;

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

  /** Shared by all runs: it continues if the run that started it is cancelled. */
  private async load(context: ToolsetContext | undefined): Promise<readonly RestApiTool[]> {
    this.errors.splice(0);
    const document = await this.loadDocument();
    const all = findOperations(document, this.options.prefix, this.errors);
    const { auth = {} } = this.options;
    refuseUnknownSchemes(document, auth);
    const fetchers = this.fetchers();
    const chosen = this.chosen(all);
    if (chosen.length > MOST_TOOLS)
      throw new OpenApiDocumentError(
        document.label,
        `it has ${String(chosen.length)} operations, and no more than ${String(MOST_TOOLS)} can be tools`,
        'Choose some with only or except.',
      );
    const tools: RestApiTool[] = [];
    for (const found of chosen) {
      const tool = this.toolFor(document, found, fetchers);
      if (tool !== undefined) tools.push(tool);
      // A large document must not hold up other runs, nor the time limit of the listing.
      if (tools.length % AT_ONCE === 0) await setImmediate();
    }
    for (const { message } of this.errors)
      context?.logger.warn('an operation was left out', { error: message });
    const [first] = this.errors;
    if (tools.length === 0 && first !== undefined) throw first;
    if (all.length === 0)
      throw new OpenApiDocumentError(
        document.label,
        'it has no operations',
        'Add paths with operations to it.',
      );
    return tools;
  }

  private async loadDocument(): Promise<OpenApiDocument> {
    const { source } = this;
    const { baseUrl, privateHosts = [], maxDocumentBytes: maxBytes = MAX_DOCUMENT_BYTES } = this.options;
    const hosts = statedHosts(urlOfSource(source)?.href);
    const fetch = guardedFetch({ privateHosts: [...privateHosts, ...hosts], maxBytes });
    try {
      return await loadDocument(source, { fetch, maxBytes, hasBaseUrl: baseUrl !== undefined });
    } finally {
      await fetch.close();
    }
  }

  private chosen(all: readonly FoundOperation[]): readonly FoundOperation[] {
    const { only, except, confirm } = this.options;
    for (const [option, names] of Object.entries({ only, except, confirm }))
      if (Array.isArray(names)) refuseUnknownNames(option, names, all);
    return all.filter(({ fields: _f, pathItem: _p, ...info }) => {
      if (only !== undefined && !isChosen(only, info)) return false;
      return except === undefined || !isChosen(except, info);
    });
  }

  /** A tool, or undefined for an operation that cannot be one. */
  private toolFor(
    document: OpenApiDocument,
    found: FoundOperation,
    fetchers: Fetchers,
  ): RestApiTool | undefined {
    const { baseUrl, serverVariables, auth: brought = {}, headers = {}, ...options } = this.options;
    try {
      const described = readOperation(document, found, { baseUrl, variables: serverVariables });
      const auth = operationAuth(document, found.fields, brought, described.baseUrl.host);
      const operation = withoutFixedParameters(described, auth, headers);
      if (auth.length > 0) refuseInsecure(operation.baseUrl, this.options.privateHosts ?? []);
      const declaration = declareOperation(document, operation);
      const fetch = operation.effect === 'read' ? fetchers.reading : fetchers.writing;
      return new RestApiTool({ document, operation, declaration, auth, fetch, headers, options });
    } catch (error) {
      if (!(error instanceof OperationFault)) throw error;
      const { fault, cure } = error;
      const place = `${found.method} ${found.path}`;
      this.errors.push(new OpenApiOperationError(place, fault, cure && `${cure}.`));
      return undefined;
    }
  }

  private fetchers(): Fetchers {
    const { baseUrl, privateHosts = [], timeout, maxBytes } = this.options;
    const settings = {
      privateHosts: [...privateHosts, ...statedHosts(baseUrl ?? urlOfSource(this.source)?.href)],
      credentialHeaders: 'all' as const,
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
