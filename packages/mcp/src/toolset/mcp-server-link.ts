import type { JsonSchema, Logger, ToolContext } from '@adorn/core';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';

import { ActiveCalls } from './active-calls.js';
import { type ConnectionFields, isModern, McpConnection, RAW } from './mcp-connection.js';
import type { McpToolOptions } from './mcp-toolset-options.js';
import { withAddresses, withLateAnswer } from './server-questions.js';
import { callAsTask, type SendRequest } from './task-call.js';
import type { RawResult } from './tool-result.js';

/** How many tools, and pages of them, a server may list. */
const MOST_TOOLS = 2_000;
const MOST_PAGES = 200;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A progress notification of a call. */
export interface ProgressOfCall {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of a request to a server. */
export interface LinkOptions {
  readonly logger: Logger;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the answer. */
  readonly timeout?: number;
}

/** Options of a call of a tool. */
export interface CallOptions {
  /** Milliseconds for which the server keeps a task. The time limit of the tool ends the wait for an answer. */
  readonly timeout: number;
  /** The schema of the arguments. */
  readonly schema: JsonSchema;
  /** Whether the server runs the tool as a task. */
  readonly isTask: boolean;
  readonly onprogress: (progress: ProgressOfCall) => void;
}

/** One server, as one group of users talks to it: its connection, and the calls that are under way on it. */
export class McpServerLink {
  readonly calls = new ActiveCalls();
  private readonly connection: McpConnection;

  constructor(
    private readonly fields: Omit<ConnectionFields, 'prepare'> & {
      /** Whether the server may ask the user, and who may answer. */
      readonly asking: Pick<McpToolOptions, 'elicitation' | 'approvers'>;
      readonly prepare: (client: Client, calls: ActiveCalls) => void;
    },
  ) {
    this.connection = new McpConnection({
      ...fields,
      prepare: (client) => {
        fields.prepare(client, this.calls);
      },
    });
  }

  /** True while the server tells when its list of tools has changed. */
  get tellsChanges(): boolean {
    return this.connection.tellsChanges;
  }

  /** True while the server is away, and the next attempt to reach it waits. */
  get isResting(): boolean {
    return this.connection.isResting;
  }

  /** The tools that the server lists, of all pages. */
  async listTools(options: LinkOptions): Promise<unknown[]> {
    return this.listAll('tools/list', 'tools', options);
  }

  /** The entries of a list, of all pages, within limits. */
  async listAll(
    method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
    field: string,
    options: LinkOptions,
  ): Promise<unknown[]> {
    const entries: unknown[] = [];
    const seen = new Set<unknown>();
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && entries.length < MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.listPage(method, params, options);
      const listed = result[field];
      if (Array.isArray(listed)) entries.push(...(listed as unknown[]));
      const next = result['nextCursor'];
      if (typeof next !== 'string' || seen.has(next)) break;
      seen.add(next);
      cursor = next;
    }
    return entries.slice(0, MOST_TOOLS);
  }

  /** A page of a list. In a modern revision the client leaves out tools whose arguments cannot be sent as headers. */
  private listPage(
    method: string,
    params: { readonly cursor?: string },
    options: LinkOptions,
  ): Promise<RawResult> {
    return this.connection.request<RawResult>(
      (client, own) =>
        method === 'tools/list' && isModern(client)
          ? client.listTools(params, own)
          : client.request({ method, params }, RAW, own),
      options,
    );
  }

  /**
   * Calls a tool for an agent. The server may ask the user or the model about it meanwhile. If the user has to be asked, the
   * run pauses, and the next run of the same call goes on with it.
   */
  callTool(
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    context: ToolContext,
    { isTask, schema, timeout: ttl, onprogress }: CallOptions,
  ): Promise<RawResult> {
    const { logger } = context;
    return this.calls.run({ context, onprogress }, (signal, tell, active) => {
      const options = { timeout: LONGEST_TIMER_MS, logger };
      const { server, asking } = this.fields;
      const once = () =>
        withLateAnswer(() => this.callOnce(call, schema, { ...options, signal, onprogress: tell }), active);
      if (!isTask) return withAddresses(once, active, { server, signal, ...asking });
      const send: SendRequest = (method, params) =>
        this.request({ method, params }, { ...options, ...(method !== 'tasks/cancel' && { signal }) });
      return callAsTask(call, send, { ttl, signal, onprogress: tell });
    });
  }

  /** In a modern revision some arguments are sent as headers too, as the schema says. */
  private callOnce(
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    schema: JsonSchema,
    options: LinkOptions & Pick<RequestOptions, 'onprogress'>,
  ): Promise<RawResult> {
    const toolDefinition = { name: call.name, inputSchema: { ...schema, type: 'object' as const } };
    return this.connection.request<RawResult>(
      (client, own) =>
        isModern(client)
          ? client.callTool(call, { ...own, toolDefinition })
          : client.request({ method: 'tools/call', params: call }, RAW, own),
      options,
    );
  }

  /** Sends one request, and gives the result as it came. */
  request(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    options: LinkOptions & Pick<RequestOptions, 'onprogress'>,
  ): Promise<RawResult> {
    return this.connection.request((client, own) => client.request(request, RAW, own), options);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
