import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { setTimeout } from 'node:timers/promises';

import {
  BOOLEAN,
  Boundary,
  checkOptions,
  isLoopback,
  LIMIT,
  LIST,
  type OptionRules,
  TEXT,
} from '@adorn/core/backend';
import {
  digestOf,
  digestOfNames,
  type InvocationAddress,
  type InvocationHandler,
  InvocationQueue,
  NodeTooOldError,
  type PutOptions,
} from '@adorn/fleet';

import { RestateRequestError, RestateWorkerOpenError } from './errors.js';

export interface RestateQueueOptions {
  /** The ingress of Restate. Default: `http://localhost:8080`. */
  readonly ingress?: string;
  /** The admin address of Restate, at which a worker registers. Default: `http://localhost:9070`. */
  readonly admin?: string;
  /**
   * The address at which the worker listens. One that other machines can reach needs `identityKeys`, because whoever reaches
   * the worker can start runs. Default: `127.0.0.1`.
   */
  readonly host?: string;
  /** The port of the worker. Workers of one machine share it. Default: 9080. */
  readonly port?: number;
  /**
   * The public keys of Restate's request identity, such as `publickeyv1_2G8d…`, which Restate writes to its log at its start:
   * the worker answers only requests that are signed with one of them. Default: none, every request is answered.
   */
  readonly identityKeys?: readonly string[];
  /** True to listen for other machines without `identityKeys`, behind a network that lets only Restate in. Default: false. */
  readonly dangerouslyAllowUnauthenticatedRemote?: boolean;
  /** The address at which Restate reaches the workers: all of them, behind one name. Default: `127.0.0.1` at the port. */
  readonly workers?: string;
  /** The name of the virtual object. Default: `adorn`. */
  readonly service?: string;
}

const LOOPBACK = '127.0.0.1';

const OPTIONS: OptionRules<RestateQueueOptions> = {
  ingress: TEXT,
  admin: TEXT,
  host: TEXT,
  port: LIMIT,
  identityKeys: LIST,
  dangerouslyAllowUnauthenticatedRemote: BOOLEAN,
  workers: TEXT,
  service: TEXT,
};

/** A run is not limited by its queue; a dead worker is found by its connection and by its leases. */
const NO_LIMIT_MS = 7 * 24 * 3_600_000;

/** Milliseconds after which Restate delivers an address again whose handler has failed, at first and at most. */
const RETRY = { initialInterval: 200, maxInterval: 2000, exponentiationFactor: 2 };

/** The addresses in Restate: a virtual object for each session, and its invocations as calls of the object's handler. */
export class RestateQueue extends InvocationQueue {
  private readonly connections = new Set<ServerHttp2Session>();
  private readonly working = new Set<Promise<void>>();
  private server: Http2Server | undefined;
  private isClosing = false;

  /** @throws {RestateWorkerOpenError} if other machines would reach the worker without `identityKeys` */
  constructor(private readonly options: RestateQueueOptions = {}) {
    super();
    checkOptions('new RestateQueue', options, OPTIONS);
    const { host = LOOPBACK, identityKeys = [], dangerouslyAllowUnauthenticatedRemote } = options;
    const isOpen = !isLoopback(host) && identityKeys.length === 0;
    if (isOpen && dangerouslyAllowUnauthenticatedRemote !== true) throw new RestateWorkerOpenError(host);
  }

  /** @throws {NodeTooOldError} below Node.js 22.12, which the SDK of Restate needs */
  open(): Promise<void> {
    return Promise.resolve().then(() => {
      NodeTooOldError.throwBelow('The SDK of Restate', 22, 12);
    });
  }

  /** @throws {RestateRequestError} if Restate does not accept it */
  async put(address: InvocationAddress, { isAgain = false, delay = 0 }: PutOptions = {}): Promise<void> {
    const { ingress = 'http://localhost:8080' } = this.options;
    const { appName, userId, sessionId, invocationId } = address;
    const id = digestOfNames(appName, userId, sessionId, invocationId);
    const query = delay > 0 ? `?delay=${String(Math.ceil(delay))}ms` : '';
    const url = `${ingress}/${this.service}/${digestOf(address)}/work/send${query}`;
    // The inbox knows what has ended: an address that is put again needs another key, as Restate keeps results for a day.
    const key = isAgain ? `${id}-${String(Date.now())}` : id;
    await post(url, { appName, userId, sessionId, invocationId }, { 'idempotency-key': key });
  }

  /**
   * Serves the handler, and registers it at Restate.
   *
   * @throws {RestateRequestError} if Restate cannot reach the worker
   */
  async take(handler: InvocationHandler, concurrency: number): Promise<void> {
    const { admin = 'http://localhost:9070', port = 9080 } = this.options;
    const server = await this.serve(handler, concurrency, port);
    this.server = server;
    const place = server.address();
    const bound = typeof place === 'object' && place !== null ? place.port : port;
    const { workers = `http://${LOOPBACK}:${String(bound)}` } = this.options;
    await post(`${admin}/deployments`, { uri: workers, force: true });
  }

  async close(graceMs: number): Promise<void> {
    this.isClosing = true;
    const { server } = this;
    if (!server) return;
    server.close();
    // Each connection takes no more calls, and ends with the last one under way.
    for (const connection of this.connections) connection.close();
    const limit = new AbortController();
    const grace = setTimeout(graceMs, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.working), grace]);
    limit.abort();
    await setImmediatePassed();
    for (const connection of this.connections) connection.destroy();
  }

  private get service(): string {
    return this.options.service ?? 'adorn';
  }

  private async serve(handler: InvocationHandler, concurrency: number, port: number): Promise<Http2Server> {
    const { createEndpointHandler, object } = await import('@restatedev/restate-sdk');
    const places = new Places(concurrency);
    const session = object({
      name: this.service,
      handlers: {
        work: (_context: unknown, address: InvocationAddress) =>
          this.track(places.use(() => (this.isClosing ? refuse() : handler(address)))),
      },
      options: {
        inactivityTimeout: NO_LIMIT_MS,
        abortTimeout: NO_LIMIT_MS,
        ingressPrivate: false,
        retryPolicy: RETRY,
      },
    });
    const logger = (): void => undefined;
    const identityKeys = [...(this.options.identityKeys ?? [])];
    const server = createServer(createEndpointHandler({ services: [session], identityKeys, logger }));
    // eslint-disable-next-line adorn/guarded-listeners -- it only adds guarded listeners to the connection
    server.on('session', (connection) => {
      const boundary = new Boundary(() => {
        connection.destroy();
      });
      this.connections.add(connection);
      connection.on('error', () => undefined);
      connection.once(
        'close',
        boundary.guard(() => this.connections.delete(connection)),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const { host = LOOPBACK } = this.options;
      server.listen({ host, port, reusePort: port !== 0 && process.platform === 'linux' }, resolve);
    });
    return server;
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.working.delete(tracked));
    this.working.add(tracked);
    return tracked;
  }
}

/** Lets so many handlers work at a time; the others wait in the order in which they came. */
class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async use(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (!next) this.free++;
      else next();
    }
  }
}

/** Restate delivers the address again, on a connection to another worker. */
function refuse(): Promise<never> {
  return Promise.reject(new Error('The worker stops.'));
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  };
  const { origin } = new URL(url);
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new RestateRequestError(origin, 'not at all', { cause: error });
  });
  const said = await response.text();
  if (!response.ok)
    throw new RestateRequestError(origin, `${String(response.status)}: ${said.slice(0, 300)}`);
}

/** The answers of handlers that have just ended are written by then. */
function setImmediatePassed(): Promise<void> {
  return setTimeout(20);
}
