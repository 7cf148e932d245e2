import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/describe-thrown.js';
import type { ConfirmationDecision, ConfirmationProvider } from '../invocation/confirmation-provider.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import type { Question, ToolCall } from './tool-call.js';

/**
 * Asks a provider about a call. Undefined if it does not decide.
 *
 * @throws {ConfirmationDecisionInvalidError} for anything else than a decision
 * @throws {InvocationCancelledError}
 */
export async function providerDecision(
  { id, entry, invocation, context }: ToolCall,
  { args, confirmation }: Question & { readonly kind: 'confirmation' },
  provider: ConfirmationProvider,
): Promise<ConfirmationDecision | undefined> {
  const request = { functionCallId: id, tool: entry.tool.name, args, ...confirmation };
  const asking = Promise.resolve<unknown>(provider.decide(request, context));
  const decision = await unlessCancelled(asking, invocation.cancellation);
  if (decision === undefined || decision === null) return undefined;
  if (!isDecision(decision)) throw new ConfirmationDecisionInvalidError(decision);
  return decision;
}

function isDecision(decision: unknown): decision is ConfirmationDecision {
  return typeof decision === 'object' && decision !== null && isBoolean(Reflect.get(decision, 'confirmed'));
}

function isBoolean(value: unknown): boolean {
  return value === true || value === false;
}

/** A `ConfirmationProvider` answered with something that is not a decision. The call did not run. */
export class ConfirmationDecisionInvalidError extends AdornError {
  readonly code = 'TOOL_DECISION_INVALID';

  constructor(found: unknown) {
    super(
      `The ConfirmationProvider returned ${kindOf(found)} without a boolean "confirmed". Return { confirmed: true } or ` +
        '{ confirmed: false, reason }, or undefined to pause the run.',
    );
  }
}
