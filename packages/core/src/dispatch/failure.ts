import { describeThrown } from '../errors/describe-thrown.js';
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

/** The outcome of a call that failed: the model learns what it may, the log learns all. Never throws. */
export function failureOf(call: ToolCall, error: unknown): ToolOutcome & { kind: 'failed' } {
  const { name, message, code } = describeThrown(error);
  const invalid = code === 'TOOL_ARGUMENTS_INVALID';
  if (!invalid && code !== 'CANCELLED') report(call, error);
  const isTold = code !== undefined && TOLD.has(code);
  const told = isTold || call.entry.tool.traits.exposeErrors === true ? message : generic(name);
  return { kind: 'failed', response: { error: told }, error, invalid };
}

function generic(name: string): string {
  return `The tool failed (${name}). Its details are not for you: go on without it, or try again.`;
}

function report({ id, entry, invocation }: ToolCall, error: unknown): void {
  invocation.services.logger.warn(`tool "${entry.tool.name}" failed`, { callId: id, error });
}
