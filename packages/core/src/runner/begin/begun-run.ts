import { type EventActions, mergedWrites } from '../../events/event-actions.js';
import { logOf, type Session } from '../../events/session.js';
import type { Invocation } from '../../run/invocation.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { Replacement } from '../../run/replacement.js';
import { isToCheck } from '../answers/check-answers.js';
import { InvocationRepeatedError } from '../errors.js';
import { MailedAnswer } from '../mailbox/mailed-answer.js';
import type { Letter } from '../mailbox/letter.js';
import { isTransient, pauseOf } from '../mailbox/mailroom.js';
import { isTaken } from '../mailbox/run-mailbox.js';
import { interruptedResponses } from '../recover/interrupted-run.js';
import type { RunProgress } from '../run-progress.js';
import {
  checkedRunStart,
  type ReadySession,
  waitForSession,
  invocationOf,
  isCoded,
  createSessionFor,
  type RunStart,
  runStartOf,
  storeRequester,
  storeUserMessage,
  claimSession,
  unlessRunCancelled,
} from './begin-run.js';
import { refuseActive, storeUndoPlan } from '../undo/undo-run.js';
import { callEvent, callToRun, type RequestedCall } from './call-input.js';
import type { TakenMail } from './run-input.js';

/** A run that has taken its session and stored its message. */
export interface BegunRun {
  readonly start: RunStart;
  readonly invocation: Invocation;
  /** The context of the root agent. */
  readonly root: InvocationContext;
}

/** The run that another process had in the session when this one could not take it. */
interface Overtaken {
  readonly epoch: number;
  /** Thrown again if the run that took the session is this one, of another process. */
  readonly error: Error | undefined;
}

/** What the attempts of a run to begin have found. */
interface Beginning {
  /** How often a message that was sent was tried again. */
  attempts: number;
  overtaken: Overtaken | undefined;
  replaced: Replacement | undefined;
}

/**
 * Takes the session and stores the message. If another process takes the session first, the run waits for that one and
 * begins again. The run of a message that was sent begins again after each error that is not that of the message. Undefined if
 * the run was cancelled while it waited, or if another run has what it was to begin with.
 *
 * @throws {InvocationRepeatedError} if the run is to happen once, and the log has it
 */
export async function beginRun(run: RunProgress): Promise<BegunRun | undefined> {
  const beginning: Beginning = { attempts: 0, overtaken: undefined, replaced: undefined };
  // Whether the run that is to be undone has ended stands in its record.
  if (run.request.undo) await run.setting.runs.written();
  for (;;) {
    try {
      const begun = await tryToBegin(run, beginning);
      if (begun !== 'again') return begun;
    } catch (error) {
      if (!isToTryAgain(run, error)) throw error;
      if (!(await waitAfter(run, beginning.attempts++, error))) return undefined;
    }
  }
}

async function tryToBegin(run: RunProgress, beginning: Beginning): Promise<BegunRun | 'again' | undefined> {
  const { handle, request, setting } = run;
  const session = (await setting.services.sessions.getSession(request.key)) ?? (await sessionFor(run));
  if (!session) return undefined;
  refuseRepeated(run, session, beginning.overtaken);
  if (request.undo) refuseActive(session, request.undo);
  const entered = await enterWithAnswer(run, session);
  if (!entered) return undefined;
  if (request.mail) {
    const { place, others } = await setting.mail.placeOf(entered.session, request.mail.id);
    if (others > 0) run.mailbox.isToForward = true;
    if (place === 'gone') run.isTakenElsewhere = true;
    if (place !== 'first') return place !== 'gone' && (await letBefore(run, place)) ? 'again' : undefined;
  }
  run.refuseStopped();
  try {
    const start = await prepareRunStart(run, entered);
    run.refuseStopped();
    const content = beginning.replaced?.content ?? start.content;
    run.invocation = invocationOf(setting, handle, request, start, content);
    beginning.replaced ??= await callOnUserMessage(run, start, run.invocation);
    if (!beginning.replaced) return undefined;
    const begun = { start, invocation: run.invocation, root: run.invocation.root };
    await storeMessage(run, begun, beginning.replaced);
    run.start = start;
    connectMail(run, begun);
    return begun;
  } catch (error) {
    if (request.mail) {
      await unlessTaken(run, request.mail, error);
      return undefined;
    }
    beginning.overtaken = overtakenBy(run, error, entered.session, beginning.overtaken);
    run.invocation?.end();
    run.invocation = undefined;
    return 'again';
  }
}

/** Creates the session of a request. A message that was sent to a session is deleted with it, and creates none. */
async function sessionFor(run: RunProgress): Promise<Session | undefined> {
  const { request, setting } = run;
  if (!request.mail) return createSessionFor(setting.services.sessions, request);
  run.isTakenElsewhere = true;
  return undefined;
}

/** Enters the session. While another process has it, an answer is in its mailbox. */
async function enterWithAnswer(run: RunProgress, session: Session): Promise<ReadySession | undefined> {
  const { handle, request, setting } = run;
  const mailed = MailedAnswer.of(setting, request);
  let entered: ReadySession | undefined;
  try {
    entered = await waitForSession(setting.fence, request, session, handle.cancellation, mailed);
  } finally {
    if (mailed && !(await mailed.withdraw())) run.isTakenElsewhere = true;
  }
  return run.isTakenElsewhere ? undefined : entered;
}

/** Lets the run of the first letter in the mailbox go before. False if this run was cancelled meanwhile. */
async function letBefore({ handle, request, setting }: RunProgress, first: Letter): Promise<boolean> {
  const { invocationId } = setting.mail.begin(request.key, first);
  if (setting.runs.has(invocationId)) return setting.runs.letBefore(handle, invocationId);
  // It has failed at once, such as in a runner that is being closed.
  return handle.cancellation.sleep(pauseOf(0));
}

/** Ends the run of a letter without an event if the log has the message. @throws the error otherwise */
async function unlessTaken(run: RunProgress, { id }: TakenMail, error: unknown): Promise<void> {
  if (!isTaken(error, id)) throw error;
  run.isTakenElsewhere = true;
  await run.giveBack();
}

/** True after an error of a store, or of another process, while a message that was sent is not in the log. */
function isToTryAgain({ handle, request, setting }: RunProgress, error: unknown): boolean {
  if (!request.mail || handle.hasStopped || setting.isClosing()) return false;
  return !handle.cancellation.isCancelled && isTransient(error);
}

/** False if the run was cancelled meanwhile. */
async function waitAfter(run: RunProgress, attempt: number, error: unknown): Promise<boolean> {
  const { handle, request, setting } = run;
  const { logger } = setting.services;
  const { sessionId } = request.key;
  if (attempt > 0)
    logger.warn('a message that was sent could not be read, and is tried again', { sessionId, error });
  try {
    await run.giveBack();
  } catch (failure) {
    logger.warn('the end of a run could not be recorded', { sessionId, error: failure });
  }
  return handle.cancellation.sleep(pauseOf(attempt));
}

/** Lets the run read what is sent to it. One that continues another looks at once for what that one has not read. */
function connectMail({ mailbox, request }: RunProgress, { invocation }: BegunRun): void {
  if (request.live) return;
  if (request.kind === 'resume') mailbox.isDue = true;
  invocation.mail = mailbox;
}

/** Refuses what has begun: by the run itself, of another process, or before a message that is to run once. */
function refuseRepeated({ handle, request }: RunProgress, session: Session, overtaken?: Overtaken): void {
  const runsOnce = request.kind === 'message' && request.config.whenRepeated === 'refuse';
  if (!overtaken && !runsOnce) return;
  const { invocationId } = handle;
  if (!logOf(session).some((event) => event.invocationId === invocationId)) return;
  throw overtaken?.error ?? new InvocationRepeatedError(invocationId);
}

/**
 * Reads the start of the run, and checks the answers in it. A run that continues an interrupted one claims the session now;
 * any other claims it with its first event.
 */
async function prepareRunStart(run: RunProgress, entered: ReadySession): Promise<RunStart> {
  const { handle, request, setting } = run;
  const takesLater = request.kind === 'message' && !setting.fence.openRun(entered.session);
  if (!takesLater) run.taken = await claimSession(setting, handle, request, entered);
  const start = runStartOf(setting.root, request, takesLater ? entered : (run.taken ?? entered));
  return start.read.answers.some(isToCheck) ? checkedRunStart(setting, handle, request, start) : start;
}

/** Calls `onUserMessage`. Undefined if the run was cancelled meanwhile. */
async function callOnUserMessage(
  run: RunProgress,
  start: RunStart,
  invocation: Invocation,
): Promise<Replacement | undefined> {
  const { handle, request, setting } = run;
  const { onUserMessage } = setting.hooks;
  const isMessage = request.kind === 'message' && request.call === undefined && request.undo === undefined;
  if (!isMessage || !onUserMessage) return { content: undefined, actions: undefined };
  const replaced = await unlessRunCancelled(onUserMessage(start.read.content, invocation.root), handle);
  if (replaced?.content !== undefined) {
    invocation.end();
    run.invocation = invocationOf(setting, handle, request, start, replaced.content);
  }
  return replaced;
}

/** Stores the responses to interrupted calls, and the message. */
async function storeMessage(run: RunProgress, begun: BegunRun, replaced: Replacement): Promise<void> {
  const { request } = run;
  const { root, start } = begun;
  const { interrupted, read } = start;
  await run.emitAll(interruptedResponses(root, interrupted), root);
  if (request.kind === 'live') await storeRequester(root);
  if (request.kind !== 'message') return;
  const { stateDelta } = request;
  const actions = mergedWrites(stateDelta && { stateDelta }, replaced.actions);
  if (request.undo) await storeUndoPlan(run, begun, request.undo);
  else if (request.call) await storeCall(run, begun, request.call, actions);
  else {
    const content = replaced.content ?? read.content;
    await storeUserMessage(root, actions, read, content, interrupted, { sent: request.mail?.id });
    if (request.mail) await run.setting.mail.remove(request.key, request.mail.id);
  }
}

/** Stores a call that no model made, behind its message, as an answer for the agent whose tool it is. */
async function storeCall(
  run: RunProgress,
  { invocation, root }: BegunRun,
  call: RequestedCall,
  actions: Partial<EventActions> | undefined,
): Promise<void> {
  const { answering, channel } = run.request.answerer;
  const message = root.event({ author: 'user', actions }, run.request.message);
  const context = invocation.enter(call.agent, call.agent.path);
  const event = callEvent(context, call, { by: answering.principal.id, channel, fromUi: call.fromUi });
  await root.appendAhead([message, event]);
  const answer = callToRun(root, call);
  if (answer) invocation.addAnswer(answer);
  await run.emit(event, context);
}

/**
 * The other run that has taken the session since it was read, while this one has not.
 *
 * @throws the error if it says something else, or the same again
 */
function overtakenBy(
  { invocation, request }: RunProgress,
  error: unknown,
  { lastRun }: Session,
  before: Overtaken | undefined,
): Overtaken {
  const hasTaken = request.recovers !== undefined || invocation?.log.epoch !== undefined;
  if (!isCoded(error, 'SESSION_TAKEN_OVER') || hasTaken) throw error;
  const epoch = lastRun?.epoch ?? 0;
  if (before?.epoch === epoch) throw error;
  return { epoch, error: error instanceof Error ? error : undefined };
}
