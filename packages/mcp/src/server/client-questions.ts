import type { PendingRequest, Run, Runner } from '@adorn/core';
import { mayAnswer, type Principal, type PrincipalInput } from '@adorn/core/backend';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';

import { NOTHING_RUN } from '../question-meta.js';

/** The channel of calls and answers in the log. */
export const CHANNEL = 'mcp';

/** The `by` of a rejection when no person can be asked, or none has answered. */
const NOBODY = 'mcp-server';
const CANNOT_ASK = 'The call needs the approval of a person, and the client cannot ask one.';
const APPROVAL = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Approve', description: 'Run the call.' } },
  required: ['approve'],
} as const;

/** The run that follows an answer. A run that is returned alone would be awaited. */
export interface AnsweredRun {
  readonly run: Run<unknown>;
}

/** What the user of a client answered; `unasked` if the client cannot ask, undefined if nobody answered. */
export type UserAnswer = Pick<ElicitResult, 'action' | 'content'> | 'unasked' | undefined;

/** The user who answers, and the signal of the call. */
export interface Answering {
  readonly runner: Runner<unknown>;
  readonly by: Principal;
  readonly signal: AbortSignal;
}

/**
 * What the user of a client is asked; undefined for a request that is not asked over the protocol.
 *
 * @param callId the call of the client
 */
export function questionOf(request: PendingRequest, callId: string): ElicitRequestFormParams | undefined {
  const { kind, hint, tool, args, schema = ANYTHING } = request;
  const meta = isBeforeCall(request, callId) ? { _meta: NOTHING_RUN } : {};
  if (kind === 'confirmation') {
    const message = `${hint ?? `Approve ${tool}?`}\n${JSON.stringify(args, null, 2)}`;
    return { ...meta, message, requestedSchema: APPROVAL as never };
  }
  if (kind !== 'input') return undefined;
  return {
    ...meta,
    message: hint ?? 'The tool needs an input.',
    requestedSchema: schemaOf(declinable(schema).schema),
  };
}

/** True if a request is about the call of a client itself, and was made before its tool began. */
function isBeforeCall(
  { functionCallId, askedBy, mayHaveTakenEffect }: PendingRequest,
  callId: string,
): boolean {
  return functionCallId === callId && askedBy === undefined && mayHaveTakenEffect !== true;
}

/** The run that follows the answer to a question; undefined if the request stays open. */
export function runAfter(
  answered: UserAnswer,
  request: PendingRequest,
  { runner, by, signal }: Answering,
): AnsweredRun | undefined {
  const options = { by, channel: CHANNEL, signal };
  // Somebody else has to answer: the request stays open.
  if (!mayAnswer(request, by)) return undefined;
  if (request.kind === 'confirmation') {
    if (answered === 'unasked' || answered === undefined) {
      const reason = answered === 'unasked' ? CANNOT_ASK : 'Nobody answered.';
      return { run: runner.reject(request, { ...options, by: serverFor(request, by), reason }) };
    }
    const reason = refusalOf(answered);
    const run =
      reason === undefined
        ? runner.approve(request, options)
        : runner.reject(request, { ...options, reason });
    return { run };
  }
  if (request.kind !== 'input' || answered === 'unasked') return undefined;
  const { schema, canDecline } = declinable(request.schema ?? ANYTHING);
  if (answered?.action === 'decline' && canDecline) return { run: runner.supply(request, null, options) };
  if (answered?.action !== 'accept') return undefined;
  const input = isWrapped(schema) ? answered.content?.['value'] : answered.content;
  return { run: runner.supply(request, input, options) };
}

/** Who rejects a call that nobody has answered: the server, and the user only where no other may. */
function serverFor(request: PendingRequest, by: Principal): PrincipalInput {
  if (request.approvers === undefined) return NOBODY;
  const server: Principal = { ...by, id: NOBODY, actsFor: by.id };
  return mayAnswer(request, server) ? server : by;
}

/** Why a call is refused; undefined if the user approved it in so many words. */
function refusalOf(answered: Exclude<UserAnswer, 'unasked' | undefined>): string | undefined {
  return answered.action === 'accept' && answered.content?.['approve'] === true
    ? undefined
    : 'The user said no.';
}

type Schema = NonNullable<PendingRequest['schema']>;

const ANYTHING: Schema = { type: 'string' };

/** The schema of an answer without the `null` that stands for a refusal to answer: the protocol has an action for that. */
function declinable(schema: Schema): { readonly schema: Schema; readonly canDecline: boolean } {
  const { anyOf } = schema as { readonly anyOf?: unknown };
  const choices = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const [answer, ...others] = choices.filter(({ type }) => type !== 'null');
  return answer === undefined || others.length > 0 || choices.length !== 2
    ? { schema, canDecline: false }
    : { schema: answer, canDecline: true };
}

/** The protocol requests objects: any other input is requested as the property `value` of an object. */
function isWrapped(schema: Schema): boolean {
  return schema['type'] !== 'object';
}

function schemaOf(schema: Schema): ElicitRequestFormParams['requestedSchema'] {
  const asked = isWrapped(schema)
    ? { type: 'object', properties: { value: schema }, required: ['value'] }
    : schema;
  return asked as ElicitRequestFormParams['requestedSchema'];
}
