import type { Content, Part, PendingRequest, Run, Runner, SessionKey } from '@adorn/core';
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

/** What a page has sent. */
interface UiInput {
  /** If there are any, the run that they continue begins; otherwise that of a message. */
  readonly answers: readonly UiAnswer[];
  /** The message of the user. */
  readonly parts: Part[];
  readonly options: RunOptions;
  /** Written before the run begins or goes on. */
  readonly stateDelta: Readonly<Record<string, unknown>>;
}

/** Begins the run of a message, or the one that one answer, or several at once, continue. */
export function beginRun(
  runner: Runner<unknown>,
  { userId, sessionId }: SessionKey,
  { answers, parts, options, stateDelta }: UiInput,
): Run<unknown> {
  if (answers.length > 0) return answerAll(runner, answers, options, stateDelta);
  return runner.run({ ...options, userId, sessionId, message: { role: 'user', parts }, stateDelta });
}

function answerAll(
  runner: Runner<unknown>,
  answers: readonly UiAnswer[],
  options: RunOptions,
  stateDelta: UiInput['stateDelta'],
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
