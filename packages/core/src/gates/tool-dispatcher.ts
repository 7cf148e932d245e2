import { Deny } from './callbacks/agent-callbacks.js';
import { AdornError, copyJson, isSameJson, toJsonValue, type Arguments } from '@adorn/schema';
import { InvocationCancelledError } from '../run/cancellation.js';
import { withinCheckTime } from './time-limit.js';
import type { ToolQuestion } from '../tools/tool-requests.js';
import { schedulingOf } from '../tools/tool-traits.js';
import { completeCall } from './complete-call.js';
import { type Asking, coverageOfAnswer, reasonToAskAgain } from './coverage.js';
import { restoreEnding, storedEnding } from './ended-call.js';
import { denialOf, failureOf, marked, messageForModel, refusalAfter, refusalOf } from './outcome.js';
import { asksAfterTool, asksBeforeTool, type CallAsker, isCallAsker } from '../events/call-asker.js';
import type { RecordedEnding } from '../log/pending-call-index.js';
import type { EventSink } from '../events/event-sink.js';
import type {
  GuardedObservation,
  ObservedFact,
  Operation,
  OperationEnd,
} from '../run/telemetry/observation.js';
import {
  type GateVerdict,
  isListening,
  isWaiting,
  shownOf,
  type ToolCall,
  type ToolGate,
  type ToolOutcome,
} from './tool-call.js';

/** The container identifier of the list of gates, in order. */
export const ToolGates = Symbol.for('adorn:ToolGates');

/** Passes each call through the gates, in the order of the list in `dispatch.module.ts`. */
export class ToolDispatcher {
  constructor(private readonly gates: readonly ToolGate[]) {}

  /**
   * Runs the calls of one model turn in parallel. Returns the outcomes in the order of the calls. Never rejects.
   *
   * @param background receives the events of background tools, which are not waited for; without it, they are
   * @param settled called with each outcome as soon as it is known
   */
  dispatchAll(
    calls: readonly ToolCall[],
    sink: EventSink,
    concurrency: number,
    background?: EventSink,
    settled?: (call: ToolCall, outcome: ToolOutcome) => void,
  ): Promise<ToolOutcome[]> {
    const start = (call: ToolCall): Promise<ToolOutcome> =>
      background !== undefined && isInBackground(call)
        ? this.dispatchBeside(call, background)
        : this.dispatch(call, sink);
    const dispatch = settled === undefined ? start : notifying(start, settled);
    return runSideBySide(calls, concurrency, isSequential, dispatch);
  }

  /** Dispatches a call whose tool runs in the background. Resolves when the tool starts, or when the call ends before. */
  private dispatchBeside(call: ToolCall, background: EventSink): Promise<ToolOutcome> {
    return new Promise((resolve) => {
      const outcome = Promise.resolve().then(() => this.dispatch(call, background));
      call.started = () => {
        const { tool } = call.entry;
        const response = { status: tool.takesLiveInput ? 'streaming' : 'running', tool: tool.name };
        resolve({ kind: 'running', response, outcome });
      };
      void outcome.then(resolve);
    });
  }

  /**
   * Passes one call through all gates. A call whose arguments `beforeTool` changed enters the first gate again, because no
   * gate has checked them. So does, once, a call whose stored credential was rejected. Any error becomes the outcome. The
   * context of the call is closed then.
   */
  dispatch(call: ToolCall, sink: EventSink): Promise<ToolOutcome> {
    const observation = call.invocation.services.observe?.(toolOperation(call));
    return observation === undefined ? this.pass(call, sink) : this.passObserved(call, sink, observation);
  }

  private async passObserved(
    call: ToolCall,
    sink: EventSink,
    observation: GuardedObservation,
  ): Promise<ToolOutcome> {
    call.observation = observation;
    const outcome = await observation.within(() => this.pass(call, sink));
    observation.end(toolEnd(outcome));
    return outcome;
  }

  private async pass(call: ToolCall, sink: EventSink): Promise<ToolOutcome> {
    giveAnswerToCall(call);
    const settled = marked(call, await this.outcomeOf(call, sink));
    call.context.close(settled.kind === 'completed' && settled.continues === true);
    if (call.answer !== undefined && call.entry.tool.settled !== undefined && !isWaiting(settled))
      void release(call);
    return settled;
  }

  /** A function of the call that asked a person makes it wait, also if it failed or went on without the answer. */
  private async outcomeOf(call: ToolCall, sink: EventSink): Promise<ToolOutcome> {
    const { context, answer } = call;
    try {
      refuseCancelled(call);
      const outcome = answer?.ending
        ? await continueAfter(call, answer.ending)
        : await settleRefusal(call, () => this.throughGates(call, sink));
      return isAsking(call, outcome) ? await paused(call) : outcome;
    } catch (error) {
      if (context.question === undefined) return failureOf(call, error);
      return paused(call).catch((fault: unknown) => failureOf(call, fault));
    }
  }

  /** @throws {CallNotSettledError} if no gate settles the call */
  private async throughGates(call: ToolCall, sink: EventSink): Promise<ToolOutcome> {
    const { gates } = this;
    let isRenewed = false;
    for (let index = 0; index < gates.length;) {
      const passed = await enterGate(gates[index] as ToolGate, call, sink);
      if (typeof passed !== 'string') {
        if (isRenewed || !isRejection(passed) || !(await forgetCredentials(call, passed))) return passed;
        isRenewed = true;
        index = 0;
      } else if (passed === 'open') index++;
      else if (passed === 'again') index = 0;
    }
    throw new CallNotSettledError(call.entry.tool.name);
  }

  /** Drops the gates' state between calls. */
  close(): void {
    for (const gate of this.gates) gate.close?.();
  }
}

/** What a gate, or `beforeTool` in front of it, made of a call. `stay`: the same gate is next. */
type Passed = Exclude<GateVerdict, 'intercept'> | 'stay';

/** Enters one gate. A call whose function has asked a person is settled: it waits. */
async function enterGate(gate: ToolGate, call: ToolCall, sink: EventSink): Promise<Passed> {
  const verdict = await gate.enter(call, sink);
  call.observation?.note(gateFact(gate, verdict));
  const passed = verdict === 'intercept' ? await interceptedBy(call) : verdict;
  return isAsking(call, passed) ? paused(call) : passed;
}

/** Makes an answer available to the functions of a call. Each gets the answers to its own questions that cover the call. */
export function giveAnswerToCall(call: ToolCall): void {
  const { answer, context } = call;
  if (answer === undefined) return;
  context.credentialAnswer = answer.credential;
  context.give(answer.given ?? [], (given) => coverageOfAnswer(call, given) === 'covered');
}

/** The outcome of a call for which a question of one of its functions was rejected: none of them runs again. */
async function settleRefusal(call: ToolCall, otherwise: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { confirmation, shown, reason } = call.answer ?? {};
  const isRejected = confirmation?.confirmed === false && isCallAsker(shown?.askedBy);
  return isRejected ? refusalOf(reason) : otherwise();
}

/** Continues a call in the callback that asked when its tool had ended. The tool and the gates before it do not run again. */
async function continueAfter(call: ToolCall, ending: RecordedEnding): Promise<ToolOutcome> {
  call.args = ending.args;
  const ended = restoreEnding(call, ending);
  if (call.answer?.confirmation?.confirmed === false) return refusalAfter(call, ending);
  return completeCall(call, ended);
}

/** True if a function of the call has asked a person. A call that is refused before its tool runs needs no answer. */
function isAsking({ context }: ToolCall, passed: Passed): boolean {
  if (context.question === undefined) return false;
  const isRefused = typeof passed !== 'string' && passed.kind === 'refused';
  return !(isRefused && asksBeforeTool(context.questioner));
}

function toolOperation({ id: callId, entry: { tool }, args, agent, invocation }: ToolCall): Operation {
  const { name, description } = tool;
  return { kind: 'tool', callId, name, description, args, agentName: agent.name, ...invocation.observedRun };
}

function gateFact({ name = 'unnamed' }: ToolGate, verdict: GateVerdict): ObservedFact {
  return { kind: 'gate', gate: name, verdict: typeof verdict === 'string' ? verdict : verdict.kind };
}

function toolEnd(outcome: ToolOutcome): OperationEnd {
  switch (outcome.kind) {
    case 'paused':
    case 'waiting':
      return { status: 'paused' };
    case 'failed': {
      const { error, response } = outcome;
      const isCancelled = error instanceof InvocationCancelledError;
      return { status: isCancelled ? 'cancelled' : 'failed', error, response };
    }
    case 'refused':
      return { status: 'refused', response: outcome.response };
    default:
      return { status: 'completed', response: outcome.response };
  }
}

/** Tells the tool of a call that had waited for a person that the call is over. Nothing waits for it. */
async function release({ entry: { tool }, context }: ToolCall): Promise<void> {
  try {
    await tool.settled?.(context);
  } catch (error) {
    context.logger.warn(`tool "${tool.name}" failed to release what a call held`, { error });
  }
}

function notifying(
  start: (call: ToolCall) => Promise<ToolOutcome>,
  settled: (call: ToolCall, outcome: ToolOutcome) => void,
): (call: ToolCall) => Promise<ToolOutcome> {
  return async (call) => {
    const outcome = await start(call);
    settled(call, outcome);
    return outcome;
  };
}

/** True if the tool reported that its service rejected the credential. */
function isRejection(verdict: ToolOutcome): verdict is FailedOutcome {
  if (verdict.kind !== 'failed') return false;
  return AdornError.is(verdict.error) && verdict.error.code === 'CREDENTIAL_REJECTED';
}

type FailedOutcome = Extract<ToolOutcome, { kind: 'failed' }>;

/** Deletes the rejected credential; false if no other can be obtained. */
function forgetCredentials(call: ToolCall, { error }: FailedOutcome): Promise<boolean> {
  const { context, entry, invocation, answer } = call;
  const { cancellation } = invocation;
  const supplied = [
    ...(answer?.supplied ?? []),
    ...(answer?.credential === undefined ? [] : [answer.credential.key]),
  ];
  const reason = messageForModel(entry.tool, context, error);
  return withinCheckTime(context.forgetCredentials(reason, supplied), {
    tool: entry.tool,
    cancellation,
    part: 'credential store',
  });
}

const WAITING: ToolOutcome = Object.freeze({ kind: 'waiting' });

/** The outcome of a call of which a function has asked a person. */
async function paused(call: ToolCall): Promise<ToolOutcome> {
  const { questioner: askedBy = 'tool', question } = call.context;
  const asked = (await question) as ToolQuestion;
  if (asked.kind === 'agent') return WAITING;
  const askedAgain = reasonToAskAgain(call, askingOf(asked, askedBy));
  const ending = asksAfterTool(askedBy) && call.ended ? await storedEnding(call, call.ended) : undefined;
  return { kind: 'paused', question: { ...asked, ...shownOf(call), askedBy, askedAgain }, ending };
}

function askingOf(asked: Exclude<ToolQuestion, { kind: 'agent' }>, askedBy: CallAsker): Asking {
  switch (asked.kind) {
    case 'confirmation':
      return { kind: 'confirmation', askedBy, ...asked.confirmation };
    case 'input':
      return { kind: 'input', askedBy, hint: asked.input.message ?? '', payload: asked.input.payload };
    case 'credential':
      return { kind: 'credential', askedBy, key: asked.authConfig.credentialKey };
  }
}

function refuseCancelled({ invocation, context }: ToolCall): void {
  if (context.isAborted) throw InvocationCancelledError.duringCall();
  if (invocation.cancellation.isCancelled) throw new InvocationCancelledError();
}

/** True if the tool of a call runs in the background. */
function isInBackground(call: ToolCall): boolean {
  return schedulingOf(call.entry.tool.traits) !== undefined || isListening(call);
}

function isSequential({ entry }: ToolCall): boolean {
  return entry.tool.traits.sequential === true;
}

async function interceptedBy(call: ToolCall): Promise<Passed> {
  const interception = await intercept(call);
  switch (interception.kind) {
    case 'denied':
      return denialOf(interception.decision);
    case 'answered':
      return completeCall(call, { kind: 'returned', result: interception.result });
    case 'changed':
      return 'again';
    case 'unchanged':
      return 'stay';
  }
}

/** The effect of `beforeTool` on a call: nothing, other arguments, a result instead of the tool's, or a refusal. */
type Interception =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'denied'; readonly decision: Deny };

/**
 * Calls `beforeTool` and sets the arguments that it changed. No gate has checked these yet.
 *
 * @throws {ValueNotJsonError} if the changed arguments are not JSON
 * @throws {InvocationCancelledError}
 */
async function intercept(call: ToolCall): Promise<Interception> {
  if (call.isIntercepted) throw new CallNotSettledError(call.entry.tool.name);
  call.isIntercepted = true;
  const args = copyJson(call.args) as Record<string, unknown>;
  const { tool } = call.entry;
  call.context.askAs('beforeTool');
  const asked = call.callbacks.beforeTool?.(tool, args, call.context);
  const checking = { tool, cancellation: call.invocation.cancellation, part: 'beforeTool' };
  const result: unknown = asked && (await withinCheckTime(asked, checking));
  if (Deny.is(result)) return { kind: 'denied', decision: result };
  if (call.context.question !== undefined) return UNCHANGED;
  if (result !== undefined) return { kind: 'answered', result };
  if (isSameJson(args, call.args)) return UNCHANGED;
  call.args = copyJson(toJsonValue(args)) as Arguments;
  return CHANGED;
}

const UNCHANGED: Interception = Object.freeze({ kind: 'unchanged' });
const CHANGED: Interception = Object.freeze({ kind: 'changed' });

/** Every gate passed a call on, and none ran it: the list of gates is wrong. */
class CallNotSettledError extends AdornError {
  readonly code = 'CALL_NOT_SETTLED';

  constructor(toolName: string) {
    super(
      `No gate settled the call of "${toolName}": each of them passed it on. ` +
        'The last gate must run the tool; bind ToolGates with the run gate at its end.',
    );
  }
}

/**
 * Runs jobs in parallel, at most `concurrency` at a time, and returns their results in the order of the items. An item
 * that must run alone waits for all items before it, and all items after it wait for it.
 */
export function runSideBySide<Item, Result>(
  items: readonly Item[],
  limit: number,
  runsAlone: (item: Item) => boolean,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return items.some(runsAlone) ? runInGroups(items, limit, runsAlone, run) : runGroup(items, limit, run);
}

async function runInGroups<Item, Result>(
  items: readonly Item[],
  limit: number,
  runsAlone: (item: Item) => boolean,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const group of groupsOf(items, runsAlone)) results.push(...(await runGroup(group, limit, run)));
  return results;
}

function groupsOf<Item>(items: readonly Item[], runsAlone: (item: Item) => boolean): Item[][] {
  const groups: Item[][] = [[]];
  for (const item of items) {
    if (runsAlone(item)) groups.push([item], []);
    else groups.at(-1)?.push(item);
  }
  return groups;
}

function runGroup<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return items.length <= limit ? Promise.all(items.map(run)) : runWithWorkers(items, Math.max(1, limit), run);
}

async function runWithWorkers<Item, Result>(
  items: readonly Item[],
  workers: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await run(items[index] as Item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
