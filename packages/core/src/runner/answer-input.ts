import type { Content } from '../content/genai-types.js';
import { answerNameOf, type PendingRequest } from '../events/pending-request.js';
import { requireOptions } from '../invocation/run-config.js';
import { optionNames } from '../schema/nearest-names.js';
import { AnswerMisdirectedError } from './errors.js';
import type { Answerer, RunInput } from './run-input.js';

/** The options of every answer: who answered, and how the run continues. */
export interface AnswerOptions
  extends Pick<RunInput, 'invocationId' | 'config' | 'signal'>, Omit<Answerer, 'remember'> {}

/** The options of an approval. */
export interface ApproveOptions extends AnswerOptions, Answerer {
  /** Data for the tool: it is in `context.confirmation` when the tool runs. */
  readonly payload?: unknown;
}

/** The options of a result of a long-running tool. */
export interface ResultOptions {
  /** True for an interim result: the model reads it, and the request stays open for the next one. Default: false. */
  readonly willContinue?: boolean;
}

const ANSWER = { by: true, channel: true, invocationId: true, config: true, signal: true } as const;

const OPTIONS = {
  approve: optionNames<ApproveOptions>({ ...ANSWER, payload: true, remember: true }),
  reject: optionNames<AnswerOptions & { reason: string }>({ ...ANSWER, reason: true }),
  supply: optionNames<AnswerOptions & ResultOptions>({ ...ANSWER, willContinue: true }),
};

/**
 * The input of a run that approves or rejects a request.
 *
 * @throws {AnswerMisdirectedError | RunConfigInvalidError}
 */
export function decisionInput(
  method: 'approve' | 'reject',
  request: PendingRequest,
  decision: Record<string, unknown>,
  options: AnswerOptions & Answerer,
): RunInput {
  requireOptions(`runner.${method}`, options, OPTIONS[method]);
  if (request.kind !== 'confirmation') {
    throw new AnswerMisdirectedError(request, 'it is not a confirmation', 'Use runner.supply');
  }
  if (request.askedBy === 'tool' && options.remember !== undefined) {
    const fault = 'the tool asked while it ran, so the approval is for this call only';
    throw new AnswerMisdirectedError(request, fault, 'Leave remember out');
  }
  return answerInput(request, decision, options);
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
): RunInput {
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
): RunInput {
  const { userId, sessionId } = request;
  if (typeof sessionId !== 'string') {
    throw new AnswerMisdirectedError(request, 'it has no session', 'Take the request from runner.pending');
  }
  const { invocationId, config, signal, by, channel, remember, willContinue } = options;
  const message = answerMessage(request, response, willContinue);
  return { userId, sessionId, message, invocationId, config, signal, by, channel, remember };
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
        functionResponse: {
          id: request.id,
          name: answerNameOf(request),
          response,
          ...(willContinue !== undefined && { willContinue }),
        },
      },
    ],
  };
}
