import { LlmAgentNode } from '../../agents/agent-nodes.js';
import { callerMetadata } from '../../events/caller.js';
import type { Session } from '../../events/session.js';
import { planIn, planMetadata, placeKey, undoMetadata, type UndoPlan } from '../../events/undo-mark.js';
import { BegunUndos } from '../../log/begun-undos.js';
import { PendingIndex } from '../../log/pending-index.js';
import { runAgent } from '../../run/agent-run.js';
import { newCallId } from '../../runtime/ids.js';
import { lastRunOf } from '../../stores/sessions/run-of-log.js';
import type { BegunRun } from '../begin/begun-run.js';
import { callEvent, CallInvalidError, callToRun } from '../begin/call-input.js';
import { entryAgents } from '../begin/entry-agents.js';
import { InvocationActiveError } from '../errors.js';
import type { RunProgress } from '../run-progress.js';
import { Stage } from '../stage.js';
import type { RequestedUndo } from './undo-input.js';
import { chainOf, type EffectiveCall, effectiveCalls, planText, undoReport } from './undo-report.js';

/** What to do about an undo of a run that is under way. */
export const UNDO_LATER = 'Undo it when it has ended. Call runner.resume if its process died.';

/**
 * Refuses to undo a run that is not over.
 *
 * @throws {InvocationActiveError | InvocationNotFoundError}
 */
export function refuseActive(session: Session, { invocationId }: RequestedUndo): void {
  const { invocationIds } = chainOf(session, invocationId);
  const last = lastRunOf(session);
  if (last?.status === 'open' && invocationIds.has(last.id))
    throw new InvocationActiveError(invocationId, UNDO_LATER);
  const index = PendingIndex.of(session);
  const waiting = [...index.list(), ...index.calls().map(({ event }) => event)];
  if (!waiting.some((one) => invocationIds.has(one.invocationId))) return;
  throw new InvocationActiveError(
    invocationId,
    'It waits for an answer, and goes on with it. Reject its open requests first, or call runner.rewind.',
  );
}

/**
 * Stores what is to be undone, before the first undo begins. Stores nothing if there is nothing to undo.
 *
 * @throws {CallInvalidError} for ids of calls that the run has not made
 */
export async function storeUndoPlan(
  run: RunProgress,
  { root }: BegunRun,
  undo: RequestedUndo,
): Promise<void> {
  const { invocationId, only } = undo;
  const { session } = root;
  const made = effectiveCalls(run.setting.root, session, invocationId);
  const unknown = only?.find((id) => !made.some(({ place }) => place.call === id));
  if (unknown !== undefined)
    throw new CallInvalidError(`The run "${invocationId}" has no call "${unknown}" with an effect.`);
  const calls = toUndo(made, session, only).map(({ place }) => place);
  const plan = { invocationId, calls, only };
  run.undoing = plan;
  if (calls.length === 0) return;
  const report = undoReport(run.setting.root, session, plan);
  const text = planText(report);
  const customMetadata = planMetadata(plan);
  const message = root.event({ author: 'user', customMetadata }, { role: 'user', parts: [{ text }] });
  run.undoing = { ...plan, id: message.id };
  await root.invocation.log.appendUnchanged(message);
}

/** The calls to undo, in order, up to the first whose undo waits already. */
function toUndo(
  made: readonly EffectiveCall[],
  session: Session,
  only: readonly string[] | undefined,
): EffectiveCall[] {
  const undos = BegunUndos.of(session);
  const outcomeOf = ({ place }: EffectiveCall) => undos.find(place, session)?.outcome;
  const open = made.filter(
    (call) =>
      call.receipt !== undefined && outcomeOf(call) !== 'undone' && only?.includes(call.place.call) !== false,
  );
  const waiting = open.findIndex((call) => outcomeOf(call) === 'waiting');
  return waiting === -1 ? open : open.slice(0, waiting);
}

/**
 * The undo that a run goes on with: its own, or the one whose call was answered or whose process died. A new message does not go
 * on with an earlier undo.
 */
export function continuedPlan({ request }: RunProgress, { start }: BegunRun): UndoPlan | undefined {
  const goesOn = request.kind === 'resume' || start.read.answers.length > 0;
  const message = goesOn ? start.chain?.events.findLast((event) => planIn(event) !== undefined) : undefined;
  return message && planIn(message);
}

/** Runs the undos of a plan, one after another, until one of them waits or fails. */
export async function runUndos(run: RunProgress, begun: BegunRun, plan: UndoPlan): Promise<void> {
  const { invocation, root, start } = begun;
  const stage = new Stage(run.handle, (event) => run.accept(event, root));
  await stage.until(async () => {
    let { chains } = start;
    let made: ReadonlyMap<string, EffectiveCall> | undefined;
    for (;;) {
      if (invocation.answers.length > 0)
        for (const entry of entryAgents(invocation, chains, false)) await runAgent(entry, stage);
      if (invocation.cancellation.isCancelled || invocation.spent) return;
      // What was done does not change while it is undone.
      made ??= callsByPlace(run, root.session, plan);
      const next = nextUndo(made, root.session, plan);
      if (!next) return;
      chains = undefined;
      invocation.replay = undefined;
      await storeUndoCall(run, begun, next);
    }
  });
}

function callsByPlace(
  run: RunProgress,
  session: Session,
  { invocationId }: UndoPlan,
): ReadonlyMap<string, EffectiveCall> {
  const made = effectiveCalls(run.setting.root, session, invocationId);
  return new Map(made.map((one) => [placeKey(one.place), one]));
}

/** The first call of the plan that is not undone; undefined if its undo has begun, and waits or has failed. */
function nextUndo(
  made: ReadonlyMap<string, EffectiveCall>,
  session: Session,
  plan: UndoPlan,
): EffectiveCall | undefined {
  const undos = BegunUndos.of(session);
  const begunAt = undos.planSeq(plan.id);
  for (const place of plan.calls) {
    const last = undos.find(place, session);
    if (last?.outcome === 'undone') continue;
    const one = made.get(placeKey(place));
    const hasBegun = last !== undefined && last.outcome !== 'withdrawn' && last.seq > begunAt;
    return hasBegun || one?.receipt === undefined ? undefined : one;
  }
  return undefined;
}

/** Stores the call of an undo, as an answer for the agent whose tool it is. */
async function storeUndoCall(
  run: RunProgress,
  { invocation, root }: BegunRun,
  { place, call, tool, agent, receipt }: EffectiveCall,
): Promise<void> {
  if (!receipt || !(agent instanceof LlmAgentNode)) return;
  const { answering, channel } = run.request.answerer;
  const caller = { by: answering.principal.id, channel };
  const of = { tool, call: place.call, event: place.event, args: call.args ?? {} };
  const args = { of, result: receipt.result };
  const requested = { id: newCallId(), tool: receipt.undo, args, agent };
  const context = invocation.enter(agent, agent.path);
  const event = callEvent(context, requested, caller).with({
    customMetadata: { ...callerMetadata(caller), ...undoMetadata({ ...place, effect: receipt.effect }) },
  });
  await run.emit(event, context);
  const answer = callToRun(root, requested);
  if (answer) invocation.addAnswer(answer);
}
