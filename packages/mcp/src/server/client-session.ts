import { ConsoleLogger } from '@adorn/core';
import { describeThrown } from '@adorn/core/backend';
import type { Transport } from '@modelcontextprotocol/server';

import { AnswersOfClient } from './answers-of-client.js';
import type { ClientAddress, Conversations } from './conversations.js';
import { createProtocolServer, type ProtocolServer } from './protocol.js';
import { servePrompts } from './prompt-handlers.js';
import { serveResources } from './resource-handlers.js';
import type { ServeMcpOptions } from './serve-options.js';
import type { ServedTools } from './served-tools.js';

/** How long the user of a client has for an answer, in milliseconds. */
export const DEFAULT_ANSWER_MS = 300_000;

/** What the sessions of a server share. */
export interface SessionFields {
  readonly tools: ServedTools;
  readonly conversations: Conversations;
  readonly options: ServeMcpOptions;
}

/** The session of one client: a protocol server and a conversation of its own. */
export class ClientSession {
  private readonly address: ClientAddress;
  private subscribed: ReadonlySet<string> = new Set();
  private server: ProtocolServer | undefined;
  private readonly closeListeners = new Set<() => void>();
  /** Number of calls under way. */
  calls = 0;

  constructor(
    private readonly fields: SessionFields,
    readonly userId: string,
  ) {
    this.address = fields.conversations.begin(userId, 'session');
  }

  /** Serves the client over a transport, until that is closed. */
  async connect(transport: Transport): Promise<void> {
    const protocol = await import('@modelcontextprotocol/server');
    const { tools, options } = this.fields;
    const {
      name = 'adorn',
      version = '0.1.0',
      instructions,
      resources,
      prompts,
      logger = new ConsoleLogger(),
    } = options;
    const server = createProtocolServer(
      protocol,
      { name, version },
      {
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          ...(resources !== undefined && { resources: { subscribe: true } }),
          ...(prompts !== undefined && { prompts: {}, completions: {} }),
        },
        ...(instructions !== undefined && { instructions }),
      },
    );
    this.server = server;
    const { address, userId } = this;
    const answers = new AnswersOfClient({
      ...{ server, userId, logger },
      canElicit: options.confirm !== 'refuse',
      timeout: options.answerTimeout ?? DEFAULT_ANSWER_MS,
    });
    server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => ({
      tools: await tools.list(address, signal),
    }));
    server.setRequestHandler(
      'tools/call',
      async ({ params: { name: tool, arguments: args = {} } }, context) => {
        this.calls++;
        try {
          return await tools.call({ ...address, context, answers, name: tool, args });
        } finally {
          this.calls--;
        }
      },
    );
    if (resources !== undefined) this.subscribed = serveResources(server, resources, protocol);
    if (prompts !== undefined) servePrompts(server, prompts, protocol);
    server.onerror = (error) => {
      logger.info(`MCP client: ${describeThrown(error).message}`);
    };
    server.onclose = () => {
      this.ended();
    };
    await server.connect(transport);
  }

  /** Calls a listener once the session has ended. */
  onClose(listener: () => void): void {
    this.closeListeners.add(listener);
  }

  /** Tells the client that the list of tools has changed. */
  async toolsChanged(): Promise<void> {
    await this.server?.sendToolListChanged();
  }

  /** Tells the client, if it wants to know, that a resource has changed. */
  async resourceChanged(uri: string): Promise<void> {
    if (this.subscribed.has(uri)) await this.server?.sendResourceUpdated({ uri });
  }

  async close(): Promise<void> {
    await this.server?.close();
  }

  /** The conversation ends with the session: nobody can come back to it. */
  private ended(): void {
    this.fields.conversations.end(this.address);
    for (const listener of this.closeListeners) listener();
    this.closeListeners.clear();
  }
}
