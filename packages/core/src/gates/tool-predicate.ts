import type { Arguments } from '@adorn/schema';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Predicate, ToolContext } from '../tools/tool-context.js';
import { withinCheckTime } from './time-limit.js';
import type { ToolCall } from './tool-call.js';

/**
 * What a function of a tool that only decides says of a call. It gets no credential, writes nothing, and can ask nobody.
 *
 * @param part names it in the error of a time limit
 * @throws {ToolTimeoutError | InvocationCancelledError} or what the function throws
 */
export function decided<Result>(
  { args, context, entry: { tool }, invocation: { cancellation } }: ToolCall,
  predicate: Predicate,
  part: string,
  decide: (args: Arguments, context: ToolContext) => Awaitable<Result>,
): Promise<Result> {
  const deciding = (async () => decide(args, context.withoutCredential(predicate)))();
  return withinCheckTime(deciding, { tool, cancellation, part });
}
