import { setTimeout as delay } from 'node:timers/promises';

import { AdornError, type Logger } from '@adorn/core';
import { Boundary, describeThrown } from '@adorn/core/backend';
import type {
  Client,
  ClientOptions,
  JsonSchemaValidator,
  RequestOptions,
  Transport,
} from '@modelcontextprotocol/client';

import { McpRequestFailedError, McpServerUnavailableError } from '../errors.js';
import { isRefusal } from './credential-refusal.js';
import { failureOf, RedirectedError, type ServerFailure } from './server-failure.js';

/** A transport, and what to do with it besides. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Ends the session on the server, where there is one. */
  endSession?(): Promise<void>;
  /** Called once the transport has closed. */
  closed?(): void;
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
  /** Called when the server reports a changed list of tools. */
  readonly toolsChanged: () => void;
}

/** A connected client. Requests of one session go through one. */
export interface OpenClient {
  readonly client: Client;
  readonly opened: OpenedTransport;
  /** Number of requests that wait for an answer. */
  requests: number;
  /** True if its session is forgotten: it closes once its last request is answered. */
  isReplaced: boolean;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
const CONNECT_MS = 30_000;
const END_SESSION_MS = 2_000;

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

  constructor(private readonly fields: ConnectionFields) {}

  /**
   * Sends a request. A request that the server refused because it has forgotten the session is sent once more, in a new one.
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
      if (!isForgottenSession(error, open)) throw await this.failed(error, open, options.signal);
      await this.replace(open);
    }
    const next = await this.client(logger, options.signal);
    try {
      return await this.sendTo(next, send, options);
    } catch (error) {
      throw await this.failed(error, next, options.signal);
    }
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
      return this.answered(await this.connectWith(opened, logger));
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
      opened.closed?.();
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
    const made: OpenClient = { client, opened, requests: 0, isReplaced: false };
    const boundary = new Boundary((error) => {
      logger.warn(`MCP server ${server}: ${describeThrown(error).message}`);
    });
    client.onclose = boundary.guard(() => {
      this.lost(made);
    });
    client.onerror = boundary.guard((error: Error) => {
      logger.info(`MCP server ${server}: ${describeThrown(error).message}`);
    });
    client.setNotificationHandler('notifications/tools/list_changed', toolsChanged);
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
      void followChanges(client, toolsChanged);
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

  private lost({ opened, client }: OpenClient): void {
    opened.closed?.();
    void this.opening?.then((current) => {
      if (current.client === client) this.opening = undefined;
    }, noop);
  }

  /** Closes a session that the server has forgotten. Other requests of the session may still be answered. */
  private async replace(open: OpenClient): Promise<void> {
    const current = await this.opening?.catch(noop);
    if (current?.client === open.client) this.opening = undefined;
    open.isReplaced = true;
    closeIfReplaced(open);
  }

  /** Ends the session and closes the connection. It is opened again by the next request. */
  async close(): Promise<void> {
    this.abandon.abort(new Error('the connection was closed'));
    this.abandon = new AbortController();
    const open = await this.opening?.catch(noop);
    this.opening = undefined;
    this.answered(undefined);
    if (open === undefined) return;
    const ended = open.opened.endSession?.().catch(noop);
    await Promise.race([ended, delay(END_SESSION_MS, undefined, { ref: false })]);
    await open.client.close().catch(noop);
    open.opened.closed?.();
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
async function followChanges(client: Client, toolsChanged: () => void): Promise<void> {
  try {
    for (;;) {
      const { closed } = await client.listen({ toolsListChanged: true });
      if ((await closed) !== 'remote') return;
      await delay(LISTEN_AGAIN_MS, undefined, { ref: false });
      // What changed meanwhile was not told.
      toolsChanged();
    }
  } catch {
    // The connection is closed, or the server does not tell.
  }
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

/** True if a server over HTTP refused a request before it read it, because it does not know the session: 404 alone says so. */
function isForgottenSession(error: unknown, { opened }: OpenClient): boolean {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return status === 404 && opened.transport.sessionId !== undefined;
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
