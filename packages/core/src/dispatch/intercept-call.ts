import { copyJson } from '../json/copy-json.js';
import { isSameJson } from '../json/is-same-json.js';
import { toJsonValue } from '../json/json-value.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import type { Arguments } from '../schema/argument-check.js';
import type { ToolCall } from './tool-call.js';

/** The effect of `beforeTool` on a call: nothing, other arguments, or a result in the place of the tool's. */
export type Interception =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'answered'; readonly result: unknown };

/**
 * Asks `beforeTool` about a call and puts the arguments that it changed into the call. They have passed no gate.
 *
 * @throws {ValueNotJsonError} if the changed arguments are not JSON
 * @throws {InvocationCancelledError}
 */
export async function interceptCall(call: ToolCall): Promise<Interception> {
  call.isIntercepted = true;
  const args = copyJson(call.args) as Record<string, unknown>;
  const asked = call.callbacks.beforeTool?.(call.entry.tool, args, call.context);
  const result: unknown = asked && (await unlessCancelled(asked, call.invocation.cancellation));
  if (result !== undefined) return { kind: 'answered', result };
  if (isSameJson(args, call.args)) return UNCHANGED;
  call.args = copyJson(toJsonValue(args)) as Arguments;
  return CHANGED;
}

const UNCHANGED: Interception = Object.freeze({ kind: 'unchanged' });
const CHANGED: Interception = Object.freeze({ kind: 'changed' });
