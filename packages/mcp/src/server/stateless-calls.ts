import { hash, randomBytes, randomUUID } from 'node:crypto';

import {
  AdornError,
  ConsoleLogger,
  InMemorySessionService,
  type PendingRequest,
  type Run,
} from '@adorn/core';
import { canonicalJson, mayAnswer, type Sender } from '@adorn/core/backend';
import type {
  CallToolResult,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';

import { AnswersOfClient } from './answers-of-client.js';
import { errorResult } from './call-result.js';
import { questionOf, runAfter, type UserAnswer } from './client-questions.js';
import type { ClientAddress } from './conversations.js';
import { canAskUser, type Protocol, type ProtocolServer } from './protocol.js';
import { DEFAULT_ANSWER_MS, type ServingFields } from './protocol-server.js';
import type { ServedResult } from './served-tools.js';

/** Where a call waits for the user of its client. It is signed, and readable by the client. */
export interface CallState {
  /** The conversation, the call and the open request. */
  readonly session: string;
  readonly call: string;
  readonly request: string;
  /** SHA-256 of the tool and its arguments. */
  readonly digest: string;
}

/** One request of a client for a call. */
export interface StatelessCall {
  readonly server: ProtocolServer;
  readonly sender: Sender;
  readonly context: ServerContext;
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly codec: RequestStateCodec<CallState>;
}

const KEY_BYTES = 32;

/**
 * Calls of clients without a session. A call that waits for the user of its client ends with the question and a
 * signed state; the client repeats the call with both, and the call continues in any process that has the key and the
 * store.
 */
export class StatelessCalls {
  private readonly key: string | Uint8Array;
  /** The requests that are being answered in this process. */
  private readonly answering = new Set<string>();
  private isWarned = false;

  constructor(
    private readonly fields: ServingFields,
    private readonly protocol: Protocol,
  ) {
    this.key = fields.options.stateKey ?? randomBytes(KEY_BYTES);
  }

  /** Signs and checks the states of one user. */
  codecFor(userId: string): RequestStateCodec<CallState> {
    const { answerTimeout = DEFAULT_ANSWER_MS } = this.fields.options;
    return this.protocol.createRequestStateCodec<CallState>({
      key: this.key,
      ttlSeconds: Math.ceil(answerTimeout / 1_000),
      bind: () => `tools/call ${userId}`,
    });
  }

  /** Makes a call, or continues the call of its state. */
  async answer(call: StatelessCall): Promise<CallToolResult | InputRequiredResult> {
    const state = call.context.mcpReq.requestState<CallState>();
    if (state !== undefined) return this.goOn(call, state);
    const address = this.fields.conversations.begin(call.sender.userId, 'call');
    return this.make(call, address, `mcp-${randomUUID()}`);
  }

  /** Continues a call with the answer that came with its state. */
  private async goOn(
    call: StatelessCall,
    { session: sessionId, call: callId, request: id, digest }: CallState,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { runner } = this.fields.tools;
    const { context } = call;
    const { userId, principal: by } = call.sender;
    if (digest !== digestOf(call) || this.answering.has(id)) throw this.invalidState();
    this.answering.add(id);
    try {
      const address = { userId, sessionId };
      const request = (await runner.pending(address)).find((open) => open.id === id);
      if (request === undefined) throw this.invalidState();
      const answered = answerIn(context, request);
      if (answered === undefined) return await this.ask(call, address, callId, request);
      const { signal } = context.mcpReq;
      const next = runAfter(answered, request, { runner, by, signal });
      if (next !== undefined) return await this.make(call, address, callId, { request, run: next.run });
      // Somebody else may still answer.
      if (mayAnswer(request, by)) this.fields.conversations.end(address);
      return errorResult(`The tool "${request.tool}" needs an answer of the user, and there is none.`);
    } finally {
      this.answering.delete(id);
    }
  }

  /** Executes a call until it has a result, or a question for the user of the client. */
  private async make(
    call: StatelessCall,
    address: ClientAddress,
    callId: string,
    continued?: { readonly request: PendingRequest; readonly run: Run<unknown> },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { conversations, tools } = this.fields;
    const { name, args, context, sender } = call;
    let served: ServedResult | undefined;
    let isOpen = false;
    try {
      served = await tools.call({
        ...{
          ...address,
          by: sender.principal,
          name,
          args,
          context,
          callId,
          answers: this.answersFor(call),
          continued: continued?.run,
        },
      });
      const { unanswered, result } = served;
      const isOfOthers = unanswered !== undefined && !mayAnswer(unanswered, sender.principal);
      isOpen = unanswered?.kind === 'result' || isOfOthers;
      if (
        unanswered === undefined ||
        questionOf(unanswered, callId) === undefined ||
        isOfOthers ||
        !this.canAsk(call)
      )
        return result;
      isOpen = true;
      return await this.ask(call, address, callId, unanswered);
    } catch (error) {
      if (continued === undefined || !AdornError.is(error)) throw error;
      // The request is as open as it was.
      isOpen = error.code === 'ANSWER_INVALID' || error.code === 'REQUEST_NOT_PENDING';
      if (error.code === 'ANSWER_INVALID') return await this.ask(call, address, callId, continued.request);
      throw error.code === 'REQUEST_NOT_PENDING' ? this.invalidState() : error;
    } finally {
      if (isOpen) conversations.leave(address);
      else conversations.end(address);
    }
  }

  /** Asks the user of the client with the result of its call. */
  private async ask(
    call: StatelessCall,
    { sessionId }: ClientAddress,
    callId: string,
    request: PendingRequest,
  ): Promise<InputRequiredResult> {
    this.warnOfKey();
    const state = { session: sessionId, call: callId, request: request.id, digest: digestOf(call) };
    const params = { mode: 'form' as const, ...questionOf(request, callId) };
    return this.protocol.inputRequired({
      inputRequests: { [request.kind]: { method: 'elicitation/create', params } as never },
      requestState: await call.codec.mint(state, call.context),
    });
  }

  /** Refuses the approvals of a client that cannot ask. One that can is asked with the result. */
  private answersFor(call: StatelessCall): AnswersOfClient | undefined {
    if (this.canAsk(call)) return undefined;
    const { logger = new ConsoleLogger() } = this.fields.options;
    return new AnswersOfClient({
      server: call.server,
      by: call.sender.principal,
      logger,
      canElicit: false,
      timeout: 0,
    });
  }

  private canAsk({ server }: StatelessCall): boolean {
    return this.fields.options.confirm !== 'refuse' && canAskUser(server);
  }

  private invalidState(): Error {
    const { ProtocolError, ProtocolErrorCode } = this.protocol;
    const reason = { reason: 'invalid_request_state' };
    return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', reason);
  }

  /** A store beyond the process is most likely shared by processes, which do not know the key of this one. */
  private warnOfKey(): void {
    const { options, tools } = this.fields;
    if (this.isWarned || options.stateKey !== undefined) return;
    this.isWarned = true;
    if (tools.runner.sessions instanceof InMemorySessionService) return;
    const { logger = new ConsoleLogger() } = options;
    logger.warn(
      'serveMcp has no stateKey: a call that waits for the user of a client can only go on in this process. Pass the ' +
        'same key, of at least 32 bytes, to each process that serves the store',
    );
  }
}

function digestOf({ name, args }: StatelessCall): string {
  return hash('sha256', canonicalJson([name, args]), 'base64url');
}

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** The answer of the user in a request; undefined if there is none, or it is malformed. */
function answerIn({ mcpReq: { inputResponses } }: ServerContext, { kind }: PendingRequest): UserAnswer {
  const answer = inputResponses?.[kind];
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { action, content } = answer as Readonly<Record<string, unknown>>;
  const isContent = content === undefined || (typeof content === 'object' && content !== null);
  return ACTIONS.has(action) && isContent ? (answer as UserAnswer) : undefined;
}
