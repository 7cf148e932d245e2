import { lookup } from 'node:dns/promises';

import { AdornError } from '@adorn/core';
import type { Agent } from 'undici';

import { AddressBlockedError, HttpRequestError } from './errors.js';
import { HostGuard } from './host-guard.js';
import { checkOptions, type GuardedFetchOptions } from './options.js';
import { checkUrl, type Hop, locationOf, nextHop } from './redirect.js';
import { setTraceHeaders } from './trace-context.js';

/** A `fetch` that is safe for addresses that somebody else may influence. */
export interface GuardedFetch {
  /**
   * @returns the response of the last hop; `url` is where it came from
   * @throws {AddressBlockedError} if the URL, a redirect or a resolved address is not allowed
   * @throws {HttpRequestError} if the server cannot be reached or exceeds a limit; also while the body is read
   */
  (input: string | URL, init?: RequestInit): Promise<Response>;
  /** Closes idle connections. Requests under way are aborted. */
  close(): Promise<void>;
}

const DEFAULTS = { timeout: 30_000, bodyTimeout: 30_000, maxBytes: 10_485_760, maxRedirects: 5 };

/** A longer delay is none to Node's timers. */
const LONGEST_MS = 2_147_483_647;

/**
 * Creates a fetch that connects to public addresses only, checked at the moment of connecting; follows redirects hop by
 * hop, without credentials for other origins; and bounds time and size. No proxy of the environment is used.
 *
 * @throws {HttpOptionInvalidError}
 * @example
 * const fetch = guardedFetch({ timeout: 5_000 });
 * const page = await fetch(address);
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  checkOptions(options);
  const client = new GuardedClient(options);
  const fetch = (input: string | URL, init?: RequestInit) => client.fetch(input, init);
  return Object.assign(fetch, { close: () => client.close() });
}

class GuardedClient {
  private readonly limits: typeof DEFAULTS;
  private readonly guard: HostGuard;
  private agent: Promise<Agent> | undefined;

  constructor(private readonly options: GuardedFetchOptions) {
    const { timeout, bodyTimeout, maxBytes, maxRedirects } = options;
    this.limits = {
      timeout: timeout ?? DEFAULTS.timeout,
      bodyTimeout: bodyTimeout ?? DEFAULTS.bodyTimeout,
      maxBytes: maxBytes ?? DEFAULTS.maxBytes,
      maxRedirects: maxRedirects ?? DEFAULTS.maxRedirects,
    };
    this.guard = new HostGuard(options.privateHosts ?? []);
  }

  async fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const address = String(input);
    if (!URL.canParse(address)) throw new AddressBlockedError('it has no absolute URL', 'Pass an http URL.');
    const url = new URL(address);
    const { host } = url;
    let hop: Hop = { url, init: await withHeaders(init, host) };
    const stop = new AbortController();
    const timer = this.startTimer(stop, host);
    const signals = [stop.signal, ...(init.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await this.send(hop, signal);
        const location = locationOf(response);
        if (location === undefined || this.limits.maxRedirects === 0) return this.bounded(response, hop.url);
        void response.body?.cancel().catch(ignore);
        if (redirects === this.limits.maxRedirects)
          throw new HttpRequestError('redirects', host, `it redirects more than ${String(redirects)} times`);
        hop = nextHop(hop, response.status, location, this.options.credentialHeaders ?? []);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const agent = await this.agent;
    this.agent = undefined;
    await agent?.destroy();
  }

  private startTimer(stop: AbortController, host: string): NodeJS.Timeout | undefined {
    const { timeout } = this.limits;
    if (timeout > LONGEST_MS) return undefined;
    return setTimeout(() => {
      stop.abort(new HttpRequestError('timeout', host, `no response came in ${String(timeout)} ms`));
    }, timeout);
  }

  private async send({ url, init }: Hop, signal: AbortSignal): Promise<Response> {
    checkUrl(url);
    const [undici, dispatcher] = await Promise.all([import('undici'), (this.agent ??= this.createAgent())]);
    const request = { ...init, redirect: 'manual', dispatcher, signal, duplex: 'half' };
    try {
      // undici's types and Node's describe the same objects.
      return await undici.fetch(url.href, request as never);
    } catch (error) {
      throw reasonOf(error, signal, url.host);
    }
  }

  private async createAgent(): Promise<Agent> {
    const { guardedAgent } = await import('./guarded-agent.js');
    const { resolve = (hostname: string) => lookup(hostname, { all: true }) } = this.options;
    return guardedAgent(this.guard, resolve);
  }

  private bounded(response: Response, { href, host }: URL): Response {
    const { status, statusText, headers, body } = response;
    const { maxBytes, bodyTimeout } = this.limits;
    if (Number(headers.get('content-length') ?? 0) > maxBytes) {
      void body?.cancel().catch(ignore);
      throw new HttpRequestError('tooLarge', host, tooLarge(maxBytes));
    }
    const timeout = bodyTimeout > LONGEST_MS ? Infinity : bodyTimeout;
    const limited = body === null ? null : boundedBody(body, { host, maxBytes, timeout });
    const copy = new Response(limited, { status, statusText, headers: [...headers] });
    return Object.defineProperty(copy, 'url', { value: href });
  }
}

/** The form of another copy of undici would be sent as a text, so a form is written out with the platform's own. */
async function withHeaders(init: RequestInit, host: string): Promise<Hop['init']> {
  const headers = headersOf(init, host);
  setTraceHeaders(headers);
  if (!(init.body instanceof FormData)) return { ...init, headers };
  const written = new Response(init.body);
  headers.set('content-type', written.headers.get('content-type') ?? '');
  return { ...init, headers, body: await written.arrayBuffer() };
}

/** The error of `Headers` quotes the value, which may be a secret. */
function headersOf({ headers }: RequestInit, host: string): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new HttpRequestError('invalid', host, 'a header is not valid');
  }
}

/** fetch hides why a connection failed in `cause`, which may be nested. */
function reasonOf(error: unknown, signal: AbortSignal, host: string): unknown {
  if (signal.aborted) return signal.reason;
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (AdornError.is(cause)) return cause;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
  const isInvalid = error instanceof TypeError && error.cause === undefined;
  if (isInvalid) return new HttpRequestError('invalid', host, 'it cannot be sent as it is', { cause: error });
  const shown = typeof code === 'string' ? ` (${code})` : '';
  return new HttpRequestError('unreachable', host, `the server could not be reached${shown}`, {
    cause: error,
  });
}

function ignore(): void {
  // The response is not wanted any more, or its reader was told why it failed.
}

/** The limits of one response body. */
interface BodyLimits {
  readonly host: string;
  readonly maxBytes: number;
  readonly timeout: number;
}

/** A body that fails beyond its limits. What is left of the source is cancelled, which closes the connection. */
function boundedBody(
  source: ReadableStream<Uint8Array>,
  { host, maxBytes, timeout }: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (error?: Error): void => {
    clearTimeout(timer);
    if (error !== undefined) void reader.cancel(error).catch(ignore);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (timeout === Infinity) return;
      timer = setTimeout(() => {
        const late = new HttpRequestError('timeout', host, `the body did not end in ${String(timeout)} ms`);
        controller.error(late);
        end(late);
      }, timeout);
      timer.unref();
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) throw new HttpRequestError('tooLarge', host, tooLarge(maxBytes));
        controller.enqueue(value);
      } catch (error) {
        end(error as Error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

function tooLarge(maxBytes: number): string {
  return `the body has more than ${String(maxBytes)} bytes`;
}
