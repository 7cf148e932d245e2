import { createHash, createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Logger, Runner } from '@adorn/core';
import { followInbox, type InboxChange } from '@adorn/core/backend';

import type { InboxWebhookOptions } from '../server-options.js';

/** What a webhook is told. The body of its request, as JSON. */
interface InboxMessage {
  readonly type: `inbox.${InboxChange['kind']}`;
  /** When it is first sent, as ISO 8601. */
  readonly timestamp: string;
  readonly data: { readonly app: string; readonly request: InboxChange['request'] };
}

/** How long an address may take to answer, in milliseconds. */
const ANSWER_MS = 15_000;
/** The pauses after attempts that failed, in milliseconds. After the last one the message is given up. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 900_000];

/**
 * Tells an address of each change of the open requests of an application, signed as Standard Webhooks say. The log is the queue: a
 * server that starts tells of all requests that are open, by the ids that it used before, so that what a process could not deliver is
 * told by the next one, and a receiver that remembers ids sees each change once.
 */
export class InboxWebhook {
  private readonly closing = new AbortController();
  private readonly told: Promise<void>;

  constructor(
    private readonly runner: Runner<unknown>,
    private readonly options: InboxWebhookOptions,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
    private readonly pausesMs: readonly number[] = PAUSES_MS,
  ) {
    this.told = followInbox(runner, {
      // While a message is repeated, the list is not read: what comes after is told as it then is.
      onChange: (change) => this.deliver(change),
      signal: this.closing.signal,
      logger,
      name: 'the inbox webhook',
    });
  }

  /** Ends the delivery. What is not delivered is told at the next start. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.told;
  }

  private async deliver({ kind, request }: InboxChange): Promise<void> {
    const { signal } = this.closing;
    const { appName } = this.runner;
    const timestamp = new Date().toISOString();
    const message: InboxMessage = {
      type: `inbox.${kind}`,
      timestamp,
      data: { app: appName, request },
    };
    const id = messageId(message);
    const body = JSON.stringify(message);
    for (const pauseMs of [...this.pausesMs, undefined]) {
      const fault = await this.send(id, body);
      if (fault === undefined || signal.aborted) return;
      const facts = { appName, webhookId: id, fault };
      if (pauseMs === undefined) this.logger.error('a message of the inbox webhook was given up', facts);
      else {
        this.logger.warn('a message of the inbox webhook will be repeated', facts);
        await this.rest(pauseMs);
      }
    }
  }

  /** What went wrong; undefined if the address has accepted the message. A redirect is not followed. */
  private async send(id: string, body: string): Promise<string | undefined> {
    const { url, secret } = this.options;
    const seconds = Math.floor(Date.now() / 1_000);
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(ANSWER_MS)]),
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': `v1,${webhookSignature(`${id}.${String(seconds)}.${body}`, secret)}`,
        },
      });
      await response.body?.cancel();
      return response.ok ? undefined : `it answered with status ${String(response.status)}`;
    } catch (error) {
      return error instanceof Error ? error.message : 'it did not answer';
    }
  }

  private async rest(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}

/** Base64 of HMAC-SHA256 by the bytes of the secret. */
export function webhookSignature(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

/** The same for a message that is told again, also by another process: it names the change, and not the attempt. */
function messageId({ type, data }: InboxMessage): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([type, data]))
    .digest('base64url');
  return `msg_${digest.slice(0, 32)}`;
}
