import { Deny } from '../callbacks/tool-decision.js';
import { copyJson } from '../json/copy-json.js';
import { exceedsBytes, isSmallAndFlat } from '../json/json-size.js';
import { toJsonValue } from '../json/json-value.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { isLongRunning } from '../tools/tool.js';
import type { ToolCall, ToolOutcome, ToolResponse } from './tool-call.js';

/** The longest result or error text of a tool that does not set `maxResultBytes`. */
export const DEFAULT_MAX_BYTES = 65_536;

/** The outcome of a call that a callback or a policy refused. */
export function denialOf({ reason }: Deny): ToolOutcome {
  return { kind: 'refused', response: { error: 'tool call was denied', reason } };
}

/** The outcome of a tool's result: an object as it is, anything else under `result`; a `Deny` refuses the call. */
export function completionOf(call: ToolCall, result: unknown): Awaitable<ToolOutcome> {
  const { traits } = call.entry.tool;
  const continues = isLongRunning(traits) || call.context.longRunning;
  const limit = traits.maxResultBytes ?? DEFAULT_MAX_BYTES;
  if (isSmallAndFlat(result, limit)) return { kind: 'completed', response: { ...result }, continues };
  if (Deny.is(result)) return denialOf(result);
  const response = asResponse(copyJson(toJsonValue(result, 'digits')));
  if (!exceedsBytes(response, limit)) return { kind: 'completed', response, continues };
  return cutResult(call, response, limit).then((cut) => ({ kind: 'completed', response: cut, continues }));
}

/**
 * The outcome of a result after `afterTool` has seen it and may have replaced it.
 *
 * @throws {InvocationCancelledError} if the invocation is cancelled first: a result that `afterTool` might have replaced
 *   is not shown
 */
export async function completionAfter(call: ToolCall, result: unknown): Promise<ToolOutcome> {
  const { callbacks, entry, args, context, invocation } = call;
  const asked = callbacks.afterTool?.(entry.tool, args, result, context);
  const replaced: unknown = asked && (await unlessCancelled(asked, invocation.cancellation, true));
  return completionOf(call, replaced === undefined ? result : replaced);
}

export function asResponse(value: unknown): ToolResponse {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as ToolResponse) : { result: value };
}

/** The beginning of a result that is too long for a model, and where the whole of it is kept. */
async function cutResult(call: ToolCall, response: ToolResponse, limit: number): Promise<ToolResponse> {
  const text = JSON.stringify(response);
  const kept = await keep(call, text);
  const bytes = String(Buffer.byteLength(text));
  return {
    result: beginningOf(text, limit),
    truncated: true,
    note: `The result has ${bytes} bytes and was cut. ${kept}`,
  };
}

/** A tool that did its work is not told to have failed because its result could not be kept. */
async function keep(call: ToolCall, text: string): Promise<string> {
  const artifact = `tool-results/${call.id}.json`;
  const data = Buffer.from(text).toString('base64');
  try {
    await call.context.saveArtifact(artifact, { inlineData: { mimeType: 'application/json', data } });
    return `The whole is kept as artifact "${artifact}".`;
  } catch (error) {
    call.invocation.services.logger.error('a long result could not be kept', { callId: call.id, error });
    return 'The rest of it is lost.';
  }
}

/** As much of a text as takes no more bytes than that when it is written as JSON once more. */
function beginningOf(text: string, limit: number): string {
  let length = Math.max(0, Math.min(text.length, limit));
  while (length > 0 && exceedsBytes(text.slice(0, length), limit + 2)) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
