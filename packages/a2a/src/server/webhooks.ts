import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { Logger } from '@adorn/core';
import { isLoopback } from '@adorn/core/backend';
import { type GuardedFetch, guardedFetch, isPrivateAddress } from '@adorn/http';
import type { StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { PushNotificationSerializer } from '@a2a-js/sdk/server';

import type { SigningKey } from './serve-options.js';

/** Attempts of one notification, with waits of 0.5, 1 and 2 seconds between them. */
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
/** Notifications that may wait for one webhook; later ones are dropped. */
const MOST_WAITING = 100;
const TIMEOUT_MS = 10_000;
/** Seconds for which a signature holds. */
const SIGNED_SECONDS = 300;

/** The dependencies of {@link Webhooks}. */
export interface WebhookFields {
  /** Who sends them, in signatures: the URL of the agent. */
  readonly issuer: string;
  /** How an update is written for a revision. */
  readonly serializers: Readonly<Record<'1.0' | '0.3', PushNotificationSerializer>>;
  readonly privateHosts: readonly string[];
  readonly signing: SigningKey | undefined;
  /** Webhooks of one task. */
  readonly limit: number;
  readonly logger: Logger;
}

/** A webhook of a task, and the revision in which it was asked for. */
interface Webhook {
  readonly config: TaskPushNotificationConfig;
  readonly version: '1.0' | '0.3';
  /** Notifications arrive in the order of the updates. */
  last: Promise<void>;
  waiting: number;
}

/**
 * The webhooks of tasks. A peer names their addresses, so each is connected to through the guard, and redirects are not
 * followed. They are in memory: a process that is started anew has none, and its peers look their tasks up.
 */
export class Webhooks {
  private readonly byTask = new Map<string, Map<string, Webhook>>();
  private readonly fetch: GuardedFetch;
  private readonly closed = new AbortController();

  constructor(private readonly fields: WebhookFields) {
    const { privateHosts } = fields;
    this.fetch = guardedFetch({ privateHosts, timeout: TIMEOUT_MS, maxRedirects: 0, maxBytes: 65_536 });
  }

  /** @throws {RequestMalformedError} for an address that must not be called, or if there are too many */
  add(key: string, given: TaskPushNotificationConfig, requestedVersion: string): TaskPushNotificationConfig {
    const { limit } = this.fields;
    this.checkUrl(given.url);
    const webhooks = this.byTask.get(key) ?? new Map<string, Webhook>();
    const version = requestedVersion.startsWith('0.3') ? '0.3' : '1.0';
    const config = { ...given, id: given.id === '' ? newId(version) : given.id };
    if (!webhooks.has(config.id) && webhooks.size >= limit)
      throw new RequestMalformedError(`The task has ${String(limit)} webhooks. Delete one.`);
    webhooks.set(config.id, { config, version, last: Promise.resolve(), waiting: 0 });
    this.byTask.set(key, webhooks);
    return config;
  }

  list(key: string): TaskPushNotificationConfig[] {
    return [...(this.byTask.get(key)?.values() ?? [])].map(({ config }) => config);
  }

  /** @throws {TaskNotFoundError} */
  get(key: string, id: string): TaskPushNotificationConfig {
    const found = this.byTask.get(key)?.get(id);
    if (found === undefined) throw new TaskNotFoundError(`The webhook ${id} was not found.`);
    return found.config;
  }

  delete(key: string, id: string): void {
    this.byTask.get(key)?.delete(id);
  }

  /** True if somebody is to be notified of the task. */
  has(key: string): boolean {
    return (this.byTask.get(key)?.size ?? 0) > 0;
  }

  /** Sends an update to the webhooks of a task. Returns at once; faults are logged. */
  notify(key: string, update: StreamResponse, task: Task): void {
    for (const webhook of this.byTask.get(key)?.values() ?? []) {
      if (webhook.waiting >= MOST_WAITING) continue;
      const { body, contentType } = this.fields.serializers[webhook.version].serialize(update, task);
      webhook.waiting++;
      webhook.last = webhook.last
        .then(() => this.deliver(webhook.config, body, contentType))
        .catch((error: unknown) => {
          this.fields.logger.warn('an A2A webhook was not reached', { task: task.id, error });
        })
        .finally(() => webhook.waiting--);
    }
  }

  async close(): Promise<void> {
    this.closed.abort();
    await this.fetch.close();
  }

  private checkUrl(text: string): void {
    if (!URL.canParse(text)) throw new RequestMalformedError('The URL of the webhook cannot be read.');
    const { protocol, hostname, host, username, password } = new URL(text);
    if (username !== '' || password !== '')
      throw new RequestMalformedError('The URL of the webhook holds a credential.');
    const { privateHosts } = this.fields;
    const isListed = privateHosts.includes(hostname) || privateHosts.includes(host);
    if (protocol !== 'https:' && !(protocol === 'http:' && isListed))
      throw new RequestMalformedError('The URL of the webhook is not https.');
    if ((isLoopback(hostname) || isPrivateAddress(hostname)) && !isListed)
      throw new RequestMalformedError('The URL of the webhook is of a private host.');
  }

  private async deliver(config: TaskPushNotificationConfig, body: string, type: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const status = await this.post(config, body, type).catch((error: unknown) => {
        if (attempt >= ATTEMPTS || this.closed.signal.aborted || isBlocked(error)) throw error;
        return undefined;
      });
      if (status !== undefined && status < 300) return;
      const mayPass = status === undefined || status >= 500 || status === 408 || status === 429;
      if (!mayPass || attempt >= ATTEMPTS) throw new Error(`It answered with ${String(status)}.`);
      await setTimeout(FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, {
        signal: this.closed.signal,
        ref: false,
      });
    }
  }

  private async post(config: TaskPushNotificationConfig, body: string, type: string): Promise<number> {
    const { url, token, authentication } = config;
    const headers = new Headers({ 'content-type': type });
    if (authentication !== undefined && authentication.credentials !== '')
      headers.set('authorization', `${authentication.scheme} ${authentication.credentials}`);
    if (token !== '') headers.set('x-a2a-notification-token', token);
    const { signing } = this.fields;
    if (signing !== undefined)
      headers.set('x-a2a-notification-signature', await this.signed(signing, url, body));
    const response = await this.fetch(url, { method: 'POST', headers, body, signal: this.closed.signal });
    await response.body?.cancel();
    return response.status;
  }

  /** A token that says who sends which bytes to whom, and when: a copy of it is of no use elsewhere or later. */
  private async signed(
    { privateKey, algorithm, keyId }: SigningKey,
    url: string,
    body: string,
  ): Promise<string> {
    const { importJWK, SignJWT } = await import('jose');
    const hash = createHash('sha256').update(body).digest('base64url');
    return new SignJWT({ request_body_sha256: hash })
      .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' })
      .setIssuer(this.fields.issuer)
      .setAudience(url)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${String(SIGNED_SECONDS)}s`)
      .sign(await importJWK(privateKey, algorithm));
  }
}

/** In revision 0.3 a task has one webhook without an id, and a later one replaces it. */
function newId(version: Webhook['version']): string {
  return version === '0.3' ? 'default' : randomUUID();
}

function isBlocked(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'HTTP_ADDRESS_BLOCKED';
}
