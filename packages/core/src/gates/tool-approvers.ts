import type { ApproverRules } from '../approvals/approver-rule.js';
import { isOfTool } from '../events/call-asker.js';
import { withinCheckTime } from './time-limit.js';
import type { ToolCall } from './tool-call.js';

/** Who may answer what a call asks, by `approvers` of its tool, for its arguments as they are. */
export function toolRules({ entry: { tool }, args, context, invocation }: ToolCall): Promise<ApproverRules> {
  const { cancellation } = invocation;
  const deciding = tool.approversOf(args, context.withoutCredential('approvers'));
  return withinCheckTime(deciding, { tool, cancellation, part: 'choice of approvers' });
}

/**
 * Has `approvers` of the tool hold for what its own functions ask by the context: `validate`, `confirm`, `reconcile` and the tool
 * itself. The rules are decided when something is asked, and at once if something that was asked has an answer.
 */
export async function holdApprovers(call: ToolCall): Promise<void> {
  const { answer, context } = call;
  context.decideApprovers = () => toolRules(call);
  const hasAnswered = answer?.given?.some(({ request }) => isOfTool(request.askedBy)) === true;
  if (hasAnswered) context.approvers = await toolRules(call);
}
