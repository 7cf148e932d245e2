import type { AuthCredential } from '@adorn/core';
import { setTraceHeaders } from '@adorn/http';

import { EventStreams } from './event-streams.js';
import { UnansweredRequests } from './unanswered-requests.js';
import type { OpenedTransport } from './mcp-connection.js';
import { HttpStatusError, RedirectedError } from './server-failure.js';
import type { HttpServer } from './mcp-toolset-options.js';

/** How a stream that broke is taken up again, by the id of its last event. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

interface HttpOptions {
  readonly maxMessageBytes: number;
  readonly credential: () => AuthCredential | undefined;
}

/**
 * A transport for streamable HTTP, with the credential that is current at each request. The server is asked which revisions
 * it speaks. One that fails at that is not asked, and one that does not know the transport is connected to as in the
 * revision of 2024: over a stream of server-sent events and an endpoint for messages.
 */
export async function openHttp(server: HttpServer, options: HttpOptions): Promise<OpenedTransport> {
  const send = boundedFetch(options.maxMessageBytes, () => authorization(options.credential()));
  const silent = async (): Promise<OpenedTransport> => ({
    ...(await openStreamable(server, send)),
    fallback: () => openSse(server, send),
  });
  return { ...(await openStreamable(server, send)), negotiates: true, fallback: silent };
}

async function openStreamable({ url, headers }: HttpServer, send: Fetch): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const streams = new EventStreams();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: followingFetch(answeringFetch(send), streams),
    reconnectionOptions: RECONNECTION,
  });
  new UnansweredRequests(transport);
  return { transport, streams, endSession: () => transport.terminateSession() };
}

async function openSse({ url, headers = {} }: HttpServer, send: Fetch): Promise<OpenedTransport> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/client');
  const streams = new EventStreams();
  let isOpen = false;
  let refusal: HttpStatusError | undefined;
  const transport = new SSEClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (target, init) => {
      const isStream = init?.method !== 'POST';
      if (isStream && isOpen) throw new Error('the stream of the server has ended');
      isOpen ||= isStream;
      const sent = new Headers({ ...headers, ...Object.fromEntries(new Headers(init?.headers)) });
      const response = await send(target, { ...init, headers: sent });
      if (response.ok) return isStream ? followed(response, streams) : response;
      throw (refusal = new HttpStatusError(response, await response.text()));
    },
  });
  // A new stream is a new session, which has to be initialized: this one is over, and nothing is sent in it any more.
  streams.onEnd(() => void transport.close());
  const start = transport.start.bind(transport);
  transport.start = () =>
    start().catch((error: unknown) => {
      throw refusal ?? error;
    });
  return { transport };
}

function authorization(credential: AuthCredential | undefined): Record<string, string> {
  switch (credential?.type) {
    case 'bearer':
      return { authorization: `Bearer ${credential.token}` };
    case 'oauth2':
      return { authorization: `Bearer ${credential.accessToken}` };
    case 'apiKey':
      return { authorization: `Bearer ${credential.apiKey}` };
    case 'basic': {
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      return { authorization: `Basic ${pair}` };
    }
    default:
      return {};
  }
}

/** A function with the signature of `fetch`. */
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A message of a server is larger than allowed. */
class MessageTooLargeError extends Error {
  constructor(limit: number) {
    super(`the server sent a message of more than ${String(limit)} bytes`);
  }
}

/**
 * A `fetch` for one server: redirects fail, and so does a message of more than `limit` bytes: a whole body, or one event of
 * a stream.
 */
function boundedFetch(limit: number, headersOf: () => Readonly<Record<string, string>>): Fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headersOf())) headers.set(name, value);
    setTraceHeaders(headers);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const location = response.headers.get('location') ?? '';
      throw new RedirectedError(URL.canParse(location, String(url)) ? new URL(location, url) : undefined);
    }
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const body = response.body.pipeThrough(isStream ? limitedEvents(limit) : limitedBody(limit));
    return withBody(response, body);
  };
}

function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const changed = new Response(body, response);
  Object.defineProperty(changed, 'url', { value: response.url });
  return changed;
}

/** A `fetch` that follows the streams that are asked for: those that answer no message. */
function followingFetch(send: Fetch, streams: EventStreams): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    return init?.method === 'GET' && response.ok ? followed(response, streams) : response;
  };
}

function followed(response: Response, streams: EventStreams): Response {
  const { body } = response;
  return body === null ? response : withBody(response, streams.follow(body));
}

/** A `fetch` that fails for a request of the protocol that is only accepted. */
function answeringFetch(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status === 202 && isRequest(init?.body))
      throw new Error('it took the request (HTTP 202) and gives no answer');
    return response;
  };
}

/** True for a message that the server has to answer. */
function isRequest(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  const { id, method } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return id !== undefined && method !== undefined;
}

function limitedBody(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size > limit) controller.error(new MessageTooLargeError(limit));
      else controller.enqueue(chunk);
    },
  });
}

const LINE_FEED = 10;
const RETURN = 13;

/** An empty line ends an event, and the count begins anew. */
function limitedEvents(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const byte of chunk) {
        if (byte === LINE_FEED) {
          size = isLineEmpty ? 0 : size + 1;
          isLineEmpty = true;
        } else {
          size++;
          if (byte !== RETURN) isLineEmpty = false;
        }
        if (size > limit) {
          controller.error(new MessageTooLargeError(limit));
          return;
        }
      }
      controller.enqueue(chunk);
    },
  });
}
