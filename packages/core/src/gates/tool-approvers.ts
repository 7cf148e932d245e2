import type { ApproverRules } from '../approvals/approver-rule.js';
import { isOfTool } from '../events/call-asker.js';
import type { ToolCall } from './tool-call.js';
import { decided } from './tool-predicate.js';

/** Who may answer what a call asks, by `approvers` of its tool, for its arguments as they are. */
export function toolRules(call: ToolCall): Promise<ApproverRules> {
  const { tool } = call.entry;
  return decided(call, 'approvers', 'choice of approvers', (args, context) =>
    tool.approversOf(args, context),
  );
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
