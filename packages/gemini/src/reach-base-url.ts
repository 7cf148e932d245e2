import { Boundary } from '@adorn/core/backend';

import { GeminiUnreachableError } from './errors.js';

const PATIENCE_MS = 2_000;

/** Where one of these is set, a connection of our own says nothing about those that are made for requests. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/**
 * Opens and closes a connection to a stated base URL, so that a wrong one is found when a runner is created and not in
 * the middle of a conversation. A server that is down may come back: it is only told. Silence is no refusal.
 *
 * @throws GeminiUnreachableError (`MODEL_UNAVAILABLE`) for an unknown host, unless `NODE_ENV` is `production`
 */
export async function reachBaseUrl(
  baseUrl: string,
  environment: NodeJS.ProcessEnv,
  warn: (host: string, reason: string) => void,
): Promise<void> {
  if (PROXIES.some((name) => (environment[name] ?? '') !== '')) return;
  const { hostname, port, protocol, host } = new URL(baseUrl);
  const refusal = await connect(
    hostname.replace(/^\[|\]$/g, ''),
    Number(port) || (protocol === 'https:' ? 443 : 80),
  );
  if (!refusal) return;
  const isUnknown = (refusal as NodeJS.ErrnoException).code === 'ENOTFOUND';
  if (isUnknown && environment['NODE_ENV'] !== 'production')
    throw new GeminiUnreachableError(host, refusal.message, { attempts: 1, cause: refusal });
  warn(host, refusal.message);
}

async function connect(host: string, port: number): Promise<Error | undefined> {
  const { Socket } = await import('node:net');
  return new Promise((resolve) => {
    const socket = new Socket();
    const end = (refusal?: Error): void => {
      socket.destroy();
      resolve(refusal);
    };
    const boundary = new Boundary(() => {
      end();
    });
    const reached = boundary.guard(() => {
      end();
    });
    socket.setTimeout(PATIENCE_MS, reached);
    socket.once('connect', reached);
    socket.once('error', boundary.guard(end));
    socket.connect(port, host);
  });
}
