import type { Content } from '../content/genai-types.js';
import { type PendingRequest, REQUEST_CONFIRMATION, REQUEST_CREDENTIAL } from '../events/pending-request.js';
import { requireOptions } from '../invocation/run-config.js';
import { AnswerMisdirectedError } from './errors.js';
import { type AnswerOptions, OPTIONS, type ResultOptions, type RunInput } from './run-input.js';

/**
 * A yes or a no to a request, as the message of a run.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function decisionInput(
  method: 'approve' | 'reject',
  request: PendingRequest,
  decision: Record<string, unknown>,
  options: AnswerOptions,
): RunInput {
  requireOptions(`runner.${method}`, options, OPTIONS[method]);
  if (request.kind !== 'confirmation') {
    throw new AnswerMisdirectedError(request, 'it asks for no yes or no', 'Use runner.supply');
  }
  return answerInput(request, decision, options);
}

/**
 * A credential or a result that a call waits for, as the message of a run.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function supplyInput(
  request: PendingRequest,
  value: unknown,
  options: AnswerOptions & ResultOptions,
): RunInput {
  requireOptions('runner.supply', options, OPTIONS.supply);
  const isResult = request.kind === 'result';
  if (!isResult && options.willContinue === true) {
    throw new AnswerMisdirectedError(
      request,
      'only a result can be an interim one',
      'Leave willContinue out',
    );
  }
  return answerInput(request, isResult ? asObject(value) : { credential: value }, options);
}

function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : { result: value };
}

function answerInput(
  request: PendingRequest,
  response: Record<string, unknown>,
  options: AnswerOptions & ResultOptions,
): RunInput {
  const { userId, sessionId } = request;
  if (typeof sessionId !== 'string') {
    throw new AnswerMisdirectedError(request, 'it has no session', 'Take the request from runner.pending');
  }
  const { invocationId, config, signal } = options;
  return {
    userId,
    sessionId,
    message: answerMessage(request, response, options),
    invocationId,
    config,
    signal,
  };
}

/** An answer to a request as the message that any client would send, with who gave it, how and when. */
function answerMessage(
  request: PendingRequest,
  response: Record<string, unknown>,
  { by = request.userId, channel, willContinue }: AnswerOptions & ResultOptions,
): Content {
  const decision = request.kind === 'result' ? response : { ...response, by, channel, at: Date.now() / 1000 };
  const given = Object.fromEntries(Object.entries(decision).filter(([, value]) => value !== undefined));
  return {
    role: 'user',
    parts: [
      {
        functionResponse: {
          id: request.id,
          name: nameOf(request),
          response: given,
          ...(willContinue !== undefined && { willContinue }),
        },
      },
    ],
  };
}

function nameOf({ kind, tool }: PendingRequest): string {
  if (kind === 'result') return tool;
  return kind === 'confirmation' ? REQUEST_CONFIRMATION : REQUEST_CREDENTIAL;
}
