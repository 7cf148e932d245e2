import { inspect } from 'node:util';

import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { AdornErrorCode } from '../errors/error-codes.js';
import type { InvocationCancelledError } from '../invocation/cancellation.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { Tool } from '../tools/tool.js';
import { DEFAULT_MAX_BYTES } from './completion.js';
import type { ToolCall, ToolOutcome } from './tool-call.js';

/** Errors whose messages are sent to the model. */
const TOLD: ReadonlySet<AdornErrorCode> = new Set([
  'CANCELLED',
  'CREDENTIAL_EXCHANGE_FAILED',
  'CREDENTIAL_REJECTED',
  'LIVE_SESSION_REQUIRED',
  'RESULT_NOT_JSON',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_BUSY',
  'TOOL_FAILED',
  'TOOL_RATE_LIMITED',
  'TOOL_TIMEOUT',
]);

/** Added to the response to a call that may have taken effect. */
export const UNKNOWN = Object.freeze({ outcome: 'unknown' });

/** The response to a call that an ended run left under way. */
export const OUTCOME_UNKNOWN = Object.freeze({
  error: 'outcome unknown: the run ended while this call was under way. It may have taken effect.',
  ...UNKNOWN,
});

/** The outcome of a failed call: a safe message for the model, all details for the log. Never throws. */
export function failureOf(call: ToolCall, error: unknown): ToolOutcome & { kind: 'failed' } {
  const { code } = describeThrown(error);
  const invalid = code === 'TOOL_ARGUMENTS_INVALID';
  if (!invalid && code !== 'CANCELLED' && code !== 'TOOL_PAUSED') report(call, error);
  const isInterrupted =
    code === 'CANCELLED' && (error as Partial<InvocationCancelledError>).isDuringCall === true;
  const response = {
    error: messageForModel(call.entry.tool, call.context, error),
    ...(isInterrupted && UNKNOWN),
  };
  return { kind: 'failed', response, error, invalid };
}

/** The text about an error that a model may read: without secrets, and the message itself only where the tool allows. */
export function messageForModel(tool: Tool, context: ToolContext, error: unknown): string {
  const { name, message, code } = describeThrown(error);
  const isTold = (code !== undefined && TOLD.has(code)) || tool.traits.exposeErrors === true;
  return shown(tool, context, isTold ? message : generic(name));
}

function generic(name: string): string {
  return `The tool failed (${name}). Details are hidden. Continue without it, or retry.`;
}

/** A `ToolError` is an answer that the tool chose: noted without its stack, and with its cause if it has one. */
function report(call: ToolCall, error: unknown): void {
  const { id, entry, invocation } = call;
  if (isAnswer(error)) {
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

function isAnswer(error: unknown): boolean {
  try {
    return AdornError.is(error) && error.code === 'TOOL_FAILED' && error.cause === undefined;
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
