import { asksOthers, type ApproverRules, countOf } from '../approvals/approver-rule.js';
import { type AnswerSubject, isApproved, permissionOf } from '../approvals/answer-authority.js';
import { type RequireConfirmation, Deny, rulesIn } from './callbacks/agent-callbacks.js';
import { toPrincipal } from '../approvals/principal.js';
import { AdornError, kindOf, frozenJson, isSameJson, toJsonValue, present } from '@adorn/schema';
import { readAskedAgain, type StoredAgain } from '../events/asked-again.js';
import { givenAt } from '../events/pending-request.js';
import type { ConfirmationDecision, ConfirmationProvider } from '../run/confirmation-provider.js';
import { LabelledResults } from '../log/labelled-results.js';
import { withinCheckTime } from './time-limit.js';
import { type Confirmation, confirmationOf } from '../tools/tool-requests.js';
import { coverageOf, reasonAfterProvider, reasonToAskAgain, subjectOf } from './coverage.js';
import { rememberedDefinition, rememberKeyOf } from './remembered-approval.js';
import { holdApprovers, toolRules } from './tool-approvers.js';
import { denialOf, refusalOf } from './outcome.js';
import { type GateVerdict, type Question, shownOf, type ToolCall, type ToolGate } from './tool-call.js';

/** Holds a call until a person has approved it. */
export class ConfirmationGate implements ToolGate {
  readonly name = 'confirmation';

  /** Calls `checkTool` first: a denied call is refused even if a person has approved it. */
  async enter(call: ToolCall): Promise<GateVerdict> {
    const { checkTool } = call.callbacks;
    if (checkTool === undefined) return confirm(call);
    const { tool } = call.entry;
    const { cancellation } = call.invocation;
    call.context.askAs('checkTool');
    const checking = checkTool(tool, frozenJson(call.args), call.context);
    const decision = await withinCheckTime(checking, { tool, cancellation, part: 'check by checkTool' });
    if (Deny.is(decision)) return denialOf(decision);
    if (call.context.question !== undefined) return 'open';
    return confirm(call, decision ?? undefined);
  }
}

/** @param required a confirmation that `checkTool` requires, even if the tool does not */
async function confirm(call: ToolCall, required?: RequireConfirmation): Promise<GateVerdict> {
  const { answer, context, entry, invocation } = call;
  if (applyShownArguments(call)) return 'again';
  await holdApprovers(call);
  let uncovered: StoredAgain | undefined;
  if (answer?.confirmation !== undefined) {
    if (!answer.confirmation.confirmed) return refusalOf(answer.reason);
    if (coverageOf(call, answer.shown, answer.at) === 'covered') {
      if (await isApprovedNow(call, required)) {
        context.confirmation = answer.confirmation;
        return 'open';
      }
      uncovered = present({ reason: 'APPROVERS_CHANGED' as const, request: answer.shown?.id });
    }
    // The approval is void. `beforeTool` comes first, so that a person is asked about the final arguments.
    if (call.callbacks.beforeTool !== undefined && !call.isIntercepted) return 'intercept';
  }
  context.askAs('confirm');
  const { tool } = entry;
  const { cancellation } = invocation;
  const asking = Promise.resolve(tool.confirmation(call.args, context));
  const asked = await withinCheckTime(asking, { tool, cancellation, part: 'confirmation' });
  return hold(call, asked === undefined ? questionOf(required, call) : asked, { required, uncovered });
}

/** What is known of a question before it is asked. */
interface Holding {
  /** A confirmation that `checkTool` requires. */
  readonly required: RequireConfirmation | undefined;
  /** Set if the call was approved by people who may not approve it now. */
  readonly uncovered: StoredAgain | undefined;
}

/** Whether those who approved a call may do so by the rules as they are now, for the arguments that it runs with. */
async function isApprovedNow(call: ToolCall, required: RequireConfirmation | undefined): Promise<boolean> {
  const rules = await rulesOf(call, required);
  return rules.length === 0 || isApproved(call.answer?.approvals ?? [], subjectFor(call, rules));
}

/** Who may answer a confirmation of a call: what its tool says, and what `checkTool` adds. */
async function rulesOf(call: ToolCall, required: RequireConfirmation | undefined): Promise<ApproverRules> {
  return [...(await toolRules(call)), ...(required ? rulesIn(required) : [])];
}

function subjectFor({ answer, context }: ToolCall, rules: ApproverRules): AnswerSubject {
  const { requester, userId } = context;
  return { rules, requester, userId, askedAt: answer?.shown?.askedAt };
}

function questionOf(
  required: RequireConfirmation | undefined,
  { entry }: ToolCall,
): Confirmation | undefined {
  if (required === undefined) return undefined;
  const { hint, payload } = required;
  return { hint: hint ?? confirmationOf(true, entry.tool.name).hint, payload };
}

/**
 * Gives a call the arguments that a person was shown and has answered, if `beforeTool` had changed the model's. It is not
 * called again: it might give others each time. Returns true if the arguments are new, so that no gate has checked them.
 */
function applyShownArguments(call: ToolCall): boolean {
  if (call.answer === undefined || call.callbacks.beforeTool === undefined || call.isIntercepted)
    return false;
  const { confirmation, shown, at, given = [] } = call.answer;
  const answered = given.map(({ request, response }) => ({ request, at: givenAt(response) }));
  if (shown !== undefined && confirmation?.confirmed === true) answered.push({ request: shown, at });
  const taken = answered.findLast((one) => subjectOf(call, one.request, one.at) === 'covered');
  if (taken === undefined || isSameJson(taken.request.args, call.args)) return false;
  call.args = frozenJson(taken.request.args);
  call.isIntercepted = true;
  return true;
}

/** Asks a person. The question is a snapshot: later changes of the arguments or the payload do not affect it. */
async function hold(
  call: ToolCall,
  wanted: Confirmation | undefined,
  { required, uncovered }: Holding,
): Promise<GateVerdict> {
  if (call.context.question !== undefined) return 'open';
  const taint = taintOf(call);
  const asked = wanted === undefined ? taint : wanted;
  if (asked === undefined) return 'open';
  const { entry, invocation } = call;
  const { hint, payload } = confirmationOf(asked, entry.tool.name);
  const shown = shownOf(call);
  const approvers = await rulesOf(call, required);
  const isOfOthers = asksOthers(approvers);
  const isEach = isOfOthers || required?.remember === false;
  const remember = isEach ? false : await rememberKeyOf(call);
  const remembered = rememberedFor(call, remember, {
    definition: shown.definition,
    isTainted: taint !== undefined,
  });
  if (remembered === 'covered') {
    call.context.confirmation = { hint, confirmed: true };
    return 'open';
  }
  const confirmation = payload === undefined ? { hint } : { hint, payload: frozenJson(toJsonValue(payload)) };
  const askedAgain =
    uncovered ??
    reasonAfterProvider(call) ??
    reasonToAskAgain(call, { kind: 'confirmation', ...confirmation }) ??
    remembered;
  const said = approvers.length > 0 ? approvers : undefined;
  const asking = { kind: 'confirmation' as const, confirmation, ...shown, askedAgain, approvers: said };
  // That no approval of others is remembered is said by `approvers`.
  const question = remember === '' || isOfOthers ? asking : { ...asking, remember };
  const provider = invocation.services.confirmations;
  return provider === undefined ? { kind: 'paused', question } : decideNow(call, question, provider);
}

/**
 * Whether an approval for the whole session covers a call of its requester, or why it does not; undefined if there is none.
 *
 * @param isTainted true if the model has read untrusted results, which it may have done behind the approval
 */
function rememberedFor(
  call: ToolCall,
  key: string | false,
  { definition, isTainted }: { readonly definition: string; readonly isTainted: boolean },
): 'covered' | StoredAgain | undefined {
  const approved = rememberedDefinition(call, key);
  if (approved === undefined) return undefined;
  if (approved !== definition) return { reason: 'SESSION_APPROVAL_VOID' };
  return isTainted ? { reason: 'UNTRUSTED_RESULTS' } : 'covered';
}

/** The confirmation of a sensitive call in a conversation that contains untrusted results. */
function taintOf({ entry: { tool }, invocation }: ToolCall): Confirmation | undefined {
  if (tool.traits.sensitive !== true) return undefined;
  const sources = LabelledResults.of(invocation.session, 'untrusted');
  if (sources.length === 0) return undefined;
  const names = sources.map((name) => `\`${name}\``).join(', ');
  return {
    hint: `Approve execution of tool \`${tool.name}\`? The conversation contains untrusted results of ${names}.`,
  };
}

async function decideNow(
  call: ToolCall,
  question: Question & { readonly kind: 'confirmation' },
  provider: ConfirmationProvider,
): Promise<GateVerdict> {
  const decision = await providerDecision(call, question, provider);
  if (decision === undefined || !mayDecide(call, question.approvers, decision))
    return { kind: 'paused', question };
  if (!decision.confirmed) return refusalOf(decision.reason);
  call.decided = question.args;
  const { hint } = question.confirmation;
  const { payload } = decision;
  call.context.confirmation = present({ hint, confirmed: true, payload });
  return 'open';
}

/** True if a `ConfirmationProvider` may decide alone, for the person it names: else the run pauses as without one. */
function mayDecide(call: ToolCall, rules: ApproverRules | undefined, { by }: ConfirmationDecision): boolean {
  if (rules === undefined || rules.length === 0) return true;
  const { userId } = call.context;
  const principal = toPrincipal(by ?? userId, 'the ConfirmationProvider');
  const isAllowed = permissionOf({ principal, isStated: false }, subjectFor(call, rules)) === 'allowed';
  return isAllowed && countOf(rules) === 1;
}

/**
 * Asks a `ConfirmationProvider` about a call. Undefined if it does not decide.
 *
 * @throws {ConfirmationDecisionInvalidError} if it returns anything but a decision
 * @throws {InvocationCancelledError}
 */
export async function providerDecision(
  { id, entry, invocation, context }: ToolCall,
  { args, confirmation, askedAgain }: Question & { readonly kind: 'confirmation' },
  provider: ConfirmationProvider,
): Promise<ConfirmationDecision | undefined> {
  const again = present({ askedAgain: readAskedAgain(askedAgain) });
  const request = { functionCallId: id, tool: entry.tool.name, args, ...confirmation, ...again };
  context.askAs('confirmationProvider');
  const asking = Promise.resolve<unknown>(provider.decide(request, context));
  const decision = await invocation.cancellation.wait(asking);
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
class ConfirmationDecisionInvalidError extends AdornError {
  readonly code = 'TOOL_DECISION_INVALID';

  constructor(found: unknown) {
    super(
      `The ConfirmationProvider returned ${kindOf(found)} without a boolean "confirmed". Return { confirmed: true } or ` +
        '{ confirmed: false, reason }, or undefined to pause the run.',
    );
  }
}
