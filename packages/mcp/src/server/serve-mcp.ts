import type { IncomingMessage, ServerResponse } from 'node:http';

import { type AgentClass, ConsoleLogger } from '@adorn/core';
import { type ToolSource, toPrincipal } from '@adorn/core/backend';
import type { Transport } from '@modelcontextprotocol/server';

import { checkServeOptions } from './check-serve-options.js';
import { ClientSession } from './client-session.js';
import { Conversations } from './conversations.js';
import { HttpEndpoint } from './http-endpoint.js';
import { DEFAULT_ANSWER_MS } from './protocol-server.js';
import type { ServeMcpOptions } from './serve-options.js';
import { createServedTools, type ServedTools } from './served-tools.js';

/**
 * Serves tools over MCP: those of service classes, toolsets and tools, or an agent, which is one tool that takes a
 * message. Calls take the way of every call of an agent: arguments are checked, approvals and credentials are asked for.
 *
 * @param source service classes with `@tool` methods, tools or toolsets; or one agent class
 * @throws {McpConfigInvalidError} if an option does not exist or cannot be used
 * @throws {AdornError} as `createRunner`
 * @example
 * await serveMcp(Orders, { name: 'orders', stdio: true });
 * const { url } = await serveMcp([Orders, Stock], { http: { port: 3000 } });
 */
export async function serveMcp(
  source: AgentClass<unknown> | ToolSource | readonly ToolSource[],
  options: ServeMcpOptions = {},
): Promise<McpServing> {
  checkServeOptions(options);
  const tools = await createServedTools(source, options);
  const serving = new McpServing(tools, options);
  try {
    await serving.start();
  } catch (error) {
    await serving.close();
    throw error;
  }
  return serving;
}

/** A server that is being served. Made by `serveMcp`. */
export class McpServing {
  /** The URL of the endpoint; undefined if it is not served over HTTP. */
  url: string | undefined;
  private endpoint: HttpEndpoint | undefined;
  private readonly clients = new Set<ClientSession>();
  private readonly conversations: Conversations;
  private closing: Promise<void> | undefined;

  /** @internal */
  constructor(
    private readonly tools: ServedTools,
    private readonly options: ServeMcpOptions,
  ) {
    const { answerTimeout: answerMs = DEFAULT_ANSWER_MS, logger = new ConsoleLogger() } = options;
    this.conversations = new Conversations({ runner: tools.runner, logger, answerMs });
  }

  /** @internal */
  async start(): Promise<void> {
    const { http, stdio, logger = new ConsoleLogger() } = this.options;
    this.tools.onChange(() => {
      this.toolsChanged().catch((error: unknown) => {
        logger.warn('a client of the MCP server was not told that the tools have changed', { error });
      });
    });
    if (http !== undefined) this.url = await this.openEndpoint().listen(http);
    if (stdio !== true) return;
    const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
    const session = await this.connect(new StdioServerTransport());
    // Whoever started this process is gone, or wants it to end.
    session.onClose(() => void this.close());
  }

  /** Serves one client over a transport, such as one of a test. */
  async connect(transport: Transport): Promise<ClientSession> {
    const { userId = 'user' } = this.options;
    const sender = { userId, principal: toPrincipal(userId, 'the option userId') };
    const session = new ClientSession(this.fields, sender);
    this.clients.add(session);
    session.onClose(() => this.clients.delete(session));
    await session.connect(transport);
    return session;
  }

  /**
   * Answers a request that another HTTP server has received, with the checks and limits of `endpoint`. Never rejects. The
   * body must not have been read.
   *
   * @example
   * createServer((request, response) => void serving.handle(request, response)).listen(3000);
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.openEndpoint().handle(request, response);
  }

  /** Notifies clients that the list of tools has changed. */
  async toolsChanged(): Promise<void> {
    this.endpoint?.toolsChanged();
    await Promise.all(this.sessions.map((session) => session.toolsChanged()));
  }

  /** Notifies the subscribed clients that a resource has changed. */
  async resourceChanged(uri: string): Promise<void> {
    this.endpoint?.resourceChanged(uri);
    await Promise.all(this.sessions.map((session) => session.resourceChanged(uri)));
  }

  /** Ends all sessions and closes the runner. */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private openEndpoint(): HttpEndpoint {
    const { http, endpoint = http ?? {} } = this.options;
    return (this.endpoint ??= new HttpEndpoint(this.fields, endpoint, this.closing !== undefined));
  }

  private get fields() {
    const { tools, options, conversations } = this;
    return { tools, options, conversations };
  }

  private get sessions(): ClientSession[] {
    return [...this.clients, ...(this.endpoint?.clients ?? [])];
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.clients].map((session) => session.close()));
    await this.endpoint?.close();
    await this.conversations.close();
    await this.tools.runner.close();
  }
}
