import type { Content, PendingRequest, Run, Runner } from '@adorn/core';
import { answerNameOf, isObject } from '@adorn/core/backend';

/** An answer to a pending request, from a client of another protocol. */
export interface UiAnswer {
  readonly request: PendingRequest;
  /** For a confirmation: the decision. For an input: false refuses it. */
  readonly approved: boolean;
  readonly reason?: string | undefined;
  /** The arguments of an approved call, in place of those that were shown. */
  readonly args?: object | undefined;
  /** The input, credential or result that was asked for. */
  readonly value?: unknown;
}

type RunOptions = NonNullable<Parameters<Runner['approve']>[1]>;

/**
 * Begins the run that one answer, or several at once, continue.
 *
 * @param stateDelta written before the run goes on
 */
export function answerAll(
  runner: Runner<unknown>,
  answers: readonly UiAnswer[],
  options: RunOptions,
  stateDelta: Readonly<Record<string, unknown>> = {},
): Run<unknown> {
  const [first, ...others] = answers;
  if (first === undefined || others.length > 0 || Object.keys(stateDelta).length > 0)
    return answerTogether(runner, answers, options, stateDelta);
  const { request, approved, reason, args, value } = first;
  if (!approved) return runner.reject(request, reason === undefined ? options : { ...options, reason });
  return request.kind === 'confirmation'
    ? runner.approve(request, { ...options, args })
    : runner.supply(request, value, options);
}

/** Several answers are the parts of one message, so that their calls run in one turn. */
function answerTogether(
  runner: Runner<unknown>,
  answers: readonly UiAnswer[],
  options: RunOptions,
  stateDelta: Readonly<Record<string, unknown>>,
): Run<unknown> {
  const [{ request: { userId, sessionId } = { userId: '', sessionId: '' } } = {}] = answers as [UiAnswer?];
  const message: Content = {
    role: 'user',
    parts: answers.map((answer) => ({ functionResponse: responseOf(answer) })),
  };
  return runner.run({ ...options, userId, sessionId, message, stateDelta });
}

function responseOf({ request, approved, reason, args, value }: UiAnswer) {
  const { id, kind } = request;
  const name = answerNameOf(request);
  if (kind === 'confirmation' || !approved)
    return { id, name, response: { confirmed: approved, reason, args: approved ? args : undefined } };
  if (kind === 'result' && isObject(value)) return { id, name, response: { ...value } };
  return { id, name, response: kind === 'credential' ? { credential: value } : { result: value } };
}
