import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Runner } from '@adorn/core';
import { isLoopback, LOOPBACK_HOSTS } from '@adorn/core/backend';

import { type A2aHandler, type A2aSource, openHandler } from './a2a-handler.js';
import { checkServeOptions, type ServeA2aOptions } from './serve-options.js';

/** Agents that are being served. Made by `serveA2a`. */
export interface A2aServing extends AsyncDisposable {
  /** The address of the agent, or of all: each has its name behind it. */
  readonly url: string;
  readonly runners: readonly Runner<unknown>[];
  /** Accepts no more requests, cancels the tasks that run here, and closes the runners that were created here. */
  close(): Promise<void>;
}

/**
 * Serves agents over A2A: a card from the class and its doc comments, and tasks that are read from the session store. By
 * default for this machine only.
 *
 * ```ts
 * await using serving = await serveA2a(Weather);
 * console.log(serving.url);
 * ```
 *
 * @throws {A2aConfigInvalidError} if an option does not exist or cannot be used, or others could call the agent unasked
 * @throws {AdornError} as `createRunner`
 */
export async function serveA2a(
  sources: A2aSource | readonly A2aSource[],
  options: ServeA2aOptions = {},
): Promise<A2aServing> {
  checkServeOptions('serveA2a', options);
  const { host = '127.0.0.1', port = 0, ...given } = options;
  let handler: A2aHandler | undefined;
  const server = createServer((request, response) => {
    // Only between the first connection and the end of this function is there none.
    if (handler === undefined) response.writeHead(503).end();
    else void respond(handler, request, response);
  });
  await once(server.listen(port, host.replace(/^\[|\]$/g, '')), 'listening');
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const { url = `http://${name}:${String(actual)}` } = options;
  const allowedHosts = options.allowedHosts ?? [
    ...(isLoopback(name) ? LOOPBACK_HOSTS : [name]),
    new URL(url).hostname,
  ];
  try {
    handler = await openHandler('serveA2a', sources, { ...given, url, allowedHosts });
  } catch (error) {
    server.close();
    throw error;
  }
  const opened = handler;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(server, opened));
  return { url, runners: opened.runners, close, [Symbol.asyncDispose]: close };
}

async function closeAll(server: Server, handler: A2aHandler): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await handler.close();
  server.closeAllConnections();
  await closed;
}

/** Never rejects. */
async function respond(
  handler: A2aHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, [value].flat().join(', '));
  try {
    const body = hasBody ? (Readable.toWeb(request) as ReadableStream<Uint8Array>) : null;
    const init = { method, headers, body, duplex: 'half' } as RequestInit;
    const answer = await handler(
      new Request(new URL(url, `http://${request.headers.host ?? 'localhost'}`), init),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body), response);
  } catch {
    // The client has gone, or sent what is no request.
    if (!response.headersSent) response.writeHead(400);
    response.end();
  }
}
