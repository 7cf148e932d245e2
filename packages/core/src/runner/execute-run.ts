import { isSameJson } from '@adorn/schema';

import { functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { runAgent } from '../run/agent-run.js';
import { followSignal } from '../run/cancellation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Replacement } from '../run/replacement.js';
import { MADE_BY_CALLBACK } from '../run/replay.js';
import type { GuardedObservation } from '../run/telemetry/observation.js';
import { type Execute, READER_STOPPED } from './begin/active-run.js';
import { unlessRunCancelled } from './begin/begin-run.js';
import { type BegunRun, beginRun } from './begin/begun-run.js';
import { entryAgents } from './begin/entry-agents.js';
import { checkedRunInput, type RunStartInput, type CheckedRunInput } from './begin/run-input.js';
import type { RunSetting } from './begin/run-setting.js';
import { closingEvents, type Failure, releaseSession, observedEnd } from './end-run.js';
import { NothingToResumeError, RunnerClosedError } from './errors.js';
import { connectLive } from './live/connect-live.js';
import { deliverAnswer } from './live/deliver-answer.js';
import type { OpenLive } from './live/open-lives.js';
import { isSiblingPending } from './recover/interrupted-run.js';
import type { RunOutcome } from './run.js';
import { RunProgress } from './run-progress.js';
import { Stage } from './stage.js';
import { continuedPlan, runUndos } from './undo/undo-run.js';

/**
 * Executes one message, from its session to its closing events.
 *
 * @param inputOf may throw; the run then ends with the error
 */
export function runExecutor(setting: RunSetting, inputOf: () => RunStartInput): Execute {
  return async (handle) => {
    if (setting.isClosing()) throw new RunnerClosedError();
    const input = inputOf();
    const request = checkedRunInput(setting, handle.invocationId, input);
    const run = new RunProgress(setting, handle, request);
    const open = setting.lives.find(request.key);
    if (open && !request.mail && (await passToLiveSession(open, request, input))) return run.outcome();
    return observed(run);
  };
}

/**
 * Passes the message to the open live session, if it is an answer, or a plain message of who speaks there. A new live session
 * ends the open one.
 *
 * @returns true if the live session has the message; otherwise the run waits for the session as any other
 */
async function passToLiveSession(
  open: OpenLive,
  request: CheckedRunInput,
  input: RunStartInput,
): Promise<boolean> {
  if (request.live) open.live.takenOver();
  else if (functionResponsesOf(request.message).length > 0) {
    await deliverAnswer(open, input);
    return true;
  } else if (isFromLiveSpeaker(open, request)) {
    open.live.postMessage(request.message);
    return true;
  }
  return false;
}

/** True for a plain message of the person who speaks in the open live session. */
function isFromLiveSpeaker(
  { live, run }: OpenLive,
  { kind, call, undo, config, stateDelta, answerer }: CheckedRunInput,
): boolean {
  if (kind !== 'message' || call || undo || stateDelta || config.whileActive !== 'queue' || live.isClosing)
    return false;
  return isSameJson(answerer.answering.principal, run.request.answerer.answering.principal);
}

async function observed(run: RunProgress): Promise<RunOutcome> {
  const { appName, userId, sessionId } = run.request.key;
  const { invocationId } = run.handle;
  const begin = run.setting.services.observe;
  const observation = begin?.({ kind: 'run', appName, userId, sessionId, invocationId });
  return observation ? withinObservation(run, observation) : executeRun(run);
}

async function withinObservation(run: RunProgress, observation: GuardedObservation): Promise<RunOutcome> {
  try {
    const outcome = await observation.within(() => executeRun(run));
    observation.end(observedEnd(run, outcome));
    return outcome;
  } catch (error) {
    observation.end(error === READER_STOPPED ? { status: 'cancelled' } : { status: 'failed', error });
    throw error;
  }
}

/** Waits for the session, runs, tells the plugins how it ended, and lets the next run of the session begin. */
async function executeRun(run: RunProgress): Promise<RunOutcome> {
  const { handle, setting } = run;
  const { request } = run;
  const { key, config, signal } = request;
  const unfollow = followSignal(handle.cancellation, signal);
  try {
    const isInstead = request.mail?.when === 'instead';
    const isNext = await setting.runs.enter(handle, key, {
      whileActive: config.whileActive,
      signal,
      isInstead,
      displace: () => {
        run.giveWay();
      },
    });
    setting.holds.add(run);
    const failure = await failureOf(isNext ? runMessage(run) : run.cancelledWaiting());
    try {
      await callAfterRun(run, failure);
    } finally {
      releaseSession(run, failure);
    }
    if (failure) throw failure.error;
    return run.outcome();
  } finally {
    unfollow();
  }
}

/** From the message to the closing events. */
async function runMessage(run: RunProgress): Promise<void> {
  const begun = await beginRun(run);
  if (!begun) return run.isTakenElsewhere ? undefined : run.cancelledWaiting();
  const isAnswered = isIdle(run, begun) || (await callBeforeRun(run, begun));
  run.undoing ??= continuedPlan(run, begun);
  if (!isAnswered) await (run.undoing ? runUndos(run, begun, run.undoing) : runAgents(run, begun));
  run.refuseStopped();
  await run.emitAll(closingEvents(run, begun.root), begun.root);
  if (run.request.kind === 'resume' && !begun.invocation.log.hasWritten)
    throw NothingToResumeError.inSession(begun.start.session.id);
}

/** True if no agent is to run: there is nothing to go on with, or an approval of several was stored, and its call waits on. */
function isIdle({ request }: RunProgress, { root, start }: BegunRun): boolean {
  const { answers, content, interrupted, read } = start;
  if (answers.length === 0 && read.answers.length > 0) return true;
  const isNothingGiven = content === undefined || isSiblingPending(root, interrupted);
  return request.kind === 'resume' && interrupted.again.length === 0 && isNothingGiven;
}

/** Calls `beforeRun`. True if it replaced the run of the agents, or if the run was cancelled meanwhile. */
async function callBeforeRun(run: RunProgress, { invocation, root, start }: BegunRun): Promise<boolean> {
  const { beforeRun } = run.setting.hooks;
  if (!beforeRun) return false;
  const [first = root] = entryAgents(invocation, start.chains, false);
  let answer: Replacement | undefined;
  try {
    answer = await unlessRunCancelled(beforeRun(first), run.handle);
  } catch (error) {
    if (!first.endIfTripped(error)) throw error;
  }
  if (!answer) return true;
  const event = replacementEvent(first, answer);
  if (event) await run.emit(event, root);
  return answer.content !== undefined;
}

/** The event of a replacement by `beforeRun`; undefined if there is neither a content nor a write. */
function replacementEvent(context: InvocationContext, { content, actions }: Replacement): Event | undefined {
  if (content === undefined && actions === undefined) return undefined;
  const author = context.agent.name;
  return context.event({ author, content, actions, customMetadata: { [MADE_BY_CALLBACK]: 'beforeRun' } });
}

/** Runs the agents that the message is for, one after another. */
async function runAgents(run: RunProgress, { invocation, root, start }: BegunRun): Promise<void> {
  const { call, kind, live } = run.request;
  const stage = new Stage(run.handle, (event) => run.accept(event, root));
  if (live) connectLive(run, live, invocation);
  // A call, and a message that answers one, ask no model.
  const isAsked = kind !== 'resume' && call === undefined && start.read.answers.length === 0;
  await stage.until(async () => {
    for (const entry of entryAgents(invocation, start.chains, isAsked)) {
      invocation.result = undefined;
      await runAgent(entry, stage);
    }
  });
}

async function callAfterRun({ invocation, last, setting }: RunProgress, failure?: Failure): Promise<void> {
  const { afterRun } = setting.hooks;
  if (!afterRun || !invocation) return;
  const hasFailed = failure !== undefined && failure.error !== READER_STOPPED;
  await afterRun({ last, ...(hasFailed ? failure : {}) }, invocation.root);
}

async function failureOf(running: Promise<void>): Promise<Failure | undefined> {
  try {
    await running;
    return undefined;
  } catch (error) {
    return { error };
  }
}
