import type { AgainReason, StoredAgain } from '../events/asked-again.js';
import { type CallAsker, isCallAsker } from '../events/call-asker.js';
import { type AnsweredRequest, givenAt, type PendingRequestData } from '../events/pending-request.js';
import { isSameJson, present } from '@adorn/schema';
import { definitionDigest, type ToolCall } from './tool-call.js';

/** Whether an answer covers a call as it is now: `covered`, or why it does not. */
export type Coverage = 'covered' | AgainReason;

/**
 * Whether an answer covers a call: an answer is about one call, one tool with one definition, and the arguments that were
 * shown, and is given in time. The only place that decides this.
 *
 * @param at when it was given, in seconds since 1970. Default: now
 */
export function coverageOf(call: ToolCall, shown: PendingRequestData | undefined, at?: number): Coverage {
  const subject = subjectOf(call, shown, at);
  if (subject !== 'covered' || isSameJson(shown?.args, call.args)) return subject;
  return call.isIntercepted ? 'ARGUMENTS_CHANGED' : 'ARGUMENTS_DIFFER';
}

/** Whether an answer is about a call, whatever its arguments are. */
export function subjectOf(
  { id, entry, invocation }: ToolCall,
  shown: PendingRequestData | undefined,
  at = invocation.services.clock.now(),
): Coverage {
  if (shown?.functionCallId !== id || shown.tool !== entry.tool.name) return 'OTHER_CALL';
  if (shown.expiresAt !== undefined && at >= shown.expiresAt) return 'EXPIRED';
  if (shown.definition === undefined) return 'DEFINITION_UNKNOWN';
  return shown.definition === definitionDigest(entry.tool) ? 'covered' : 'DEFINITION_CHANGED';
}

/** Whether the answer to a request of a function covers its call. */
export function coverageOfAnswer(call: ToolCall, { request, response }: AnsweredRequest): Coverage {
  return coverageOf(call, request, givenAt(response));
}

/** A question that is about to be asked, as far as it is compared with earlier ones. */
export type Asking =
  | {
      readonly kind: 'confirmation';
      readonly askedBy?: CallAsker;
      readonly hint: string;
      readonly payload?: unknown;
    }
  | {
      readonly kind: 'input';
      readonly askedBy?: CallAsker;
      readonly hint: string;
      readonly payload?: unknown;
    }
  | { readonly kind: 'credential'; readonly askedBy?: CallAsker; readonly key: string };

/** Why a call asks again; undefined for the first question about it. */
export function reasonToAskAgain(call: ToolCall, asking: Asking): StoredAgain | undefined {
  const { answer } = call;
  if (answer === undefined) return undefined;
  if (asking.kind === 'credential') return whyCredential(call, asking);
  if (asking.askedBy === undefined) return whyConfirmation(call);
  const earlier = answer.given?.findLast(({ request }) => request.askedBy === asking.askedBy);
  if (earlier === undefined) return whyOther(call);
  const coverage = coverageOfAnswer(call, earlier);
  const { hint, payload, id } = earlier.request;
  const isSame = hint === asking.hint && isSameJson(payload, asking.payload);
  const reason = coverage !== 'covered' ? coverage : isSame ? 'ANSWER_USED' : 'QUESTION_DIFFERS';
  return { reason, request: id };
}

/**
 * Why a call comes back to the gate that has let it pass by a decision of a `ConfirmationProvider`, which is about the arguments
 * and the credential that the call had; undefined if it has not.
 */
export function reasonAfterProvider({ decided, args }: ToolCall): StoredAgain | undefined {
  if (decided === undefined) return undefined;
  return { reason: isSameJson(decided, args) ? 'CREDENTIAL_REJECTED' : 'ARGUMENTS_CHANGED' };
}

function whyCredential(
  call: ToolCall,
  { key, askedBy }: Extract<Asking, { kind: 'credential' }>,
): StoredAgain | undefined {
  const { context, answer } = call;
  const request = answer?.request?.authConfig?.credentialKey === key ? answer.request.id : undefined;
  if (context.credentialHint !== undefined) return present({ reason: 'CREDENTIAL_REJECTED', request });
  const wasSupplied = request !== undefined || answer?.supplied?.includes(key) === true;
  if (wasSupplied) return present({ reason: 'CREDENTIAL_MISSING', request });
  const earlier = askedBy && answer?.given?.findLast((one) => one.request.askedBy === askedBy);
  return earlier ? { reason: 'QUESTION_DIFFERS', request: earlier.request.id } : whyOther(call);
}

function whyConfirmation(call: ToolCall): StoredAgain | undefined {
  const { confirmation, shown, at } = call.answer ?? {};
  if (shown === undefined || confirmation?.confirmed !== true || isCallAsker(shown.askedBy))
    return whyOther(call) ?? whyRepeated(call);
  const coverage = coverageOf(call, shown, at);
  // A covered call is not asked about.
  return coverage === 'covered' ? undefined : { reason: coverage, request: shown.id };
}

/** The reason of a gate that has approved the call before, without a record of it. */
function whyRepeated({ answer, invocation }: ToolCall): StoredAgain | undefined {
  const isRepeated =
    answer?.isInterrupted === true || answer?.open.event.invocationId !== invocation.invocationId;
  return isRepeated ? { reason: 'NOT_ON_RECORD' } : undefined;
}

/** The reason of a function that asks for the first time, behind an answer to another one. */
function whyOther({ answer }: ToolCall): StoredAgain | undefined {
  const request = answer?.given?.at(-1)?.request ?? answer?.shown ?? answer?.request;
  return request && { reason: 'ANOTHER_FUNCTION', request: request.id };
}
