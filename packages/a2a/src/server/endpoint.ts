import type { Logger } from '@adorn/core';
import { admitted, isLoopback, LOOPBACK_HOSTS, readSender, type Sender } from '@adorn/core/backend';
import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';

import { cardJson, legacyCardJson } from './agent-card.js';
import { EventStreams, type UpdateStream } from './event-streams.js';
import { answerRpc, rpcFault, type RpcHandler } from './json-rpc.js';
import { answerLegacyRest, type LegacyRest } from './legacy-rest.js';
import { answerRest, type RestAnswer } from './rest.js';
import type { A2aHandlerOptions } from './serve-options.js';
import { PRINCIPAL, type TaskHandler } from './task-handler.js';

/** An agent with its card, and what answers each binding in each revision. */
export interface ServedAgent {
  readonly card: Parameters<typeof cardJson>[0];
  readonly tasks: TaskHandler;
  readonly rpc: RpcHandler;
  readonly legacyRpc: RpcHandler;
  readonly legacyRest: LegacyRest;
}

export type MakeContext = (fields: {
  user: { isAuthenticated: boolean; userName: string };
  requestedVersion: string;
}) => ServerCallContext;

const CARD_PATHS: readonly string[] = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const RPC_PATHS: readonly string[] = ['', '/', '/jsonrpc'];
const REST = '/rest';
const EVERYBODY = readSender('peer');

/** Answers HTTP requests: who may send them, to which agent they go, and in which revision they are. */
export class Endpoint {
  private readonly basePath: string;
  private readonly allowedHosts: readonly string[] | 'any';
  private readonly streams: EventStreams;

  constructor(
    private readonly agents: ReadonlyMap<string, ServedAgent>,
    private readonly options: A2aHandlerOptions,
    private readonly logger: Logger,
    private readonly makeContext: MakeContext,
  ) {
    const { hostname, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.allowedHosts = options.allowedHosts ?? (isLoopback(hostname) ? LOOPBACK_HOSTS : [hostname]);
    this.streams = new EventStreams(options.limits?.streams ?? 32);
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
    if (this.allowedHosts !== 'any' && !this.allowedHosts.includes(host))
      return refusal(403, 'Its Host is not allowed.');
    const { agent, rest } = this.route(url.pathname);
    if (agent === undefined) return refusal(404, 'There is nothing here.');
    if (CARD_PATHS.includes(rest))
      return request.method === 'GET' ? cardResponse(agent, request) : refusal(405, 'Use GET.');
    const isRest = rest.startsWith(`${REST}/`);
    if (!isRest && !RPC_PATHS.includes(rest)) return refusal(404, 'There is nothing here.');
    if (!isRest && request.method !== 'POST') return refusal(405, 'Use POST.');
    if (!isWelcomeType(request)) return refusal(415, 'Its content type is not application/json.');
    const sender = await this.senderOf(request);
    if (sender === undefined)
      return refusal(401, 'The request has no valid credential.', { 'www-authenticate': 'Bearer' });
    const body = await readBody(request, this.options.limits?.bodyBytes ?? 10_485_760);
    if (body === undefined) return refusal(413, 'The body is too large.');
    return this.call({ agent, url, rest, request, sender, body });
  }

  private route(pathname: string): { agent: ServedAgent | undefined; rest: string } {
    const below = pathname.startsWith(this.basePath) ? pathname.slice(this.basePath.length) : undefined;
    if (below === undefined) return { agent: undefined, rest: '' };
    const only = this.agents.get('');
    if (only !== undefined) return { agent: only, rest: below };
    const [, name = ''] = below.split('/');
    return { agent: this.agents.get(`/${name}`), rest: below.slice(name.length + 1) };
  }

  /** Undefined for nobody, and for what is no principal, which is a fault of `authenticate` and logged. */
  private async senderOf(request: Request): Promise<Sender | undefined> {
    const { authenticate } = this.options;
    if (authenticate === undefined) return EVERYBODY;
    const given: unknown = await authenticate(request);
    return admitted('an A2A request', this.logger, () => readSender(given));
  }

  private async call(call: Call): Promise<Response> {
    const { agent, request, sender, body, rest } = call;
    const isRest = rest.startsWith(`${REST}/`);
    const isLegacyPath = rest.startsWith(`${REST}/v1/`);
    const asked = request.headers.get(A2A_VERSION_HEADER);
    const requestedVersion = isRest ? (isLegacyPath ? '0.3' : (asked ?? '1.0')) : (asked ?? '0.3');
    const isLegacy = requestedVersion.startsWith('0.3');
    if (!isLegacy && !requestedVersion.startsWith('1.'))
      return rpcFault(-32_009, `The revision ${requestedVersion} is not spoken here: 0.3 and 1.0 are.`);
    const context = this.makeContext({
      user: { isAuthenticated: true, userName: sender.userId },
      requestedVersion,
    });
    const left = new AbortController();
    context.state.set('signal', left.signal);
    context.state.set(PRINCIPAL, sender.principal);
    const answer = isRest
      ? await this.rest(call, isLegacy, context)
      : await answerRpc(isLegacy ? agent.legacyRpc : agent.rpc, body, context);
    if (answer === undefined) return refusal(404, 'There is nothing here.');
    if (answer instanceof Response) return answer;
    const stream: UpdateStream = { ...answer, left };
    return (
      (await this.streams.open(sender.userId, stream)) ??
      refusal(429, 'The principal reads too many streams.')
    );
  }

  private rest(
    { agent, url, rest, request, body }: Call,
    isLegacy: boolean,
    context: ServerCallContext,
  ): Promise<RestAnswer> {
    const asked = { method: request.method, path: rest.slice(REST.length), query: url.searchParams, body };
    return isLegacy
      ? answerLegacyRest(agent.legacyRest, asked, context)
      : answerRest(agent.tasks, asked, context);
  }
}

/** A request whose sender is known. */
interface Call {
  readonly agent: ServedAgent;
  readonly url: URL;
  /** The path below that of the agent. */
  readonly rest: string;
  readonly request: Request;
  readonly sender: Sender;
  readonly body: string;
}

/** False for what a page of another origin may send without being asked: forms, and requests without a body. */
function isWelcomeType({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'DELETE') return true;
  return /^application\/(a2a\+)?json\b/i.test(headers.get('content-type') ?? '');
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
