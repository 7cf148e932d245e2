import type { Content } from '../../events/genai-types.js';
import { isCallAsker } from '../../events/call-asker.js';
import { answerNameOf, type PendingRequest } from '../../events/pending-request.js';
import { requireOptions } from '../../run/run-config.js';
import {
  frozenJson,
  isSameJson,
  toJsonValue,
  present,
  assertName,
  type Arguments,
  optionNames,
} from '@adorn/schema';
import { AnswerMisdirectedError, RequestUnreadableError } from '../errors.js';
import type { Answerer, MessageInput, RunInput } from '../begin/run-input.js';

/** The options of every answer: who answered, and how the run continues. */
export interface AnswerOptions
  extends Pick<RunInput, 'invocationId' | 'config' | 'signal'>, Omit<Answerer, 'remember'> {}

/** The options of an approval. */
export interface ApproveOptions extends AnswerOptions, Answerer {
  /** Data for the tool: it is in `context.confirmation` when the tool runs. */
  readonly payload?: unknown;
  /**
   * The arguments with which the call runs, in place of those that were shown. They are checked like a model's, and the
   * approval covers them. The model is told which arguments a person changed. Default: the arguments that were shown.
   */
  readonly args?: object | undefined;
}

/** The options of a result of a long-running tool. */
export interface ResultOptions {
  /** True for an interim result: the model reads it, and the request stays open for the next one. Default: false. */
  readonly willContinue?: boolean;
}

/** The options of a delegation. */
export interface DelegateOptions extends AnswerOptions {
  /** The id of the principal who may answer, too. */
  readonly to: string;
}

const ANSWER = { by: true, channel: true, invocationId: true, config: true, signal: true } as const;

const OPTIONS = {
  approve: optionNames<ApproveOptions>({ ...ANSWER, payload: true, args: true, remember: true }),
  reject: optionNames<AnswerOptions & { reason: string }>({ ...ANSWER, reason: true }),
  supply: optionNames<AnswerOptions & ResultOptions>({ ...ANSWER, willContinue: true }),
  delegate: optionNames<DelegateOptions>({ ...ANSWER, to: true }),
};

/**
 * The input of a run that approves a confirmation, or rejects a confirmation or an input.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function decisionInput(
  method: 'approve' | 'reject',
  request: PendingRequest,
  options: ApproveOptions & { readonly reason?: string },
): MessageInput {
  requireRequest(method, request);
  requireOptions(`runner.${method}`, options, OPTIONS[method]);
  if (request.kind !== 'confirmation' && !(method === 'reject' && request.kind === 'input')) {
    throw new AnswerMisdirectedError(request, 'it is not a confirmation', 'Use runner.supply');
  }
  if (isCallAsker(request.askedBy) && options.remember !== undefined) {
    const fault = `${askerOf(request)}, so the approval is for this call only`;
    throw new AnswerMisdirectedError(request, fault, 'Leave remember out');
  }
  const { payload, reason, args } = options;
  const changed = changedArguments(request, args);
  // Arguments that are named and not changed say what was seen.
  const named = args !== undefined && changed === undefined ? request.args : undefined;
  const decision =
    method === 'approve' ? present({ confirmed: true, payload, args: named }) : { confirmed: false, reason };
  return answerInput(request, decision, options, changed);
}

/**
 * The input of a run that lets somebody else answer a request, too.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError | NameInvalidError}
 */
export function delegateInput(request: PendingRequest, options: DelegateOptions): MessageInput {
  requireRequest('delegate', request);
  requireOptions('runner.delegate', options, OPTIONS.delegate);
  if (request.kind !== 'confirmation' && request.kind !== 'input')
    throw new AnswerMisdirectedError(
      request,
      'only a confirmation or an input can be delegated',
      'Let who may answer it do so',
    );
  const { to, ...answer } = options;
  assertName('id of a delegate', to);
  const input = answerInput(request, { delegateTo: to }, { ...answer, willContinue: true });
  return { ...input, given: { request, delegateTo: to } };
}

/** @throws {RequestUnreadableError} if the value is not a request */
function requireRequest(method: string, request: unknown): void {
  const { id, kind } = (request ?? {}) as Partial<Record<keyof PendingRequest, unknown>>;
  if (typeof id !== 'string' || typeof kind !== 'string') throw new RequestUnreadableError(method, request);
}

/** A copy of the arguments of an approval; undefined if they are those that were shown. */
function changedArguments(request: PendingRequest, args: object | undefined): Arguments | undefined {
  if (args === undefined) return undefined;
  const plain = toJsonValue(args);
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    throw new AnswerMisdirectedError(request, 'its args are not an object', 'Pass the arguments by name');
  if (isSameJson(plain, request.args)) return undefined;
  if (!isCallAsker(request.askedBy)) return frozenJson(plain as Arguments);
  const fault = `${askerOf(request)}, with the arguments that were shown`;
  throw new AnswerMisdirectedError(request, fault, 'Leave args out');
}

function askerOf({ askedBy = 'tool' }: PendingRequest): string {
  return askedBy === 'tool' ? 'the tool asked while it ran' : `the function ${askedBy} of the call asked`;
}

/**
 * The input of a run that supplies the credential, input or result that a call waits for.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function supplyInput(
  request: PendingRequest,
  value: unknown,
  options: AnswerOptions & ResultOptions,
): MessageInput {
  requireRequest('supply', request);
  requireOptions('runner.supply', options, OPTIONS.supply);
  const isResult = request.kind === 'result';
  if (!isResult && options.willContinue === true) {
    throw new AnswerMisdirectedError(request, 'only a result can be interim', 'Leave willContinue out');
  }
  if (request.kind === 'confirmation') {
    throw new AnswerMisdirectedError(request, 'it is a confirmation', 'Use runner.approve or runner.reject');
  }
  return answerInput(request, suppliedResponse(request, value), options);
}

function suppliedResponse({ kind }: PendingRequest, value: unknown): Record<string, unknown> {
  if (kind === 'credential') return { credential: value };
  return kind === 'input' ? { result: value } : asObject(value);
}

function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : { result: value };
}

function answerInput(
  request: PendingRequest,
  response: Record<string, unknown>,
  options: AnswerOptions & Answerer & ResultOptions,
  args?: Arguments,
): MessageInput {
  const { userId, sessionId } = request;
  if (typeof sessionId !== 'string') {
    throw new AnswerMisdirectedError(request, 'it has no session', 'Take the request from runner.pending');
  }
  const { invocationId, config, signal, by, channel, remember, willContinue } = options;
  const message = answerMessage(request, response, willContinue);
  const input = { userId, sessionId, message, invocationId, config, signal, by, channel, remember };
  return { kind: 'message', input, given: { request, args } };
}

/** An answer to a request as a message, in the form that any client sends. */
function answerMessage(
  request: PendingRequest,
  response: Record<string, unknown>,
  willContinue: boolean | undefined,
): Content {
  return {
    role: 'user',
    parts: [
      {
        functionResponse: present({ id: request.id, name: answerNameOf(request), response, willContinue }),
      },
    ],
  };
}
