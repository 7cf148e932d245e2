import type { PendingRequest, Run, Runner } from '@adorn/core';
import type { AnswerOptions, Principal } from '@adorn/core/backend';
import type { Message } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';

import { type AdkAnswer, adkAnswerIn } from '../protocol/adk-parts.js';
import { isPlainJsonObject } from '../protocol/json-object.js';
import { dataOf, textOf } from '../protocol/parts.js';

/** Gives the answer of a peer to the runner. */
export type Answer = (options: AnswerOptions) => Run<unknown>;

/** What a peer's message may answer, and by whom. */
export interface Asked {
  readonly runner: Runner<unknown>;
  /** The open requests of the task. */
  readonly open: readonly PendingRequest[];
  readonly by: Principal;
  readonly approve: ((request: PendingRequest, principal: string) => unknown) | undefined;
}

/**
 * The answer in a message. A peer answers inputs; it approves calls and supplies results only if the policy names its
 * principal, and never supplies a credential.
 */
export async function answerIn(
  message: Message | undefined,
  { runner, open, by, approve }: Asked,
): Promise<Answer> {
  const adk = adkAnswerIn(message);
  const given = adk ? answerOf(adk) : dataOf(message);
  const data = asRecord(given);
  const { requestId } = data ?? {};
  const asked = requestId === undefined ? open : open.filter(({ id }) => id === requestId);
  const [request] = asked
    .filter(({ kind }) => kind === 'input')
    .concat(asked.filter(({ kind }) => kind !== 'input'));
  if (request === undefined)
    throw new RequestMalformedError('requestId is not that of an open request of the task.');
  if (request.kind === 'input') {
    const value = valueOf(data, given, textOf(message));
    return (options) => runner.supply(request, value, options);
  }
  const isAllowed = request.kind !== 'credential' && (await approve?.(request, by.id)) === true;
  if (!isAllowed) throw new UnsupportedOperationError(REFUSALS[request.kind]);
  if (request.kind === 'result')
    return (options) => runner.supply(request, valueOf(data, data, textOf(message)), options);
  if (typeof data?.['confirmed'] !== 'boolean')
    throw new RequestMalformedError('Answer with a data part { "requestId", "confirmed": true or false }.');
  return data['confirmed']
    ? (options) => runner.approve(request, options)
    : (options) => runner.reject(request, options);
}

/** The answer of a client of Google's ADK as a data part of ours; its value may be JSON text under `response` or `result`. */
function answerOf({ id, response }: AdkAnswer): Readonly<Record<string, unknown>> {
  const [key = '', ...others] = Object.keys(response);
  const isWrapped = others.length === 0 && (key === 'response' || key === 'result');
  const value = isWrapped ? parsed(response[key]) : response;
  return { ...asRecord(value), requestId: id, value };
}

/** JSON of an object as the object; anything else as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const REFUSALS = {
  confirmation: 'The task waits for the approval of an operator, which a peer cannot give.',
  credential:
    'The task waits for a credential, which no message can carry. Grant it where the agent asks its user.',
  result: 'The task waits for the result of a tool, which a peer cannot supply.',
} as const;

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isPlainJsonObject(value) ? value : undefined;
}

/** The value in a data part `{ requestId, value }`, else the data, else the text. */
function valueOf(
  record: Readonly<Record<string, unknown>> | undefined,
  data: unknown,
  text: string,
): unknown {
  if (record !== undefined && 'requestId' in record) return 'value' in record ? record['value'] : text;
  return data ?? text;
}
