import { AdornError } from '@adorn/core';
import { isLoopback } from '@adorn/core/backend';
import { type GuardedFetch, guardedFetch } from '@adorn/http';
import type { AgentCard, Task, verifyAgentCardSignature } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';

import { A2aPeerFailedError } from '../errors.js';
import { cleanText } from '../protocol/clean-text.js';
import { MESSAGE_ID_EXTENSION } from '../protocol/parts.js';
import { type PeerOptions, urlFault, urlsOf } from './remote-agent-options.js';

/** Milliseconds that a cancellation may take. */
const CANCEL_MS = 10_000;

const MOST_FAULT = 500;

const DEFAULTS = { timeout: 120_000, retries: 5, pollMs: 1_000, maxBytes: 10_485_760 };

/** A client that is connected, with what its card says. */
export interface Connection {
  readonly client: Client;
  readonly card: AgentCard;
  readonly isStreaming: boolean;
  /** True if a message that is sent again begins no second task. */
  readonly knowsMessages: boolean;
}

/** Another agent: its card, and a client for the interface that the card names. */
export class Peer {
  readonly limits: typeof DEFAULTS;
  /** The address in messages. */
  readonly label: string;
  private readonly fetch: GuardedFetch;
  private readonly origins: ReadonlySet<string>;
  private connecting: Promise<Connection> | undefined;
  /** The values of headers that were sent, which a peer may repeat in an error. */
  private readonly secrets = new Set<string>();

  /** @param source the URL under which the card is, or the card */
  constructor(
    private readonly source: string | URL | AgentCard,
    private readonly options: PeerOptions,
  ) {
    const { timeout, retries, pollMs, maxBytes, origins = [] } = options;
    this.limits = {
      timeout: timeout ?? DEFAULTS.timeout,
      retries: retries ?? DEFAULTS.retries,
      pollMs: pollMs ?? DEFAULTS.pollMs,
      maxBytes: maxBytes ?? DEFAULTS.maxBytes,
    };
    const own = urlsOf(source).map((url) => new URL(String(url)));
    this.label = own[0]?.origin ?? '';
    this.origins = new Set([
      ...own.map(({ origin }) => origin),
      ...origins.map((url) => new URL(url).origin),
    ]);
    const local = own.filter(({ hostname }) => isLoopback(hostname)).map(({ host }) => host);
    this.fetch = guardedFetch({
      privateHosts: [...(options.privateHosts ?? []), ...local],
      ...{
        timeout: this.limits.timeout,
        bodyTimeout: Infinity,
        maxBytes: this.limits.maxBytes,
        maxRedirects: 0,
      },
    });
  }

  /** Connects, unless it is connected. A failure is not kept. */
  connect(): Promise<Connection> {
    return (this.connecting ??= this.open().catch((error: unknown) => {
      this.connecting = undefined;
      throw this.failure(error);
    }));
  }

  /** The card, read anew. @throws {A2aPeerFailedError} if it is not signed with the pinned key */
  async readCard(): Promise<AgentCard> {
    const card = await this.unverifiedCard();
    const { publicKey } = this.options;
    if (publicKey === undefined) return card;
    const { verifyAgentCardSignature } = await import('@a2a-js/sdk');
    // Whatever the card says of keys, only this one counts.
    const verify = verifyAgentCardSignature(() => Promise.resolve(publicKey as PublicKey));
    try {
      await verify(card);
    } catch (cause) {
      const cure = 'Ask its owner for its key, and look who answers at the address.';
      throw new A2aPeerFailedError(this.label, 'its card is not signed with publicKey', cure, { cause });
    }
    return card;
  }

  private async unverifiedCard(): Promise<AgentCard> {
    const { DefaultAgentCardResolver } = await import('@a2a-js/sdk/client');
    const resolver = new DefaultAgentCardResolver({ fetchImpl: this.send, legacyCompat: { enabled: true } });
    if (!isUrl(this.source)) return resolver.normalizeAgentCard(this.source);
    const base = String(this.source);
    const path = /\.json$/.test(new URL(base).pathname)
      ? base
      : `${base.replace(/\/$/, '')}/.well-known/agent-card.json`;
    return resolver.resolve(base, path);
  }

  /** Asks the peer to cancel a task. Never rejects. */
  async cancel(id: string): Promise<void> {
    try {
      const { client } = await this.connect();
      await client.cancelTask(
        { tenant: '', id, metadata: undefined },
        { signal: AbortSignal.timeout(CANCEL_MS) },
      );
    } catch {
      // It has ended, or is not reached: the run is cancelled all the same.
    }
  }

  getTask(client: Client, id: string, signal: AbortSignal): Promise<Task> {
    return client.getTask({ tenant: '', id, historyLength: 100 }, { signal });
  }

  /** An error of the SDK or of a connection as one of Adorn, without the values of headers. */
  failure(error: unknown): AdornError {
    if (AdornError.is(error)) return error;
    let fault = error instanceof Error ? cleanText(error.message, MOST_FAULT) : 'it failed';
    for (const secret of this.secrets) fault = fault.replaceAll(secret, '[redacted]');
    return new A2aPeerFailedError(this.label, fault, 'Look at its card and its log.', { cause: error });
  }

  private async open(): Promise<Connection> {
    const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } =
      await import('@a2a-js/sdk/client');
    const card = await this.readCard();
    for (const { url } of card.supportedInterfaces) this.checkAddress(url);
    const options = { fetchImpl: this.send, legacyCompat: { enabled: true } };
    const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
    const client = await new ClientFactory({ transports }).createFromAgentCard(card);
    const { streaming = false, extensions = [] } = card.capabilities ?? {};
    const knowsMessages = extensions.some(({ uri }) => uri === MESSAGE_ID_EXTENSION);
    return { client, card, isStreaming: streaming, knowsMessages };
  }

  /** A card must not lead elsewhere, where the messages and the headers would go. */
  private checkAddress(url: string): void {
    const fault = urlFault(url);
    if (fault !== undefined)
      throw new A2aPeerFailedError(this.label, `in its card, ${fault}`, 'It is not called.');
    const { origin } = new URL(url);
    if (this.origins.has(origin)) return;
    const cure = `If that is meant, list it: origins: ['${origin}'].`;
    throw new A2aPeerFailedError(this.label, `its card places the agent at ${origin}`, cure);
  }

  private readonly send: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    this.checkAddress(url);
    const headers = new Headers(init?.headers);
    const { headers: own = {} } = this.options;
    const given = typeof own === 'function' ? await own() : own;
    for (const [name, value] of Object.entries(given)) {
      headers.set(name, value);
      this.secrets.add(value).add(value.replace(/^\w+ /, ''));
    }
    return this.fetch(url, { ...init, headers });
  };
}

type PublicKey = Awaited<ReturnType<Parameters<typeof verifyAgentCardSignature>[0]>>;

function isUrl(source: string | URL | AgentCard): source is string | URL {
  return typeof source === 'string' || source instanceof URL;
}
