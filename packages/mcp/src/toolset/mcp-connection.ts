/* eslint-disable max-lines -- opening, listing, calling and renewing share the state of one connection */
import { setTimeout as delay } from 'node:timers/promises';

import { AdornError, type Logger } from '@adorn/core';
import { Boundary, describeThrown } from '@adorn/core/backend';
import type {
  Client,
  ClientOptions,
  JsonSchemaValidator,
  RequestOptions,
  StandardSchemaV1,
  Transport,
} from '@modelcontextprotocol/client';

import { McpRequestFailedError, McpServerUnavailableError } from '../errors.js';
import { isRefusal } from './credential-refusal.js';
import type { EventStreams } from './event-streams.js';
import {
  ADDRESSES_REQUIRED,
  failureOf,
  RedirectedError,
  type ServerFailure,
  UNANSWERED,
} from './server-failure.js';
import type { RawResult } from './tool-result.js';

/** A transport, and what to do with it besides. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Ends the session on the server, where there is one. */
  endSession?(): Promise<void>;
  /** The streams on which the server tells of changes; undefined if it can tell as long as the transport is open. */
  readonly streams?: EventStreams;
  /** Whether to ask the server which revisions it speaks: one that predates the question answers it with an error. */
  readonly negotiates?: boolean;
  /** Another transport, for a server that does not know this one, or fails when it is asked for its revisions. */
  fallback?(): Promise<OpenedTransport>;
  /** How the program of the server ended and what it said last; undefined while it runs. */
  ending?(): Promise<ServerFailure | undefined>;
}

/** What a connection is made with. */
export interface ConnectionFields {
  /** The server's name for messages, without secrets. */
  readonly server: string;
  /** True if the server gets a credential: its refusal is then told as it came. */
  readonly hasCredential: boolean;
  readonly open: (logger: Logger) => Promise<OpenedTransport>;
  readonly capabilities: NonNullable<ClientOptions['capabilities']>;
  /** Prepares a client before it connects, such as its handlers. */
  readonly prepare: (client: Client) => void;
  /** Called when what the server has listed may be another list now: it says so, or there is a new connection. Never throws. */
  readonly toolsChanged: (logger: Logger) => void;
}

/** A connected client. Requests of one session go through one. */
export interface OpenClient {
  readonly client: Client;
  readonly opened: OpenedTransport;
  /** Number of requests that wait for an answer. */
  requests: number;
  /** True if its session is forgotten: it closes once its last request is answered. */
  isReplaced: boolean;
  /** True while the server is subscribed to, in a revision in which it tells subscribers only. */
  isFollowed: boolean;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
const CONNECT_MS = 30_000;
const END_SESSION_MS = 2_000;
const PING_MS = 5_000;

/** Takes any result: what a server answers is read field by field. */
export const RAW: StandardSchemaV1<unknown, RawResult> = {
  '~standard': { version: 1, vendor: 'adorn', validate: (value) => ({ value: value as RawResult }) },
};

/**
 * A connection to one server, opened at its first use and again after it was lost. After a failure the next attempt waits,
 * twice as long each time, up to 30 seconds; an answer of the server ends the waiting.
 */
export class McpConnection {
  private opening: Promise<OpenClient> | undefined;
  /** Ends a connection that is being opened. */
  private abandon = new AbortController();
  private failures = 0;
  private retryAt = 0;
  /** The client that is connected. */
  private current: OpenClient | undefined;
  private hasBeenOpen = false;

  constructor(private readonly fields: ConnectionFields) {}

  /** True while the server can tell that its list of tools has changed, and has said that it does. */
  get tellsChanges(): boolean {
    return this.current !== undefined && tellsChanges(this.current);
  }

  /** True while the next attempt to connect waits. */
  get isResting(): boolean {
    return this.opening === undefined && this.retryAt > performance.now();
  }

  /**
   * Sends a request. If the server has forgotten the session, a new one begins, and a request that it refused for that is sent
   * once more in it.
   *
   * @throws {McpServerUnavailableError} if the server cannot be reached or started
   * @throws {McpRequestFailedError} if it refuses the request, or will not answer it
   */
  async request<Result>(
    send: (client: Client, options: RequestOptions) => Promise<Result>,
    { logger, ...options }: RequestOptions & { readonly logger: Logger },
  ): Promise<Result> {
    const open = await this.client(logger, options.signal);
    try {
      return await this.sendTo(open, send, options);
    } catch (error) {
      const isForgotten = await this.hasForgotten(error, open, options.signal);
      if (isForgotten) this.replace(open);
      if (!isForgotten || isServerFault(error)) throw await this.failed(error, open, options.signal);
    }
    const next = await this.client(logger, options.signal);
    try {
      return await this.sendTo(next, send, options);
    } catch (error) {
      throw await this.failed(error, next, options.signal);
    }
  }

  /**
   * True if a server over HTTP does not know the session any more, whatever it says. HTTP 404 and 410 say so. Of another error it
   * is known by a ping in the same session, if that is answered in the same way.
   */
  private async hasForgotten(
    error: unknown,
    { client, opened }: OpenClient,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const refusal = refusalOf(error);
    if (opened.transport.sessionId === undefined || refusal === undefined || signal?.aborted === true)
      return false;
    if (refusal === 'HTTP 404' || refusal === 'HTTP 410') return true;
    const pinged = await client
      .request({ method: 'ping' }, RAW, { timeout: PING_MS, ...(signal !== undefined && { signal }) })
      .then(noop, refusalOf);
    return pinged === refusal;
  }

  /** The error of a request, in words. */
  private async failed(
    error: unknown,
    { opened }: OpenClient,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { server, hasCredential } = this.fields;
    if (signal?.aborted === true || AdornError.is(error) || (hasCredential && isRefusal(error))) return error;
    return new McpRequestFailedError(server, await describe(error, opened), { cause: error });
  }

  private async sendTo<Result>(
    open: OpenClient,
    send: (client: Client, options: RequestOptions) => Promise<Result>,
    options: RequestOptions,
  ): Promise<Result> {
    open.requests++;
    try {
      return this.answered(await send(open.client, options));
    } finally {
      open.requests--;
      closeIfReplaced(open);
    }
  }

  /** The connected client; opens it if there is none. */
  private async client(logger: Logger, signal: AbortSignal | undefined): Promise<OpenClient> {
    if (this.opening === undefined) {
      await this.waitForRetry(signal);
      this.opening ??= this.connect(logger);
    }
    return until(this.opening, signal);
  }

  private async waitForRetry(signal: AbortSignal | undefined): Promise<void> {
    const wait = this.retryAt - performance.now();
    if (wait > 0) await delay(wait, undefined, { ...(signal !== undefined && { signal }), ref: false });
  }

  private async connect(logger: Logger): Promise<OpenClient> {
    const { server, hasCredential, open } = this.fields;
    // Until an answer comes, each connection counts as failed: a server that dies at once is not started in a loop.
    this.countFailure();
    let opened: OpenedTransport | undefined;
    try {
      opened = await open(logger);
      this.current = this.answered(await this.connectWith(opened, logger));
      // What was listed over an earlier connection may be another list now: the server may be another.
      if (this.hasBeenOpen) this.fields.toolsChanged(logger);
      this.hasBeenOpen = true;
      return this.current;
    } catch (error) {
      this.opening = undefined;
      if (hasCredential && isRefusal(error)) throw error;
      const failure = withFallback(await describe(error, opened), error, opened);
      throw new McpServerUnavailableError(server, failure, { cause: error });
    }
  }

  /** Connects over a transport, or over its fallback if the server does not know it. */
  private async connectWith(opened: OpenedTransport, logger: Logger): Promise<OpenClient> {
    const { signal } = this.abandon;
    try {
      return await this.initialize(opened, logger);
    } catch (error) {
      await opened.transport.close().catch(noop);
      const cause = causeOf(error);
      // A server may fail in any way at a question that it does not know.
      const isUnknown = refusesTransport(cause) || opened.negotiates === true;
      const isFinal = isRefusal(cause) || cause instanceof RedirectedError || signal.aborted;
      if (opened.fallback === undefined || !isUnknown || isFinal) throw cause;
      const other = await opened.fallback();
      return await this.connectWith(other, logger).catch((reason: unknown) => {
        throw isRefusal(reason) ? reason : cause;
      });
    }
  }

  private async initialize(opened: OpenedTransport, logger: Logger): Promise<OpenClient> {
    const { server, capabilities, prepare, toolsChanged } = this.fields;
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client(
      { name: 'adorn', version: VERSION },
      {
        capabilities,
        jsonSchemaValidator: TRUSTING,
        versionNegotiation: { mode: opened.negotiates === true ? 'auto' : 'legacy', probe: PROBE },
      },
    );
    const made: OpenClient = { client, opened, requests: 0, isReplaced: false, isFollowed: false };
    const boundary = new Boundary((error) => {
      logger.warn(`MCP server ${server}: ${describeThrown(error).message}`);
    });
    const changed = boundary.guard(() => {
      toolsChanged(logger);
    });
    opened.streams?.onReopen(changed);
    client.onclose = boundary.guard(() => {
      this.lost(made, logger);
    });
    client.onerror = boundary.guard((error: Error) => {
      logger.info(`MCP server ${server}: ${describeThrown(error).message}`);
    });
    client.setNotificationHandler('notifications/tools/list_changed', changed);
    prepare(client);
    const { signal } = this.abandon;
    const stop = (): void => void opened.transport.close().catch(noop);
    // The question for the revisions does not listen to the signal.
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect(opened.transport, { timeout: CONNECT_MS, signal });
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (isModern(client) && client.getServerCapabilities()?.tools?.listChanged === true)
      void followChanges(made, changed);
    return made;
  }

  private answered<Result>(result: Result): Result {
    this.failures = 0;
    this.retryAt = 0;
    return result;
  }

  private countFailure(): void {
    const wait = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.failures++);
    this.retryAt = performance.now() + wait;
  }

  private lost(open: OpenClient, logger: Logger): void {
    if (this.current !== open) return;
    this.forget();
    this.fields.toolsChanged(logger);
  }

  private forget(): void {
    this.opening = undefined;
    this.current = undefined;
  }

  /** Closes a session that the server has forgotten. Other requests of the session may still be answered. */
  private replace(open: OpenClient): void {
    if (this.current === open) this.forget();
    open.isReplaced = true;
    closeIfReplaced(open);
  }

  /** Ends the session and closes the connection. It is opened again by the next request. */
  async close(): Promise<void> {
    this.abandon.abort(new Error('the connection was closed'));
    this.abandon = new AbortController();
    const open = await this.opening?.catch(noop);
    this.forget();
    this.answered(undefined);
    if (open === undefined) return;
    const ended = open.opened.endSession?.().catch(noop);
    await Promise.race([ended, delay(END_SESSION_MS, undefined, { ref: false })]);
    await open.client.close().catch(noop);
  }
}

const VERSION = '0.1.0';

/** True if the server speaks the revision of 2026-07-28 or a later one, in which it sends no requests of its own. */
export function isModern(client: Client): boolean {
  return client.getProtocolEra() === 'modern';
}

/** Why the server could not be asked for its revisions, if that failed. */
function causeOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ERA_NEGOTIATION_FAILED' && cause !== undefined ? cause : error;
}

/** Listens for changes of the list of tools; a modern server sends them to subscribers only. Never rejects. */
async function followChanges(open: OpenClient, toolsChanged: () => void): Promise<void> {
  try {
    for (let isFirst = true; ; isFirst = false) {
      const { closed } = await open.client.listen({ toolsListChanged: true });
      open.isFollowed = true;
      // What changed meanwhile was not told.
      if (!isFirst) toolsChanged();
      if ((await closed) !== 'remote') break;
      open.isFollowed = false;
      await delay(LISTEN_AGAIN_MS, undefined, { ref: false });
    }
  } catch {
    // The connection is closed, or the server does not tell.
  }
  open.isFollowed = false;
}

function tellsChanges({ client, opened, isFollowed }: OpenClient): boolean {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return false;
  return isModern(client) ? isFollowed : (opened.streams?.isOpen ?? true);
}

const LISTEN_AGAIN_MS = 1_000;

/** A server that does not answer the question for its revisions is not asked again. */
const PROBE = { timeoutMs: 5_000, maxRetries: 0 };

/** How a server over HTTP answers to the first message of a transport that it does not know, as the protocol says. */
const UNKNOWN_TRANSPORT: ReadonlySet<unknown> = new Set([400, 404, 405]);

/** The results of tools are checked by Adorn, whose patterns have a time limit. */
const TRUSTING: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
  },
};

function closeIfReplaced({ client, requests, isReplaced }: OpenClient): void {
  if (isReplaced && requests === 0) void client.close().catch(noop);
}

/**
 * How a server refused a request, by which it may say that it does not know the session; undefined for any other error: of the
 * credential, of the method, of the arguments, of its own code.
 */
function refusalOf(error: unknown): string | undefined {
  const { code, status } = (error ?? {}) as { readonly code?: unknown; readonly status?: unknown };
  if (typeof code === 'number') return isOfServer(code) ? String(code) : undefined;
  return typeof status === 'number' && status >= 400 && !isRefusal(error)
    ? `HTTP ${String(status)}`
    : undefined;
}

/** The codes of JSON-RPC that servers give a meaning of their own, and the one of an invalid request. */
function isOfServer(code: number): boolean {
  if (code === UNANSWERED || code === ADDRESSES_REQUIRED) return false;
  return code === -32_600 || (code >= -32_099 && code <= -32_000);
}

/** True for an error of a server that may have begun with the request. */
function isServerFault(error: unknown): boolean {
  const { code, status } = (error ?? {}) as { readonly code?: unknown; readonly status?: unknown };
  return typeof code !== 'number' && typeof status === 'number' && status >= 500;
}

async function describe(error: unknown, opened: OpenedTransport | undefined): Promise<ServerFailure> {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const hasClosed = code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED';
  return (hasClosed ? await opened?.ending?.() : undefined) ?? failureOf(error);
}

/** True if a server answered as one that does not know the transport. */
function refusesTransport(error: unknown): boolean {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return UNKNOWN_TRANSPORT.has(status);
}

/** Says that an HTTP server has not opened a stream of events either, where that was tried. */
function withFallback(
  failure: ServerFailure,
  error: unknown,
  opened: OpenedTransport | undefined,
): ServerFailure {
  if (opened?.fallback === undefined || !refusesTransport(error)) return failure;
  return { ...failure, reason: `${failure.reason}, and opened no stream of events (SSE) either` };
}

/** Waits for a promise, but no longer than until the signal is aborted. */
function until<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop);
    });
  });
}

function noop(): void {
  // The connection is given up in any case.
}
