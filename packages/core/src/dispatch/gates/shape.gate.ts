import type { GateVerdict, ToolGate } from '../tool-gate.js';
import type { ToolCall } from '../tool-call.js';
import { checkedArguments } from '../checked-arguments.js';
import { withinCheckTime } from '../../policies/time-limit.js';
import { type Awaitable, isPromiseLike } from '../../runtime/awaitable.js';

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
