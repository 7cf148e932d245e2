import { Boundary, type Sender } from '@adorn/core/backend';
import type { Transport } from '@modelcontextprotocol/server';

import type { ClientAddress } from './conversations.js';
import type { ProtocolServer } from './protocol.js';
import { serveSession, type ServingFields } from './protocol-server.js';

/** The session of one client, with its own protocol server and conversation. */
export class ClientSession {
  private readonly address: ClientAddress;
  private subscribed: ReadonlySet<string> = new Set();
  private server: ProtocolServer | undefined;
  private readonly closeListeners = new Set<() => void>();
  /** Number of calls under way. */
  calls = 0;

  constructor(
    private readonly fields: ServingFields,
    /** Whom the session belongs to: nobody else continues it. */
    readonly sender: Sender,
  ) {
    this.address = fields.conversations.begin(sender.userId, 'session');
  }

  /** Serves the client over a transport, until that is closed. */
  async connect(transport: Transport): Promise<void> {
    const protocol = await import('@modelcontextprotocol/server');
    const calls = { begin: () => this.calls++, end: () => this.calls-- };
    const client = { address: this.address, by: this.sender.principal };
    const { server, subscribed } = serveSession(protocol, this.fields, client, calls);
    this.server = server;
    this.subscribed = subscribed;
    server.onclose = new Boundary(() => undefined).guard(() => {
      this.ended();
    });
    await server.connect(transport);
  }

  /** Calls a listener once the session has ended. */
  onClose(listener: () => void): void {
    this.closeListeners.add(listener);
  }

  /** Notifies the client that the list of tools has changed. */
  async toolsChanged(): Promise<void> {
    await this.server?.sendToolListChanged();
  }

  /** Notifies the client, if it is subscribed, that a resource has changed. */
  async resourceChanged(uri: string): Promise<void> {
    if (this.subscribed.has(uri)) await this.server?.sendResourceUpdated({ uri });
  }

  async close(): Promise<void> {
    await this.server?.close();
  }

  /** The conversation ends with the session: no client can return to it. */
  private ended(): void {
    this.fields.conversations.end(this.address);
    for (const listener of this.closeListeners) listener();
    this.closeListeners.clear();
  }
}
