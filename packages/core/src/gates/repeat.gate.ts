import { InvocationCancelledError } from '../run/cancellation.js';
import { withinCheckTime } from './time-limit.js';
import { OUTCOME_UNKNOWN } from './outcome.js';
import { rememberedDefinition, rememberKeyOf } from './remembered-approval.js';
import {
  definitionDigest,
  type GateVerdict,
  isIdempotent,
  type ToolCall,
  type ToolGate,
} from './tool-call.js';

/**
 * Settles an interrupted call whose tool does not allow a repetition: its outcome is unknown. A call that asks first, and that
 * nobody has approved, has not run, so it goes on to the gates that ask for an approval or a credential. A call that ran, and
 * that a person rejected when asked again, goes on to the gate that refuses it: the model is told the reason as well.
 */
export class RepeatGate implements ToolGate {
  readonly name = 'repeat';

  async enter(call: ToolCall): Promise<GateVerdict> {
    if (call.answer?.isInterrupted !== true) return 'open';
    const { tool } = call.entry;
    const { idempotent, effect, once } = tool.traits;
    if (isRejectedAfterwards(call)) return 'open';
    if (await isUnapproved(call)) {
      call.context.mayHaveTakenEffect = false;
      return 'open';
    }
    // The ledger of effects tells more: the run gate asks it.
    if (idempotent === true || effect === 'read' || tool.reconcile !== undefined || once !== undefined)
      return 'open';
    if (typeof idempotent === 'function' && (await isIdempotent(call))) return 'open';
    return { kind: 'failed', response: OUTCOME_UNKNOWN, error: InvocationCancelledError.duringCall() };
  }
}

/** True if a person rejected a call of whose effect the request told. The gate that asks for approvals runs nothing then. */
function isRejectedAfterwards({ answer }: ToolCall): boolean {
  return answer?.confirmation?.confirmed === false && answer.shown?.mayHaveTakenEffect === true;
}

/** True if the call needs an approval, and the log has none, so that it cannot have run. */
async function isUnapproved(call: ToolCall): Promise<boolean> {
  const { answer, args, callbacks, context, entry, invocation } = call;
  const { tool } = entry;
  // A provider decides in the process: the log does not say what.
  if (!tool.mayAskFirst || answer?.confirmation !== undefined || invocation.services.confirmations)
    return false;
  const approved = rememberedDefinition(call, await rememberKeyOf(call));
  if (approved === definitionDigest(tool)) return false;
  // The arguments that the tool was asked with are not known: a callback may have changed them.
  if (tool.asksByArguments && callbacks.beforeTool !== undefined) return false;
  const { cancellation } = invocation;
  const asking = Promise.resolve(tool.confirmation(args, context));
  return (await withinCheckTime(asking, { tool, cancellation, part: 'confirmation' })) !== undefined;
}
