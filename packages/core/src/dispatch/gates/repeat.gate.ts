import { InvocationCancelledError } from '../../invocation/cancellation.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { OUTCOME_UNKNOWN } from '../outcome.js';
import { type GateVerdict, isIdempotent, type ToolCall, type ToolGate } from '../tool-call.js';

/**
 * Settles an interrupted call whose tool does not allow a repetition: its outcome is unknown. Comes before the gates that
 * ask for an approval or a credential.
 */
export class RepeatGate implements ToolGate {
  readonly name = 'repeat';

  enter(call: ToolCall): Awaitable<GateVerdict> {
    return call.answer?.isInterrupted === true ? unlessRefused(call) : 'open';
  }
}

async function unlessRefused(call: ToolCall): Promise<GateVerdict> {
  const { tool } = call.entry;
  const { idempotent, effect } = tool.traits;
  if (idempotent === true || effect === 'read' || tool.reconcile !== undefined) return 'open';
  if (typeof idempotent === 'function' && (await isIdempotent(call))) return 'open';
  return { kind: 'failed', response: OUTCOME_UNKNOWN, error: InvocationCancelledError.duringCall() };
}
