import type { Logger } from '@adorn/core';
import { isLoopback, LOOPBACK_HOSTS } from '@adorn/core/backend';
import { A2A_VERSION_HEADER, formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';

import { cardJson, legacyCardJson } from './agent-card.js';
import type { A2aHandlerOptions } from './serve-options.js';
import type { TaskHandler } from './task-handler.js';

interface RpcHandler {
  handle(
    message: JsonObject,
    context: ServerCallContext,
  ): Promise<object | AsyncGenerator<object, void, undefined>>;
}

/** An agent with its card and its two protocols. */
export interface ServedAgent {
  readonly card: Parameters<typeof cardJson>[0];
  readonly tasks: TaskHandler;
  readonly rpc: RpcHandler;
  readonly legacyRpc: RpcHandler;
}

export type MakeContext = (fields: {
  user: { isAuthenticated: boolean; userName: string };
  requestedVersion: string;
}) => ServerCallContext;

const CARD_PATHS: readonly string[] = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const EVERYBODY = 'peer';

/** Answers HTTP requests: who may send them, to which agent they go, and in which revision they are. */
export class Endpoint {
  private readonly basePath: string;
  private readonly allowedHosts: readonly string[];
  private readonly streams = new Map<string, number>();

  constructor(
    private readonly agents: ReadonlyMap<string, ServedAgent>,
    private readonly options: A2aHandlerOptions,
    private readonly logger: Logger,
    private readonly makeContext: MakeContext,
  ) {
    const { hostname, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.allowedHosts = options.allowedHosts ?? (isLoopback(hostname) ? LOOPBACK_HOSTS : [hostname]);
  }

  /** Never rejects. */
  async answer(request: Request): Promise<Response> {
    try {
      return await this.respond(request);
    } catch (error) {
      this.logger.error('an A2A request failed', { error });
      return refusal(500, 'The request failed.');
    }
  }

  private async respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const host = (request.headers.get('host') ?? url.host).toLowerCase().replace(/:\d*$/, '');
    if (!this.allowedHosts.includes(host)) return refusal(403, 'Its Host is not allowed.');
    const { agent, rest } = this.route(url.pathname);
    if (agent === undefined) return refusal(404, 'There is nothing here.');
    if (CARD_PATHS.includes(rest))
      return request.method === 'GET' ? cardResponse(agent, request) : refusal(405, 'Use GET.');
    if (rest !== '' && rest !== '/') return refusal(404, 'There is nothing here.');
    if (request.method !== 'POST') return refusal(405, 'Use POST.');
    // A page of another origin may send a form, but no JSON without being asked.
    if (!/^application\/(a2a\+)?json\b/i.test(request.headers.get('content-type') ?? ''))
      return refusal(415, 'Its content type is not application/json.');
    const principal = await this.principalOf(request);
    if (principal === undefined)
      return refusal(401, 'The request has no valid credential.', { 'www-authenticate': 'Bearer' });
    const body = await readBody(request, this.options.limits?.bodyBytes ?? 10_485_760);
    if (body === undefined) return refusal(413, 'The body is too large.');
    return this.call(agent, request, principal, body);
  }

  private route(pathname: string): { agent: ServedAgent | undefined; rest: string } {
    const below = pathname.startsWith(this.basePath) ? pathname.slice(this.basePath.length) : undefined;
    if (below === undefined) return { agent: undefined, rest: '' };
    const only = this.agents.get('');
    if (only !== undefined) return { agent: only, rest: below };
    const [, name = ''] = below.split('/');
    return { agent: this.agents.get(`/${name}`), rest: below.slice(name.length + 1) };
  }

  private async principalOf(request: Request): Promise<string | undefined> {
    const { authenticate } = this.options;
    if (authenticate === undefined) return EVERYBODY;
    const principal: unknown = await authenticate(request);
    return typeof principal === 'string' && principal !== '' ? principal : undefined;
  }

  private async call(
    agent: ServedAgent,
    request: Request,
    principal: string,
    body: string,
  ): Promise<Response> {
    const requestedVersion = request.headers.get(A2A_VERSION_HEADER) ?? '0.3';
    const isLegacy = requestedVersion.startsWith('0.3');
    if (!isLegacy && !requestedVersion.startsWith('1.')) {
      const message = `The revision ${requestedVersion} is not spoken here: 0.3 and 1.0 are.`;
      return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_009, message } });
    }
    const message = readObject(body);
    if (message === undefined) {
      const error = { code: -32_600, message: 'The body is no JSON-RPC request.' };
      return Response.json({ jsonrpc: '2.0', id: null, error });
    }
    const context = this.makeContext({
      user: { isAuthenticated: true, userName: principal },
      requestedVersion,
    });
    const left = new AbortController();
    context.state.set('signal', left.signal);
    const answer = await (isLegacy ? agent.legacyRpc : agent.rpc).handle(message, context);
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
    const first = await this.firstOf(answer, idOf(message));
    if ('refused' in first) return Response.json(first.refused);
    const count = this.streams.get(principal) ?? 0;
    if (count >= (this.options.limits?.streams ?? 32)) {
      left.abort();
      return refusal(429, 'The principal reads too many streams.');
    }
    this.streams.set(principal, count + 1);
    const end = (): void => {
      const others = (this.streams.get(principal) ?? 1) - 1;
      if (others === 0) this.streams.delete(principal);
      else this.streams.set(principal, others);
    };
    return new Response(sseBody(first.step, answer, { left, end, id: idOf(message) }), {
      headers: SSE_HEADERS,
    });
  }

  /** A fault before the first update is a response, not a stream. */
  private async firstOf(updates: AsyncGenerator<object, void, undefined>, id: RequestId) {
    try {
      return { step: await updates.next() };
    } catch (error) {
      const { JsonRpcTransportHandler } = await import('@a2a-js/sdk/server');
      return {
        refused: { jsonrpc: '2.0', id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) },
      };
    }
  }
}

function cardResponse({ card }: ServedAgent, { headers }: Request): Response {
  const isCurrent = headers.get(A2A_VERSION_HEADER)?.startsWith('1.') === true;
  const body = isCurrent ? cardJson(card) : legacyCardJson(card);
  return Response.json(body, {
    headers: { vary: A2A_VERSION_HEADER, 'cache-control': 'public, max-age=300' },
  });
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } }, { status, headers });
}

/** Undefined if the body is larger than the limit. */
async function readBody({ body }: Request, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

type JsonObject = Record<string, unknown>;

/** Undefined if the body is no JSON object. */
function readObject(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The id of a JSON-RPC request, which its response repeats. */
type RequestId = string | number | null;

function idOf({ id }: JsonObject): RequestId {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

interface StreamEnd {
  readonly left: AbortController;
  readonly end: () => void;
  readonly id: RequestId;
}

/** Updates as server-sent events. The task goes on without its reader. */
function sseBody(
  first: IteratorResult<object, void>,
  updates: AsyncGenerator<object, void, undefined>,
  { left, end, id }: StreamEnd,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<object, void>> | undefined = Promise.resolve(first);
  return new ReadableStream({
    async pull(controller) {
      try {
        const step = await (next ?? updates.next());
        next = undefined;
        if (step.done !== true) {
          controller.enqueue(encoder.encode(formatSSEEvent(step.value)));
          return;
        }
      } catch {
        const error = { code: -32_603, message: 'The stream failed.' };
        controller.enqueue(encoder.encode(formatSSEErrorEvent({ jsonrpc: '2.0', id, error })));
      }
      end();
      controller.close();
    },
    cancel() {
      left.abort();
      end();
    },
  });
}
