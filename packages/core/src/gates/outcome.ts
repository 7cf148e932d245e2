import { setImmediate as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

import { Deny } from './callbacks/agent-callbacks.js';
import {
  AdornError,
  type AdornErrorCode,
  describeThrown,
  exceedsBytes,
  type BytesInJson,
  bytesInJson,
  frozenJson,
  isBytes,
  isJsonValue,
  toJsonValue,
} from '@adorn/schema';
import type { CallEnding } from '../events/call-ending.js';
import { DURING_CALL, InvocationCancelledError } from '../run/cancellation.js';
import type { ToolTimeoutError } from '../tools/policies/errors.js';
import { cutResult, storeAsArtifact } from './cut-result.js';
import { hasMedia, withMediaStored } from './result-media.js';
import { withinCheckTime } from './time-limit.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { ToolError } from '../tools/errors.js';
import type { Tool } from '../tools/tool.js';
import { isLongRunning } from '../tools/tool-traits.js';
import type { ToolCall, ToolOutcome, ToolResponse } from './tool-call.js';

/** Default of `maxResultBytes`: the maximum size of a tool's result or error text, in bytes. */
const DEFAULT_MAX_BYTES = 65_536;

/** The largest result that is read at all, in bytes of JSON, unless `maxResultBytes` is larger. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The most values that are read of a result whose size is limited: reading them holds up all users of the process. */
const MOST_VALUES = 512 * 1024;

/** The outcome of a call that was rejected. A reason says who or what did, which may be a program and not the user. */
export function refusalOf(reason: string | undefined): ToolOutcome {
  return refused('tool call was rejected', reason);
}

function refused(what: string, reason: string | undefined, added?: ToolResponse): ToolOutcome {
  const response = reason === undefined ? { error: `${what} by the user` } : { error: what, reason };
  return { kind: 'refused', response: { ...response, ...added } };
}

/** The outcome of a call whose question behind the tool was rejected: the model is told that the tool has run. */
export function refusalAfter(call: ToolCall, ending: CallEnding): ToolOutcome {
  const { reason } = call.answer ?? {};
  if (ending.mayHaveTakenEffect !== true) return refusalOf(reason);
  const what = 'the tool has run, and its result was rejected';
  return isUnknown(call.entry.tool, call.context)
    ? refused(`outcome unknown: ${what}`, reason, UNKNOWN)
    : refused(what, reason);
}

/** The outcome of a call that a callback or a policy refused. */
export function denialOf({ reason }: Deny): ToolOutcome {
  return { kind: 'refused', response: { error: 'tool call was denied', reason } };
}

/**
 * The outcome of a tool's result: an object is used unchanged, any other value under `result`; a `Deny` refuses the call.
 * Bytes are base64 with their media type, and an artifact where they are more than `maxResultBytes`, or media that a model
 * sees.
 *
 * @throws {ValueNotJsonError}
 * @throws {ResultTooLargeError}
 */
export async function completionOf(call: ToolCall, result: unknown): Promise<ToolOutcome> {
  const { traits } = call.entry.tool;
  const continues = isContinued(call);
  const limit = traits.maxResultBytes ?? DEFAULT_MAX_BYTES;
  if (Deny.is(result)) return denialOf(result);
  const isLong = exceedsBytes(asResponse(result), limit);
  if (isLong && isTooLarge(call, result)) throw new ResultTooLargeError(call.entry.tool.name);
  if (result instanceof Blob) return completionOfBlob(call, result, limit);
  const plain = toJsonValue(result, 'result');
  if (isLong) await pause();
  const told = hasMedia(plain) ? await withMediaStored(call, plain) : plain;
  if (told === plain && isLong && isBytesResult(result)) return savedBytes(call, plain as BytesInJson);
  const response = asResponse(told);
  const isCut = told === result ? isLong : exceedsBytes(response, limit);
  if (!isCut) return { kind: 'completed', response: frozenJson(response), continues };
  return { kind: 'completed', response: await cutResult(call, response, limit), continues };
}

/**
 * The result of a tool as JSON, to be stored whole.
 *
 * @throws {ValueNotJsonError}
 * @throws {ResultTooLargeError}
 */
export async function readableResult({ entry }: ToolCall, result: unknown): Promise<unknown> {
  const size = result instanceof Blob ? result.size : 0;
  if (size > MOST_BYTES || exceedsBytes(asResponse(result), MOST_BYTES, MOST_BYTES / MOST_VALUES))
    throw new ResultTooLargeError(entry.tool.name);
  if (!(result instanceof Blob)) return toJsonValue(result, 'result');
  return bytesInJson(await result.arrayBuffer(), result.type === '' ? undefined : result.type);
}

/** True for a result of which nothing is read. */
function isTooLarge({ entry }: ToolCall, result: unknown): boolean {
  const limit = entry.tool.traits.maxResultBytes ?? DEFAULT_MAX_BYTES;
  return exceedsBytes(result, Math.max(limit, MOST_BYTES), MOST_BYTES / MOST_VALUES);
}

function isContinued({ entry, context }: ToolCall): boolean {
  return isLongRunning(entry.tool.traits) || context.longRunning;
}

/** @throws {ResultTooLargeError} */
async function completionOfBlob(call: ToolCall, blob: Blob, limit: number): Promise<ToolOutcome> {
  if (blob.size > Math.max(limit, MOST_BYTES)) throw new ResultTooLargeError(call.entry.tool.name);
  const bytes = bytesInJson(await blob.arrayBuffer(), blob.type === '' ? undefined : blob.type);
  const told = hasMedia(bytes) ? await withMediaStored(call, bytes) : bytes;
  if (told === bytes && exceedsBytes(bytes, limit)) return savedBytes(call, bytes);
  return { kind: 'completed', response: asResponse(told), continues: isContinued(call) };
}

function isBytesResult(result: unknown): boolean {
  return typeof result === 'object' && result !== null && isBytes(result);
}

/** The outcome of a result that is bytes, too many for a model: an artifact of them, under its name. */
async function savedBytes(call: ToolCall, inlineData: BytesInJson): Promise<ToolOutcome> {
  const { mimeType, data } = inlineData;
  const bytes = Buffer.byteLength(data, 'base64');
  const kept = await storeAsArtifact(call, `tool-results/${call.id}`, { mimeType, data });
  const note = `The result has ${String(bytes)} bytes, which are not shown. ${kept}`;
  return { kind: 'completed', response: { mimeType, bytes, note }, continues: isContinued(call) };
}

/** What a callback sees of a plain result: a frozen copy, because the tool may still hold its own. Any other as it is. */
export function shownResult(call: ToolCall, result: unknown): unknown {
  const isContainer = typeof result === 'object' && result !== null;
  return isContainer && !isTooLarge(call, result) && isJsonValue(result) ? frozenJson(result) : result;
}

/**
 * Waits for a callback after the tool has begun, until the tool's `checkTimeout`.
 *
 * @throws {ToolTimeoutError}
 * @throws {InvocationCancelledError} which says that the outcome of the call is unknown
 */
export function afterCall<Result>(
  { entry: { tool }, invocation: { cancellation } }: ToolCall,
  asked: PromiseLike<Result>,
  part: string,
): Promise<Result> {
  return withinCheckTime(asked, { tool, cancellation, part, options: DURING_CALL });
}

export function asResponse(value: unknown): ToolResponse {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as ToolResponse) : { result: value };
}

/** A tool's result is too large even to be stored. The message goes to the model. */
class ResultTooLargeError extends AdornError {
  readonly code = 'RESULT_TOO_LARGE';

  constructor(toolName: string) {
    super(
      `The result of the tool "${toolName}" has more than ${String(MOST_BYTES)} bytes of JSON, or more than ` +
        `${String(MOST_VALUES)} values, and nothing of it was read. ` +
        'Return less, or save the data as an artifact and return its name.',
    );
  }
}

/** Errors whose messages are sent to the model. */
const SHOWN_TO_MODEL: ReadonlySet<AdornErrorCode> = new Set([
  'CANCELLED',
  'CREDENTIAL_EXCHANGE_FAILED',
  'CREDENTIAL_REJECTED',
  'EFFECT_UNKNOWN',
  'GUARDRAIL_TRIPPED',
  'RESULT_NOT_JSON',
  'RESULT_TOO_LARGE',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_BUSY',
  'TOOL_FAILED',
  'TOOL_RATE_LIMITED',
  'TOOL_TIMEOUT',
]);

/** Added to the response to a call that may have taken effect. */
const UNKNOWN = Object.freeze({ outcome: 'unknown' });

/** The response to a call that was still running when its run ended. */
export const OUTCOME_UNKNOWN = Object.freeze({
  error: 'outcome unknown: the run ended while this call was under way. It may have taken effect.',
  ...UNKNOWN,
});

/**
 * The outcome of a call. One that failed or was refused after its tool had begun, in this run or in an interrupted one, is
 * marked as unknown, unless the tool only reads; and its text invites nobody to repeat the call, unless the tool is
 * idempotent.
 */
export function marked({ entry, context }: ToolCall, outcome: ToolOutcome): ToolOutcome {
  if (outcome.kind !== 'failed' && outcome.kind !== 'refused') return outcome;
  const { tool } = entry;
  if (!isUnknown(tool, context) || 'outcome' in outcome.response) return outcome;
  const cause = tool.traits.idempotent === true ? undefined : causeOf(tool, outcome);
  const response = { ...outcome.response, ...UNKNOWN };
  if (cause === undefined) return { ...outcome, response };
  return {
    ...outcome,
    response: { ...response, error: `outcome unknown: ${cause}. It may have taken effect.` },
  };
}

/** True if the tool may have taken an effect, although its call has failed. */
export function isUnknown({ traits }: Tool, context: ToolContext): boolean {
  return context.mayHaveTakenEffect && traits.effect !== 'read';
}

/** Why a call has no result, without an invitation to repeat it; undefined for the tool's own words. */
function causeOf(
  tool: Tool,
  outcome: Extract<ToolOutcome, { kind: 'failed' | 'refused' }>,
): string | undefined {
  if (outcome.kind === 'refused') return `${String(outcome.response['error'])} after the tool had begun`;
  const { name, code } = describeThrown(outcome.error);
  switch (code) {
    case 'TOOL_TIMEOUT':
      return lateness(outcome.error as ToolTimeoutError);
    case 'CANCELLED':
      return 'the invocation was cancelled';
    case 'TOOL_ARGUMENTS_INVALID':
    case 'TOOL_BUSY':
    case 'TOOL_RATE_LIMITED':
      return `the call was not run again (${name})`;
    default:
      return isShownToModel(tool, code) ? undefined : `the tool failed (${name})`;
  }
}

function lateness({ subject, milliseconds }: ToolTimeoutError): string {
  return `${subject} did not answer within ${String(milliseconds)} ms`;
}

/** Errors in which a tool says itself that it failed, and how. */
const DECLARED: ReadonlySet<AdornErrorCode | undefined> = new Set([
  'CREDENTIAL_REJECTED',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_FAILED',
  'TOOL_PAUSED',
]);

/** True if a tool says itself that it failed: it returned a `Deny`, or threw such an error. */
export function isDeclared(ending: unknown): boolean {
  if (Deny.is(ending)) return true;
  const { code } = describeThrown(ending);
  return DECLARED.has(code) && (ending as Partial<ToolError>).mayHaveTakenEffect !== true;
}

/** The outcome of a failed call: a safe message for the model, all details for the log. Never throws. */
export function failureOf(call: ToolCall, error: unknown): ToolOutcome & { kind: 'failed' } {
  const { code } = describeThrown(error);
  const invalid = code === 'TOOL_ARGUMENTS_INVALID';
  if (code === 'GUARDRAIL_TRIPPED') call.invocation.endIfTripped(error);
  if (!invalid && code !== 'CANCELLED' && code !== 'TOOL_PAUSED') report(call, error);
  const isInterrupted =
    code === 'CANCELLED' && (error as Partial<InvocationCancelledError>).isDuringCall === true;
  const response = isInterrupted
    ? stoppedResponse(call)
    : { error: messageForModel(call.entry.tool, call.context, error) };
  return { kind: 'failed', response, error, invalid };
}

/** The outcome of a call that was stopped. It is unknown if the tool may have taken an effect. */
export function stoppedOutcome(call: ToolCall): ToolOutcome {
  return failureOf(call, InvocationCancelledError.duringCall());
}

function stoppedResponse({ entry, context }: ToolCall): ToolResponse {
  return isUnknown(entry.tool, context)
    ? { error: InvocationCancelledError.duringCall().message, ...UNKNOWN }
    : { error: new InvocationCancelledError().message };
}

/** The text about an error for the model: without secrets, and with the error's message only if the tool allows it. */
export function messageForModel(tool: Tool, context: ToolContext, error: unknown): string {
  const { name, message, code } = describeThrown(error);
  return shown(tool, context, isShownToModel(tool, code) ? message : generic(name));
}

function isShownToModel({ traits }: Tool, code: AdornErrorCode | undefined): boolean {
  return (code !== undefined && SHOWN_TO_MODEL.has(code)) || traits.exposeErrors === true;
}

function generic(name: string): string {
  return `The tool failed (${name}). Details are hidden. Continue without it, or retry.`;
}

/** Logs a failure. A `ToolError` or a rejected credential is an intended answer: logged as info, without its stack, with its cause if it has one. */
function report(call: ToolCall, error: unknown): void {
  const { id, entry, invocation } = call;
  if (isIntendedError(error)) {
    const facts = {
      callId: id,
      message: shown(call.entry.tool, call.context, describeThrown(error).message),
    };
    invocation.services.logger.info(`tool "${entry.tool.name}" answered with an error`, facts);
    return;
  }
  invocation.services.logger.warn(`tool "${entry.tool.name}" failed`, {
    callId: id,
    error: reportable(call, error),
  });
}

const INTENDED_ERRORS: ReadonlySet<AdornErrorCode> = new Set(['CREDENTIAL_REJECTED', 'TOOL_FAILED']);

function isIntendedError(error: unknown): boolean {
  try {
    return AdornError.is(error) && INTENDED_ERRORS.has(error.code) && error.cause === undefined;
  } catch {
    return false;
  }
}

/** The error itself, or its text if it is too long or contains a secret of the call's credential. */
export function reportable(call: ToolCall, error: unknown): unknown {
  const text = inspected(error);
  const safe = shown(call.entry.tool, call.context, text);
  return safe === text ? error : safe;
}

function inspected(error: unknown): string {
  try {
    return inspect(error, { maxStringLength: null });
  } catch {
    return describeThrown(error).message;
  }
}

/** A text for the model or the log, without secrets and cut to the size limit of results. */
function shown({ traits }: Tool, context: ToolContext, text: string): string {
  const safe = context.withoutSecrets(text);
  const limit = traits.maxResultBytes ?? DEFAULT_MAX_BYTES;
  if (Buffer.byteLength(safe) <= limit) return safe;
  const beginning = Buffer.from(safe)
    .subarray(0, limit)
    .toString()
    .replace(/\uFFFD$/, '');
  return `${beginning}… (cut: the text has ${String(Buffer.byteLength(safe))} bytes)`;
}
