import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { ConsoleLogger } from '@adorn/core';
import { Boundary, isLoopback, LOOPBACK_HOSTS } from '@adorn/core/backend';
import { createAdaptorServer } from '@hono/node-server';

import { type AdornHandler, openHandler } from './adorn-handler.js';
import { checkServeOptions } from './check-options.js';
import { ServerOptionInvalidError } from './errors.js';
import { adkPageRoutes } from './page/page-routes.js';
import { PeerEndpoints } from './peers/peer-endpoints.js';
import type { AppSource, ServeOptions } from './server-options.js';

/** A server that listens. Made by `serve`. */
export interface AdornServer extends AsyncDisposable {
  /** The address of the page and of all routes, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** The address with the token, for a person to open; the same as `url` if there is none. */
  readonly pageUrl: string;
  /** The secret that requests carry; undefined with `authenticate`. */
  readonly token: string | undefined;
  /** For each application a table of its doors: whom each lets in, and who answers what its tools ask. Also in the log, as information. */
  readonly doors: readonly string[];
  /** Accepts no more requests, cancels the runs, and closes the runners that were created here. */
  close(): Promise<void>;
}

/**
 * Serves agents over HTTP: adk-web's protocol, Adorn's own routes, and a page. By default for this machine only, with a new
 * token at each start.
 *
 * ```ts
 * const server = await serve(Desk);
 * console.log(server.pageUrl);
 * ```
 *
 * @param sources an agent class, a runner, or a list of them
 * @throws {ServerOptionInvalidError} if an option does not exist or cannot be used, or others could use the server unasked
 * @throws {AdornError} as `createRunner`
 */
export async function serve(
  sources: AppSource | readonly AppSource[],
  options: ServeOptions = {},
): Promise<AdornServer> {
  checkServeOptions(options);
  const { host = '127.0.0.1', port = 8000, page = true, adkPage, a2a = false, ...given } = options;
  const { logger = new ConsoleLogger(), basePath } = given;
  const token = tokenOf(options, host);
  const allowedHosts = given.allowedHosts ?? [host.toLowerCase(), ...LOOPBACK_HOSTS];
  const root = (basePath ?? '').replace(/\/$/, '');
  const peerPath = `${root}/a2a/`;
  const pages = adkPage === undefined ? [] : [`${root}/dev-ui`];
  const guard = { ...given, logger, token, allowedHosts, page, pages, ...(a2a !== false && { peerPath }) };
  let peers: PeerEndpoints | undefined;
  const handler = await openHandler('serve', sources, guard, (app, apps) => {
    if (a2a !== false) peers = new PeerEndpoints(app, apps, peerPath, guard);
    if (adkPage !== undefined) adkPageRoutes(app, adkPage);
  });
  const closeHandler = async (): Promise<void> => {
    await peers?.close();
    await handler.close();
  };
  try {
    const { url, close } = await listen(handler, host, port, closeHandler);
    try {
      if (a2a !== false) await peers?.open(url, a2a, logger);
    } catch (error) {
      await close();
      throw error;
    }
    const { doors } = handler;
    for (const line of doors) logger.info(line);
    if (!isLoopback(host)) logger.warn(`the server at ${url} can be reached from other machines`);
    const pageUrl = token === undefined ? url : `${url}/?token=${token}`;
    return { url, pageUrl, token, doors, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeHandler();
    throw error;
  }
}

function tokenOf(options: ServeOptions, host: string): string | undefined {
  const { token, dangerouslyAllowUnauthenticatedRemote } = options;
  if (options.authenticate !== undefined || token !== undefined) return token;
  const isOpen = !isLoopback(host) && dangerouslyAllowUnauthenticatedRemote === true;
  return isOpen ? undefined : randomBytes(24).toString('base64url');
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

/** Other errors of the system are passed on as they are. */
function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const fault = LISTEN_FAULTS[String(code)];
  if (fault === undefined) return error;
  const cure = 'Pass another port or host, port: 0 for a free port, or end the other program.';
  const found = new ServerOptionInvalidError('serve', `${host}:${String(port)} ${fault}`, cure);
  return Object.assign(found, { cause: error });
}

async function listen(handler: AdornHandler, host: string, port: number, closeHandler: () => Promise<void>) {
  const server = createAdaptorServer({ fetch: handler, overrideGlobalObjects: false });
  // eslint-disable-next-line adorn/guarded-listeners -- it only calls a guarded function
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const boundary = new Boundary(() => socket.destroy());
    boundary.guard(() => handler.upgrade(request, socket, head))();
  });
  server.listen(port, host.replace(/^\[|\]$/g, ''));
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    await closeHandler();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  };
  return { url: `http://${name}:${String(actual)}`, close: () => (closing ??= closeAll()) };
}
