import type { ToolOutcome } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import { type AgentNode, successorPath } from '../invocation/agent-node.js';
import { hasStopped } from '../invocation/agent-run.js';
import { handOver } from '../invocation/delegation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { BackgroundCalls } from './background-calls.js';
import { type CallBatch, isStillWaiting, resumptionOf } from './call-batch.js';
import { type EndCode, type PlannedAgent } from './turn-agent.js';
import { eventsOfListing, listToolsets, type ToolsetListing } from './list-toolsets.js';
import { askModel } from './model-answer.js';
import { findTransferTarget } from './resolve-transfers.js';
import {
  afterBackground,
  afterCalls,
  afterResults,
  ANSWERED,
  ASK,
  END,
  endWith,
  finishCalls,
  type NextStep,
  startCalls,
} from './run-calls.js';

const DEFAULT_MAX_ITERATIONS = 50;

/**
 * One run of an LLM agent: calls the model, runs its calls, and repeats until the model answers, a person has to be asked,
 * another agent takes over, or a limit is reached. The reader stores each event before the next one is made.
 */
export async function* runTurns(
  agent: PlannedAgent,
  context: InvocationContext,
): AsyncGenerator<Event, void, undefined> {
  const recorded = context.isResumed ? recordedTransfer(agent, context) : undefined;
  if (recorded !== undefined) {
    const { successor, index } = recorded;
    if (!successor.transfer.isCalled) return yield* handOver(context, successor, index);
    if (!(yield* callAgent(successor, context, index))) return;
  }
  const taken = resumptionOf(agent, context);
  const resumption = isPromiseLike(taken) ? await taken : taken;
  if (resumption.kind === 'none' && context.isResumed && (context.isWaiting || hasAnswered(context))) return;
  let next: NextStep = ASK;
  if (resumption.kind === 'results') {
    if (isStillWaiting(context, resumption.origins)) return;
    const after = afterResults(agent, context, resumption.origins);
    if (after.event !== undefined) yield after.event;
    next = after.next;
  }
  let batch: CallBatch | undefined = resumption.kind === 'calls' ? resumption.batch : undefined;
  let background: BackgroundCalls | undefined;
  try {
    for (let asked = 0; ;) {
      const due = next;
      let outcomes: readonly ToolOutcome[] | undefined;
      if (batch === undefined && background !== undefined) {
        const ended = yield* background.before(due);
        if (ended !== undefined) ({ batch, outcomes } = ended);
      }
      if (batch === undefined) {
        if (next.kind === 'answered') return;
        if (next.kind === 'end') {
          if (next.event !== undefined) yield next.event;
          return;
        }
        if (next.kind === 'transfer') {
          if (!next.successor.transfer.isCalled) return yield* handOver(context, next.successor);
          if (!(yield* callAgent(next.successor, context))) return;
          next = ASK;
        }
        const summary = asked > 0 ? context.compact() : undefined;
        if (summary !== undefined) await summary;
        const reason = reasonNotToAsk(agent, context, asked++);
        if (reason !== undefined) {
          next = endWith(reason, agent, context);
          continue;
        }
        let listing: ToolsetListing | undefined;
        if (agent.toolsets.length > 0) {
          listing = await listToolsets(agent, context);
          const { events, isOver } = await eventsOfListing(listing, agent, context);
          if (context.cancellation.isCancelled) {
            next = endWith('CANCELLED', agent, context);
            continue;
          }
          yield* events;
          if (isOver) {
            next = END;
            continue;
          }
        }
        const asking = askModel(agent, context, listing);
        const incoming = isPromiseLike(asking) ? await asking : asking;
        const pieces = background === undefined ? incoming : background.beside(incoming);
        try {
          for (let piece = await pieces.next(); piece; piece = await pieces.next()) yield piece;
        } finally {
          incoming.close();
        }
        const read = incoming.whole(background?.isAwaited === true);
        const answer = isPromiseLike(read) ? await read : read;
        if (context.cancellation.isCancelled) {
          next = endWith('CANCELLED', agent, context);
          continue;
        }
        yield answer.event;
        if (answer.batch === undefined) {
          if (answer.isDone) next = answer.event.errorCode === undefined ? ANSWERED : END;
          continue;
        }
        batch = answer.batch;
      }
      if (outcomes === undefined) {
        background ??= BackgroundCalls.of(batch);
        const running = startCalls(agent, context, batch, background);
        const events = background === undefined ? running : background.beside(running);
        try {
          for (let event = await events.next(); event; event = await events.next()) yield event;
        } finally {
          running.close();
        }
        outcomes = running.result;
      }
      if (background !== undefined) {
        ({ batch, outcomes } = yield* background.joinedWith({ batch, outcomes }));
        if (background.isEmpty) background = undefined;
      }
      const result = finishCalls(agent, context, batch, outcomes);
      if (result.requests.length > 0) {
        await context.appendAhead([...result.requests, result.response]);
        yield* result.requests;
      }
      yield result.response;
      const after = afterCalls(agent, context, result);
      next = batch.isSilent === undefined ? after : afterBackground(due, after, batch.isSilent);
      batch = undefined;
    }
  } finally {
    background?.close();
  }
}

/** The agent's last step before the invocation paused or was interrupted, if it was a transfer. */
function recordedTransfer(
  agent: PlannedAgent,
  { lastStep }: InvocationContext,
): { readonly successor: AgentNode; readonly index: number } | undefined {
  const name = lastStep?.event.actions.transferToAgent;
  if (lastStep === undefined || name === undefined) return undefined;
  const target = findTransferTarget(agent, name);
  return target.kind === 'found' ? { successor: target.agent, index: lastStep.index } : undefined;
}

/** True if the agent had answered, and its process died before the end of its run was stored. */
function hasAnswered({ lastStep }: InvocationContext): boolean {
  if (lastStep === undefined) return false;
  const { turnComplete, actions } = lastStep.event;
  return turnComplete || actions.skipSummarization === true || actions.escalate === true;
}

function reasonNotToAsk(
  agent: PlannedAgent,
  { cancellation }: InvocationContext,
  asked: number,
): EndCode | undefined {
  if (cancellation.isCancelled) return 'CANCELLED';
  return asked >= (agent.turn.maxIterations ?? DEFAULT_MAX_ITERATIONS) ? 'MAX_ITERATIONS' : undefined;
}

/**
 * Runs a sub-agent that its parent calls: on the shared conversation, until the sub-agent is done.
 *
 * @param context of the parent
 * @param index of the recorded transfer, if the run of the parent was resumed
 * @returns true if the parent continues; false if something waits, was cancelled or escalated
 */
async function* callAgent(
  callee: AgentNode,
  context: InvocationContext,
  index?: number,
): AsyncGenerator<Event, boolean, undefined> {
  let last = index === undefined ? undefined : lastEventOf(callee, context, index);
  for await (const event of handOver(context, callee, index)) {
    yield event;
    if (!event.partial) last = event;
  }
  if (hasStopped(context) || last?.actions.escalate === true) return false;
  if (last?.errorCode !== undefined) yield failureOf(callee, last, context);
  return true;
}

/** The last event of the callee's run, if the run began before a pause or a crash. */
function lastEventOf(callee: AgentNode, context: InvocationContext, index: number): Event | undefined {
  return context.invocation.replay?.lastStepWithin(successorPath(context, callee), index)?.event;
}

/** Reports a failure of the callee to the parent's model, which does not see the errors of other agents. */
function failureOf({ name }: AgentNode, { errorMessage = '' }: Event, context: InvocationContext): Event {
  const parts = [{ text: `${name} could not finish: ${errorMessage}` }];
  return context.event({ author: context.agent.name, content: { role: 'user', parts } });
}
