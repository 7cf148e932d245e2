import { AdornError } from '../errors/adorn.error.js';
import type { AdornErrorCode } from '../errors/error-codes.js';
import type { ToolCall, ToolOutcome } from './tool-call.js';

/** Errors whose words are meant for the model. */
const TOLD: ReadonlySet<AdornErrorCode> = new Set([
  'CANCELLED',
  'LIVE_SESSION_REQUIRED',
  'RESULT_NOT_JSON',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_FAILED',
  'TOOL_TIMEOUT',
]);

/** The outcome of a call that failed: the model learns what it may, the log learns all. */
export function failureOf(call: ToolCall, error: unknown): ToolOutcome & { kind: 'failed' } {
  const invalid = AdornError.is(error) && error.code === 'TOOL_ARGUMENTS_INVALID';
  if (!invalid && !isCancelled(error)) report(call, error);
  const told = isTold(error) || call.entry.tool.traits.exposeErrors === true;
  return { kind: 'failed', response: { error: told ? messageOf(error) : generic(error) }, error, invalid };
}

function isCancelled(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'CANCELLED';
}

function isTold(error: unknown): boolean {
  return AdornError.is(error) && TOLD.has(error.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error || AdornError.is(error) ? error.message : String(error);
}

function generic(error: unknown): string {
  return `The tool failed (${error instanceof Error ? error.name : typeof error}). Its details are not for you: go on without it, or try again.`;
}

function report({ id, entry, invocation }: ToolCall, error: unknown): void {
  invocation.services.logger.warn(`tool "${entry.tool.name}" failed`, { callId: id, error });
}
