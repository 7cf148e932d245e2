/* eslint-disable max-lines -- every event of a call, and how each is read again */
import type { Content, Part } from '../events/genai-types.js';
import { describeThrown, frozenJson, isSameJson, present } from '@adorn/schema';
import type { EventActions } from '../events/event-actions.js';
import { AGAIN_REASONS } from '../events/asked-again.js';
import { CALL_ENDING } from '../events/call-ending.js';
import { type Caller, callerMetadata } from '../events/caller.js';
import { withChanges } from '../events/responses-for-model.js';
import { BACKGROUND, type Event, type EventBody } from '../events/event.js';
import {
  type ConfirmationArgs,
  type CredentialArgs,
  type EveryField,
  type InputArgs,
  type NewRequest,
  requestCall,
  type Unsigned,
} from '../events/pending-request.js';
import { pendingPart } from '../events/placeholder-response.js';
import { requesterToStore } from '../events/requester.js';
import { uiMetadata } from '../events/ui-mark.js';
import { readsMetadata, type Receipt, receiptMetadata } from '../events/undo-mark.js';
import type { AgentNode } from '../run/agent-node.js';
import {
  addSpending,
  type ModelSpending,
  NO_SPENDING,
  ONLY_INVALID_CALLS,
  recordedSpending,
} from '../run/budget.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { DEFERRED_STEERING, type DeferredSteering, EXITS, type Steering } from '../log/steering.js';
import { labelKey, type ResultLabel } from '../log/labelled-results.js';
import { newCallId } from '../runtime/ids.js';
import { formattedResponses } from './format-responses.js';
import {
  isHandle,
  isRunning,
  isWaiting,
  type Question,
  type SettledCall,
  type ToolCall,
  type ToolOutcome,
  type ToolResponse,
} from './tool-call.js';

/** The state of the other calls of the same response of the model. */
export interface ResponseState {
  /** True if a call of the same response waits for a person or for a result: control actions are deferred until it is answered. */
  readonly isPaused: boolean;
  /** Control actions deferred while other calls waited, which take effect now. */
  readonly deferred?: DeferredSteering | undefined;
  /** True if the run ends with this response, because the model has given its final response before. */
  readonly isLast?: boolean | undefined;
  /** The agent that takes over after an escalation. */
  readonly superior?: AgentNode | undefined;
  /** Who made the calls, if no model did: the response is the end of the run, and its result or its failure. */
  readonly caller?: Caller | undefined;
}

/** The one event with the responses to the calls of a turn, in the order of the calls. */
export function responseEvent(
  invocation: InvocationContext,
  agent: AgentNode,
  settled: readonly SettledCall[],
  { isPaused, deferred, isLast, caller, superior }: ResponseState,
): Event {
  const asked = askedActions(settled);
  const isEnd = caller !== undefined && !isPaused;
  const failed = isEnd
    ? settled.find(({ outcome: { kind } }) => kind === 'failed' || kind === 'refused')
    : undefined;
  const isResult = isEnd && failed === undefined;
  const winner = strongest(deferred, asked, invocation) ?? (isResult ? RESULT_ENDS_TURN : undefined);
  const failure = failed && failureIn(failed.outcome);
  const body = {
    author: agent.name,
    errorCode: failure?.errorCode,
    errorMessage: failure?.errorMessage,
    actions:
      asked.length === 0 && winner === undefined
        ? undefined
        : mergeActions(asked, isPaused ? undefined : winner, invocation, superior),
    longRunningToolIds: settled.some(isHandle) ? settled.filter(isHandle).map(({ id }) => id) : NO_IDS,
    turnComplete: (isLast === true || isEnd) && !isPaused,
    customMetadata: metadataOf(winner, settled, { isPaused, caller }),
  };
  const event = invocation.event(body, { role: 'user', parts: settled.map(toPart) });
  return withChanges(event, { told: formattedResponses(settled, event), actions: undefined });
}

/** The error of a run that ends with a call which failed or was refused. */
function failureIn(outcome: ToolOutcome): Pick<EventBody, 'errorCode' | 'errorMessage'> {
  const { error } = 'response' in outcome ? outcome.response : {};
  const { code = 'TOOL_FAILED' } =
    outcome.kind === 'failed' ? describeThrown(outcome.error) : { code: 'CALL_REFUSED' };
  return { errorCode: code, errorMessage: typeof error === 'string' ? error : 'The tool failed.' };
}

function metadataOf(
  winner: ControlAction | undefined,
  settled: readonly SettledCall[],
  { isPaused, caller }: Pick<ResponseState, 'isPaused' | 'caller'>,
): Record<string, unknown> | undefined {
  const kept = isPaused ? winner : undefined;
  const exits = isPaused ? undefined : winner?.exits;
  const spending = recordedSpending(spendingOf(settled));
  const isBeside = settled.some(isRunning);
  const isInvalid = settled.every(isInvalidCall);
  const receipts = receiptsOf(settled);
  const reads = settled.filter(hasRead);
  const pages = pagesOf(settled);
  const metadata = present({
    ...(caller && callerMetadata(caller)),
    ...spending,
    ...(receipts && receiptMetadata(receipts)),
    ...(reads.length > 0 && readsMetadata(reads.map(({ id }) => id))),
    ...(pages && uiMetadata(pages)),
    ...(isInvalid ? ONLY_INVALID_CALLS : undefined),
    [EXITS]: exits,
    [DEFERRED_STEERING]: kept && steeringOf(kept),
    [BACKGROUND]: isBeside || undefined,
    [labelKey('untrusted')]: labelled(settled, 'untrusted'),
    [labelKey('confidential')]: labelled(settled, 'confidential'),
  });
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

/** The receipts of calls whose tools have returned, whatever a callback made of their results. */
function receiptsOf(settled: readonly SettledCall[]): Record<string, Receipt> | undefined {
  let receipts: Record<string, Receipt> | undefined;
  for (const one of settled) {
    const receipt = one.call?.receipt;
    if (receipt && !isWaiting(one.outcome) && !isRunning(one)) (receipts ??= {})[one.id] = receipt;
  }
  return receipts;
}

/** The pages of the calls that have their results (MCP Apps): before, there is nothing to show. */
function pagesOf(settled: readonly SettledCall[]): Record<string, string> | undefined {
  let pages: Record<string, string> | undefined;
  for (const { id, call, outcome } of settled) {
    const uri = outcome.kind === 'completed' ? call?.entry.tool.ui?.resourceUri : undefined;
    if (uri !== undefined) (pages ??= {})[id] = uri;
  }
  return pages;
}

/** True for a call that has ended, and whose tool only reads: an undo may not find the tool, such as that of a toolset. */
function hasRead({ call, outcome }: SettledCall): boolean {
  return call?.entry.tool.traits.effect === 'read' && !isWaiting(outcome);
}

const NOTHING_SPENT = Object.freeze({ spending: NO_SPENDING });

/** What the calls that have ended spent on models. */
function spendingOf(settled: readonly SettledCall[]): ModelSpending {
  let sum = NO_SPENDING;
  for (const one of settled) {
    const { spending } = one.call?.context ?? NOTHING_SPENT;
    if (spending.llmCalls > 0 && !isRunning(one)) sum = addSpending(sum, spending);
  }
  return sum;
}

/** True if the arguments of the call do not fit its tool, or there is no such tool. */
export function isInvalidCall({ outcome }: SettledCall): boolean {
  return outcome.kind === 'failed' && outcome.invalid === true;
}

/** The tools whose results or errors have a label: an error may contain what the tool read, too. Undefined if there are none. */
function labelled(settled: readonly SettledCall[], label: ResultLabel): readonly string[] | undefined {
  const isLabelled = ({ call, outcome: { kind } }: SettledCall): boolean =>
    call?.entry.tool.traits[label] === true && (kind === 'completed' || kind === 'failed');
  if (!settled.some(isLabelled)) return undefined;
  return [...new Set(settled.filter(isLabelled).map(({ name }) => name))];
}

const NO_IDS: readonly string[] = Object.freeze([]);

function toPart(settled: SettledCall): Part {
  const { id, name, outcome } = settled;
  if (isWaiting(outcome)) return pendingPart({ id, name });
  const response = withChangedArguments(outcome.response, settled.call);
  return {
    functionResponse:
      isHandle(settled) || isRunning(settled)
        ? { id, name, response, willContinue: true }
        : { id, name, response },
  };
}

/** Tells the model which arguments a person changed: the call in its history has those that it gave itself. */
function withChangedArguments(response: ToolResponse, call: ToolCall | undefined): ToolResponse {
  const { args, open } = call?.answer ?? {};
  if (args === undefined) return response;
  const said = open?.call.args ?? {};
  const names = Object.keys({ ...said, ...args }).filter((name) => !isSameJson(said[name], args[name]));
  const changed = Object.fromEntries(names.map((name) => [name, args[name] ?? null]));
  return { ...response, [CHANGED_ARGUMENTS]: changed };
}

/** The key of a response for the arguments that a person changed before the call ran; null for a removed one. */
const CHANGED_ARGUMENTS = 'argumentsChangedByPerson';

/** The event that asks a person about a call: a synthetic call with its own id, which clients of the ADK understand. */
export function requestEvent(
  call: ToolCall,
  { question, ending }: Extract<ToolOutcome, { kind: 'paused' }>,
): Event {
  const id = newCallId();
  const tool = call.entry.tool.name;
  const { askedAgain } = question;
  if (askedAgain !== undefined) {
    const facts = { callId: call.id, tool, ...askedAgain, because: AGAIN_REASONS[askedAgain.reason] };
    call.invocation.services.logger.info('a call asks a person again', facts);
  }
  const { args, actions } = askedOf(call, id, question);
  const requester = requesterToStore(call.context.requester, call.invocation.userId);
  const functionCall = requestCall({ id, kind: question.kind, args, askedAgain, requester });
  const content: Content = { role: 'user', parts: [{ functionCall }] };
  return call.invocation.event({
    author: call.agent.name,
    content,
    actions,
    longRunningToolIds: [id],
    customMetadata: ending && { [CALL_ENDING]: ending },
  });
}

/** Each argument of a request, but those that `requestCall` adds. */
type Written<Args> = EveryField<Unsigned<Args>>;

interface Asked {
  readonly args: NewRequest['args'];
  readonly actions: Partial<EventActions>;
}

function askedOf(call: ToolCall, id: string, question: Question): Asked {
  const args = question.kind === 'credential' ? frozenJson(call.args) : question.args;
  const originalFunctionCall = { id: call.id, name: call.entry.tool.name, args };
  const { askedBy } = question;
  const approvers = question.approvers?.length === 0 ? undefined : question.approvers;
  const mayHaveTakenEffect = call.context.mayHaveTakenEffect || undefined;
  switch (question.kind) {
    case 'confirmation': {
      const { confirmation, definition: toolDefinition, remember } = question;
      const toolConfirmation = { ...confirmation, confirmed: false };
      return {
        args: present({
          originalFunctionCall,
          toolConfirmation,
          toolDefinition,
          expiresAt: expiryOf(call),
          askedBy,
          mayHaveTakenEffect,
          approvers,
          remember,
        } satisfies Written<ConfirmationArgs>),
        actions: { requestedToolConfirmations: { [call.id]: toolConfirmation } },
      };
    }
    case 'credential': {
      const { authConfig, hint } = question;
      return {
        args: present({
          functionCallId: call.id,
          authConfig,
          originalFunctionCall,
          hint,
          askedBy,
          mayHaveTakenEffect,
        } satisfies Written<CredentialArgs>),
        actions: { requestedAuthConfigs: { [call.id]: authConfig } },
      };
    }
    case 'input': {
      const { message = null, payload = null, schema = null } = question.input;
      const toolDefinition = question.definition;
      // A request of a tool says so by saying nothing, as those of earlier versions do.
      const asker = askedBy === 'tool' ? undefined : askedBy;
      const asked = { interruptId: id, message, payload, response_schema: schema, originalFunctionCall };
      const added = present({
        toolDefinition,
        askedBy: asker,
        mayHaveTakenEffect,
        approvers,
      } satisfies Written<Omit<InputArgs, keyof typeof asked>>);
      return { args: { ...asked, ...added }, actions: {} };
    }
  }
}

/** In seconds since 1970; undefined if approvals do not expire. */
function expiryOf({ invocation: { config, services } }: ToolCall): number | undefined {
  const { confirmationExpiresAfter } = config;
  return confirmationExpiresAfter === Infinity
    ? undefined
    : services.clock.now() + confirmationExpiresAfter / 1000;
}

function askedActions(settled: readonly SettledCall[]): readonly CallActions[] {
  let asked: CallActions[] | undefined;
  for (const one of settled) {
    const { id, outcome } = one;
    const actions = actionsOf(one);
    if (actions !== undefined) (asked ??= []).push({ id, actions, steers: outcome.kind === 'completed' });
  }
  return asked ?? NO_ACTIONS;
}

/** A call that waits has none, but for what its tool wrote if the tool has ended: it does not run again. */
function actionsOf(settled: SettledCall): Partial<EventActions> | undefined {
  const { call, outcome } = settled;
  if (isRunning(settled)) return undefined;
  if (!isWaiting(outcome)) return call?.context.drainActions();
  const { stateDelta, artifactDelta } = (outcome.kind === 'paused' && call?.ended?.actions) || {};
  return stateDelta || artifactDelta ? present({ stateDelta, artifactDelta }) : undefined;
}

const NO_ACTIONS: readonly CallActions[] = Object.freeze([]);

/** Merges the state writes, in the order of the calls, and the strongest control action. */
function mergeActions(
  asked: readonly CallActions[],
  winner: ControlAction | undefined,
  invocation: InvocationContext,
  superior: AgentNode | undefined,
): Partial<EventActions> {
  return {
    stateDelta: mergeKeys(asked, 'stateDelta', invocation),
    artifactDelta: mergeKeys(asked, 'artifactDelta', invocation),
    transferToAgent: winner?.kind === 'escalate' ? superior?.name : winner?.agent,
    escalate: winner?.kind === 'escalate' ? true : undefined,
    skipSummarization: winner?.kind === 'skipSummarization' ? true : undefined,
  };
}

interface CallActions {
  readonly id: string | undefined;
  readonly actions: Partial<EventActions>;
  /** False for a failed call: its state writes are kept, its control actions are not. */
  readonly steers: boolean;
  /** See {@link ControlAction.exits}. */
  readonly exits?: string | undefined;
}

function mergeKeys<Name extends 'stateDelta' | 'artifactDelta'>(
  asked: readonly CallActions[],
  name: Name,
  { services }: InvocationContext,
): EventActions[Name] | undefined {
  const writers = asked.filter(({ actions }) => actions[name] !== undefined);
  if (writers.length === 0) return undefined;
  const merged = Object.create(null) as Record<string, unknown>;
  for (const { id, actions } of writers) {
    for (const [key, value] of Object.entries(actions[name] ?? {})) {
      if (Object.hasOwn(merged, key))
        services.logger.warn(`two calls of one turn wrote "${key}"; the later wins`, { callId: id });
      merged[key] = value;
    }
  }
  return merged as EventActions[Name];
}

/** One control action that a call requested. A deferred one has no call any more. */
interface ControlAction {
  readonly id: string | undefined;
  readonly kind: keyof Steering;
  readonly agent: string | undefined;
  /** The name of the loop that a deferred escalation ends; otherwise the response to the call names it. */
  readonly exits?: string | undefined;
}

/** The result of the tool ends the turn: a control action that no call requested. */
const RESULT_ENDS_TURN: ControlAction = Object.freeze({
  id: undefined,
  kind: 'skipSummarization',
  agent: undefined,
});

/** The strongest control action: a transfer, then an escalation, then the end of the turn. Overridden ones are logged. */
function strongest(
  deferred: DeferredSteering | undefined,
  asked: readonly CallActions[],
  { services }: InvocationContext,
): ControlAction | undefined {
  if (deferred === undefined && asked.length === 0) return undefined;
  const controls = controlActionsOf(
    deferred === undefined
      ? asked
      : [{ id: undefined, actions: deferred, steers: true, exits: deferred.exits }, ...asked],
  );
  const [winner] = controls;
  for (const control of controls) {
    // All transfers have the same target here: `resolveTransfers` has removed the others.
    if (winner?.kind === control.kind) continue;
    const facts = present({ callId: control.id, ...steeringOf(control) });
    services.logger.warn(
      'a control action of a tool was overridden by a stronger one of the same turn',
      facts,
    );
  }
  return winner;
}

/** The strongest first. */
function controlActionsOf(asked: readonly CallActions[]): ControlAction[] {
  const transfers: ControlAction[] = [];
  const escalations: ControlAction[] = [];
  const ends: ControlAction[] = [];
  for (const { id, actions, steers, exits } of asked) {
    if (!steers) continue;
    const { transferToAgent: agent, escalate, skipSummarization } = actions;
    if (agent !== undefined) transfers.push({ id, kind: 'transferToAgent', agent });
    if (escalate === true) escalations.push({ id, kind: 'escalate', agent: undefined, exits });
    if (skipSummarization === true) ends.push({ id, kind: 'skipSummarization', agent: undefined });
  }
  return transfers.concat(escalations, ends);
}

function steeringOf({ kind, agent }: ControlAction): Steering {
  return kind === 'transferToAgent' ? { transferToAgent: agent } : { [kind]: true };
}
