import { ToolPausedError } from '../tools/tool-requests.js';
import { withinCheckTime } from './time-limit.js';
import type { ToolCall } from './tool-call.js';

/**
 * Asks the tool for the result of an earlier run, whose outcome is unknown. Undefined if it had no effect, or the tool cannot
 * tell because it has no `reconcile`.
 *
 * @throws {ToolPausedError} if it asks a person first
 */
export async function reconciled(call: ToolCall): Promise<unknown> {
  const { tool } = call.entry;
  if (tool.reconcile === undefined) return undefined;
  const { cancellation } = call.invocation;
  call.context.askAs('reconcile');
  const looking = Promise.resolve(tool.reconcile(call.args, call.context));
  const found: unknown = await withinCheckTime(looking, { tool, cancellation, part: 'reconciliation' });
  if (call.context.question !== undefined) throw new ToolPausedError(tool.name, 'reconcile');
  if (found === undefined) call.context.mayHaveTakenEffect = false;
  return found;
}
