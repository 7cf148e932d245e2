import type { Logger } from '@adorn/core';
import type { SenderInput } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import { type GuardOptions, identify } from '../access/access-guard.js';
import type { ServerEnv } from '../access/server-env.js';
import type { ServedApps } from '../apps/served-apps.js';
import { NotFoundError, ServerOptionInvalidError } from '../errors.js';
import type { PeerHandler, PeerHandlerFactory } from '../server-options.js';

/** The applications of a server for peers, at `/a2a/{app}`. Their addresses are known when the server listens. */
export class PeerEndpoints {
  private readonly handlers = new Map<string, PeerHandler>();
  private readonly contexts = new WeakMap<Request, Context<ServerEnv>>();

  constructor(
    app: Hono<ServerEnv>,
    private readonly apps: ServedApps,
    private readonly path: string,
    private readonly guard: GuardOptions,
  ) {
    app.all('/a2a/*', (c) => this.answer(c));
  }

  /**
   * Opens the endpoint of each application.
   *
   * @param url of the server, such as `http://127.0.0.1:8000`
   * @throws {ServerOptionInvalidError} if `@adorn/a2a` is needed and not installed
   */
  async open(url: string, a2a: true | PeerHandlerFactory, logger: Logger): Promise<void> {
    const make = a2a === true ? await loadFactory() : a2a;
    const authenticate = (request: Request): Promise<SenderInput | undefined> => this.senderOf(request);
    for (const runner of this.apps.all) {
      const place = { url: url + this.path + encodeURIComponent(runner.appName), authenticate, logger };
      this.handlers.set(runner.appName, await make(runner, { ...place, allowedHosts: 'any' }));
    }
  }

  /** Cancels the tasks of peers that run here. */
  async close(): Promise<void> {
    await Promise.all([...this.handlers.values()].map((handler) => handler.close()));
  }

  private answer(c: Context<ServerEnv>): Promise<Response> {
    const [name = ''] = c.req.path.slice(this.path.length).split('/');
    const handler = this.handlers.get(name) ?? this.handlers.get(decoded(name));
    if (handler === undefined) throw new NotFoundError(`There is nothing at ${c.req.path}.`);
    this.contexts.set(c.req.raw, c);
    return handler(c.req.raw);
  }

  /** As the server's own routes know the sender. */
  private async senderOf(request: Request): Promise<SenderInput | undefined> {
    const context = this.contexts.get(request);
    if (context === undefined) return undefined;
    const caller = await identify(context, this.guard);
    return caller && { ...caller.principal, userId: caller.userId };
  }
}

/** `@adorn/a2a` is loaded from the project: most projects serve no peers. */
async function loadFactory(): Promise<PeerHandlerFactory> {
  try {
    const { a2aHandler } = await import('@adorn/a2a');
    return a2aHandler;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const fault = 'it serves peers, and the package @adorn/a2a is not installed';
    throw new ServerOptionInvalidError('serve', fault, 'Run npm install @adorn/a2a, or leave a2a out.');
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
