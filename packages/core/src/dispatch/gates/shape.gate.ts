import { withinCheckTime } from '../../policies/time-limit.js';
import { type Awaitable, isPromiseLike } from '../../runtime/awaitable.js';
import type { Arguments } from '../../schema/argument-check.js';
import { ToolArgumentsInvalidError } from '../../tools/errors.js';
import type { GateVerdict, ToolCall, ToolGate } from '../tool-call.js';

/** Lets through only calls whose arguments are what the tool declared, mended where nothing is lost by it. */
export class ShapeGate implements ToolGate {
  enter(call: ToolCall): Awaitable<GateVerdict> {
    call.args = checkedArguments(call, call.args);
    const validated = call.entry.tool.validate?.(call.args, call.context);
    return isPromiseLike(validated) ? openAfter(call, validated) : 'open';
  }
}

async function openAfter(
  { entry, invocation }: ToolCall,
  validated: PromiseLike<void>,
): Promise<GateVerdict> {
  const { cancellation } = invocation;
  await withinCheckTime(validated, { tool: entry.tool, cancellation, part: 'validation' });
  return 'open';
}

/**
 * Arguments in the form that the tool of a call declares.
 *
 * @throws {ToolArgumentsInvalidError} where they do not fit and cannot be mended
 */
function checkedArguments({ entry, invocation }: ToolCall, args: Arguments): Arguments {
  const { tool, check } = entry;
  const checked = check(args, tool.traits.unknownArguments ?? invocation.config.unknownArguments);
  if (checked.kind === 'valid') return checked.args;
  throw new ToolArgumentsInvalidError(tool.name, checked.problems, checked.example);
}
