import type { CallbackChain } from '../../callbacks/callback-chain.js';
import { type RequireConfirmation, Deny } from '../../callbacks/agent-callbacks.js';
import { AdornError } from '../../errors/adorn.error.js';
import { kindOf } from '../../errors/describe-thrown.js';
import type { PendingRequestData } from '../../events/pending-request.js';
import type { ConfirmationDecision, ConfirmationProvider } from '../../invocation/confirmation-provider.js';
import { frozenJson, isSameJson, toJsonValue } from '../../json/json-value.js';
import { present } from '../../json/present.js';
import { PendingIndex } from '../../log/pending-index.js';
import { UntrustedResults } from '../../log/untrusted-results.js';
import { withinCheckTime } from '../../policies/time-limit.js';
import { type Awaitable, isPromiseLike } from '../../runtime/awaitable.js';
import { type Confirmation, confirmationOf } from '../../tools/tool-requests.js';
import { denialOf } from '../outcome.js';
import {
  definitionDigest,
  type GateVerdict,
  type Question,
  shownOf,
  type ToolCall,
  type ToolGate,
  type ToolOutcome,
} from '../tool-call.js';

/** Holds a call until a person has approved it. The only place that decides which calls an approval covers. */
export class ConfirmationGate implements ToolGate {
  readonly name = 'confirmation';

  enter(call: ToolCall): Awaitable<GateVerdict> {
    return call.callbacks.checkTool === undefined
      ? confirm(call)
      : checkFirst(call, call.callbacks.checkTool);
  }
}

/** Calls `checkTool` first: a denied call is refused even if a person has approved it. */
async function checkFirst(
  call: ToolCall,
  checkTool: NonNullable<CallbackChain['checkTool']>,
): Promise<GateVerdict> {
  const { tool } = call.entry;
  const { cancellation } = call.invocation;
  const checking = checkTool(tool, frozenJson(call.args), call.context);
  const decision = await withinCheckTime(checking, { tool, cancellation, part: 'check by checkTool' });
  if (Deny.is(decision)) return denialOf(decision);
  return confirm(call, decision ?? undefined);
}

/** @param required a confirmation that `checkTool` requires, even if the tool does not */
function confirm(call: ToolCall, required?: RequireConfirmation): Awaitable<GateVerdict> {
  const { answer } = call;
  if (takeShownArguments(call)) return 'again';
  if (answer?.given !== undefined) {
    call.context.give(answer.given.filter(({ request }) => isCovered(call, request)));
  }
  if (answer?.confirmation !== undefined) {
    if (!answer.confirmation.confirmed) return refusalOf(answer.reason);
    if (isCovered(call, answer.shown)) {
      call.context.confirmation = answer.confirmation;
      return 'open';
    }
    // The approval is void. `beforeTool` comes first, so that a person is asked about the final arguments.
    if (call.callbacks.beforeTool !== undefined && !call.isIntercepted) return 'intercept';
  }
  const asked = call.entry.tool.confirmation(call.args, call.context);
  return isPromiseLike(asked)
    ? holdWhenAsked(call, asked, required)
    : hold(call, asked === undefined ? questionOf(required, call) : asked);
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
function takeShownArguments(call: ToolCall): boolean {
  if (call.answer === undefined || call.callbacks.beforeTool === undefined || call.isIntercepted)
    return false;
  const { confirmation, shown, given = [] } = call.answer;
  const answered = given.map(({ request }) => request);
  if (shown !== undefined && confirmation?.confirmed === true) answered.push(shown);
  const taken = answered.findLast((request) => isAbout(call, request));
  if (taken === undefined || isSameJson(taken.args, call.args)) return false;
  call.args = frozenJson(taken.args);
  call.isIntercepted = true;
  return true;
}

/** An answer covers only the arguments that were shown. */
function isCovered(call: ToolCall, shown: PendingRequestData | undefined): boolean {
  return isAbout(call, shown) && isSameJson(shown.args, call.args);
}

/** True if a request was about the call, the tool and its definition, and an approval of it has not expired. */
function isAbout(
  { id, entry, invocation }: ToolCall,
  shown: PendingRequestData | undefined,
): shown is PendingRequestData {
  if (shown?.functionCallId !== id || shown.tool !== entry.tool.name) return false;
  if (shown.expiresAt !== undefined && invocation.services.clock.now() >= shown.expiresAt) return false;
  return shown.definition === definitionDigest(entry.tool);
}

async function holdWhenAsked(
  call: ToolCall,
  asking: PromiseLike<Confirmation | undefined>,
  required: RequireConfirmation | undefined,
): Promise<GateVerdict> {
  const { cancellation } = call.invocation;
  const { tool } = call.entry;
  const asked = await withinCheckTime(asking, { tool, cancellation, part: 'confirmation' });
  return hold(call, asked === undefined ? questionOf(required, call) : asked);
}

/** Asks a person. The question is a snapshot: later changes of the arguments or the payload do not affect it. */
function hold(call: ToolCall, wanted: Confirmation | undefined): Awaitable<GateVerdict> {
  const taint = taintOf(call);
  const asked = wanted === undefined ? taint : wanted;
  if (asked === undefined) return 'open';
  const { entry, invocation } = call;
  const { hint, payload } = confirmationOf(asked, entry.tool.name);
  const shown = shownOf(call);
  // An approval for the session was given before the model read untrusted results.
  if (
    taint === undefined &&
    PendingIndex.of(invocation.session).isRemembered(entry.tool.name, shown.definition)
  ) {
    call.context.confirmation = { hint, confirmed: true };
    return 'open';
  }
  const confirmation = payload === undefined ? { hint } : { hint, payload: frozenJson(toJsonValue(payload)) };
  const question = { kind: 'confirmation' as const, confirmation, ...shown };
  const provider = invocation.services.confirmations;
  return provider === undefined ? { kind: 'paused', question } : decideNow(call, question, provider);
}

/** The confirmation of a sensitive call in a conversation that contains untrusted results. */
function taintOf({ entry: { tool }, invocation }: ToolCall): Confirmation | undefined {
  if (tool.traits.sensitive !== true) return undefined;
  const sources = UntrustedResults.of(invocation.session);
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
  if (decision === undefined) return { kind: 'paused', question };
  if (!decision.confirmed) return refusalOf(decision.reason);
  const { hint } = question.confirmation;
  const { payload } = decision;
  call.context.confirmation = present({ hint, confirmed: true, payload });
  return 'open';
}

/** The outcome of a call that was rejected. A reason says who or what did, which may be a program and not the user. */
function refusalOf(reason: string | undefined): ToolOutcome {
  const response =
    reason === undefined
      ? { error: 'tool call was rejected by the user' }
      : { error: 'tool call was rejected', reason };
  return { kind: 'refused', response };
}

/**
 * Asks a `ConfirmationProvider` about a call. Undefined if it does not decide.
 *
 * @throws {ConfirmationDecisionInvalidError} if it returns anything but a decision
 * @throws {InvocationCancelledError}
 */
export async function providerDecision(
  { id, entry, invocation, context }: ToolCall,
  { args, confirmation }: Question & { readonly kind: 'confirmation' },
  provider: ConfirmationProvider,
): Promise<ConfirmationDecision | undefined> {
  const request = { functionCallId: id, tool: entry.tool.name, args, ...confirmation };
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
