import { withinCheckTime } from './time-limit.js';
import { type Arguments, ToolArgumentsInvalidError } from '@adorn/schema';
import { holdApprovers } from './tool-approvers.js';
import type { GateVerdict, ToolCall, ToolGate } from './tool-call.js';

/** Passes only calls whose arguments fit the tool's schema. Arguments are coerced where this loses nothing. */
export class ShapeGate implements ToolGate {
  readonly name = 'shape';

  async enter(call: ToolCall): Promise<GateVerdict> {
    call.args = checkedArguments(call, call.args);
    const { tool } = call.entry;
    const { cancellation } = call.invocation;
    if (tool.validate) await holdApprovers(call);
    call.context.askAs('validate');
    const validating = tool.validate?.(call.args, call.context);
    if (validating) await withinCheckTime(validating, { tool, cancellation, part: 'validation' });
    return 'open';
  }
}

/**
 * The arguments of a call, coerced to the tool's schema.
 *
 * @throws {ToolArgumentsInvalidError} if they do not fit and cannot be coerced
 */
function checkedArguments({ entry, invocation }: ToolCall, args: Arguments): Arguments {
  const { tool, check } = entry;
  const checked = check(args, tool.traits.unknownArguments ?? invocation.config.unknownArguments);
  if (checked.kind === 'valid') return checked.args;
  throw new ToolArgumentsInvalidError(tool.name, checked.problems, checked.example);
}
