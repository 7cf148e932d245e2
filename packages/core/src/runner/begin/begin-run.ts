import { withoutSecrets } from '../../auth/auth-credential.js';
import { functionResponsesOf } from '../../events/content-parts.js';
import type { Content } from '../../events/genai-types.js';
import { AdornError, describeThrown, isSameJson, present } from '@adorn/schema';
import { RequestNotPendingError } from '../../events/errors.js';
import type { EventActions } from '../../events/event-actions.js';
import { runIdOf } from '../../events/event-place.js';
import { consumedAs, SENT_AS } from '../../events/mail.js';
import { withRequester } from '../../events/requester.js';
import type { RunOpening, RunRecord } from '../../events/run-record.js';
import { keyOf, type Session, type SessionKey } from '../../events/session.js';
import { RESPONSES_FOR_MODEL, type ResponsesForModel } from '../../events/responses-for-model.js';
import { spentBefore } from '../../run/budget.js';
import type { Cancellation } from '../../run/cancellation.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { Replacement } from '../../run/replacement.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import { Invocation } from '../../run/invocation.js';
import type { AgentNode } from '../../run/agent-node.js';
import { requesterOfRun } from '../../log/requester-of-run.js';
import { CONTINUES, type InvocationChain, InvocationChains } from '../../log/invocation-chains.js';
import type { Answer } from '../../log/pending-call-index.js';
import { SessionNotFoundError } from '../../stores/sessions/errors.js';
import { lastRunOf } from '../../stores/sessions/run-of-log.js';
import type { SessionService } from '../../stores/sessions/session.service.js';
import { checkedAnswers } from '../answers/check-answers.js';
import { callersOf } from './entry-agents.js';
import { NothingToResumeError } from '../errors.js';
import { type InterruptedCalls, interruptedCalls, interruptedMessage } from '../recover/interrupted-run.js';
import { inputChecks, type ReadAnswers, readAnswers } from '../answers/read-answers.js';
import type { MailedAnswer } from '../mailbox/mailed-answer.js';
import type { RunSetting } from './run-setting.js';
import type { CheckedRunInput } from './run-input.js';
import type { SessionUse } from './run-queue.js';
import type { SessionFence } from './session-fence.js';

/**
 * Creates the session of an address. If two first messages arrive at the same time, the later one uses the session that
 * the other created.
 *
 * @param answered the request that the message answers: a session that does not exist has no open requests
 * @throws {RequestNotPendingError} if the message is an answer
 */
export async function createSessionOnce(
  sessions: SessionService,
  key: SessionKey,
  answered?: string,
): Promise<Session> {
  if (answered !== undefined) throw new RequestNotPendingError(answered);
  try {
    return await sessions.createSession(key);
  } catch (error) {
    const made = isCoded(error, 'SESSION_EXISTS') ? await sessions.getSession(key) : undefined;
    if (!made) throw error;
    return made;
  }
}

/** Creates the session for an input. Throws if the input continues or undoes a run. */
export function createSessionFor(
  sessions: SessionService,
  { kind, message, key, undo }: CheckedRunInput,
): Promise<Session> {
  if (kind === 'resume' || undo) throw new SessionNotFoundError(key.sessionId);
  return createSessionOnce(sessions, key, functionResponsesOf(message)[0]?.id);
}

/** A session without another active run, and the answers of the message. */
export interface ReadySession {
  readonly session: Session;
  readonly read: ReadAnswers;
  /** The epoch of a run that has taken the session. Absent if it takes it with its first event. */
  readonly epoch?: number | undefined;
}

/**
 * Waits for a run of another process. The answers are read before the wait, to refuse them at once, and after it.
 *
 * @param mailed an answer that a live session of the other process may take meanwhile
 * @returns undefined if the run was cancelled meanwhile, or the answer was taken
 */
export async function waitForSession(
  fence: SessionFence,
  { message, answerer, config }: CheckedRunInput,
  session: Session,
  cancellation: Cancellation,
  mailed?: MailedAnswer,
): Promise<ReadySession | undefined> {
  const inputs = await inputChecks(session, message);
  const read = readAnswers(session, message, answerer, inputs);
  if (!fence.openRun(session)) return { session, read };
  const entered = await fence.enter(session, config, cancellation, mailed && (() => mailed.isTaken()));
  return entered && { session: entered, read: readAnswers(entered, message, answerer, inputs) };
}

/** What a run begins with, read from its message and its session. */
export interface RunStart extends ReadySession {
  /** The message that the agents get. */
  readonly content: Content | undefined;
  readonly answers: readonly Answer[];
  /** The chains of the session, if the run continues others. */
  readonly chains: InvocationChains | undefined;
  /** The runs that it continues. */
  readonly chain: InvocationChain | undefined;
  readonly interrupted: InterruptedCalls;
}

export function runStartOf(root: AgentNode, request: CheckedRunInput, entered: ReadySession): RunStart {
  const { session, read } = entered;
  const isMessage = request.kind !== 'resume';
  const interrupted = interruptedCalls(root, session, read);
  const taken = read.answers.filter(({ kind }) => kind !== 'counted');
  const given = [...taken, ...interrupted.again];
  const content = isMessage ? read.content : interruptedMessage(session);
  const continues = [...read.answers, ...interrupted.again];
  const chains = !isMessage || continues.length > 0 ? new InvocationChains(session) : undefined;
  const callers = chains ? callersOf(session, given, isMessage ? undefined : chains) : NONE;
  const answers = callers.length === 0 ? given : [...given, ...callers];
  const chain = chains && continuedBy(callers.length === 0 ? continues : [...continues, ...callers], chains);
  return { session, read, epoch: entered.epoch, content, answers, chains, chain, interrupted };
}

const NONE: readonly Answer[] = Object.freeze([]);

/**
 * Checks the answers of a message, see {@link checkedAnswers}.
 *
 * @returns the start with the arguments of an approval that changed them, coerced
 */
export async function checkedRunStart(
  setting: RunSetting,
  use: SessionUse,
  request: CheckedRunInput,
  start: RunStart,
): Promise<RunStart> {
  const invocation = invocationOf(setting, use, request, start, start.content);
  try {
    const read = await checkedAnswers(invocation, start.read, request);
    return read === start.read ? start : runStartOf(setting.root, request, { ...start, read });
  } finally {
    invocation.end();
  }
}

/**
 * Claims the session of an interrupted run under a new epoch, then reads it again: that run may have appended to it until now.
 *
 * @throws {NothingToResumeError} if the input continues a run, and the last one was not interrupted
 */
export async function claimSession(
  { services }: RunSetting,
  { invocationId: id }: SessionUse,
  request: CheckedRunInput,
  entered: ReadySession,
): Promise<ReadySession> {
  const last = lastRunOf(entered.session);
  if (request.kind === 'resume') assertResumable(entered.session, last, request);
  const { recovers, message, answerer } = request;
  const opening: RunOpening = {
    id,
    continues: last?.status !== 'open' || last.id === id ? undefined : last.id,
    after: recovers?.epoch ?? entered.session.lastRun?.epoch ?? 0,
    at: services.clock.now(),
    isRecovery: recovers !== undefined,
    isHeld: true,
  };
  const epoch = await openRun(services, entered.session, opening);
  const session = (await services.sessions.getSession(request.key)) ?? entered.session;
  const inputs = await inputChecks(session, message);
  return { session, read: readAnswers(session, message, answerer, inputs), epoch };
}

/** Only the last run of a session can be continued, and only if it was interrupted. */
function assertResumable(
  { id }: Session,
  last: RunRecord | undefined,
  { invocationId }: CheckedRunInput,
): void {
  if (last?.status !== 'open') throw NothingToResumeError.inSession(id);
  if (invocationId !== undefined && invocationId !== last.id)
    throw NothingToResumeError.ofRun(invocationId, last.id);
}

/** Returns the epoch; undefined if the store does not record runs. */
async function openRun(
  { sessions, logger }: InvocationServices,
  session: Session,
  opening: RunOpening,
): Promise<number | undefined> {
  try {
    return (await sessions.openRun(keyOf(session), opening)).epoch;
  } catch (error) {
    if (!isCoded(error, 'NOT_SUPPORTED')) throw error;
    logger.warn('the session service does not record runs: two processes may write to one session', {
      error,
    });
    return undefined;
  }
}

/** How a run that has not taken its session takes it with its first event. */
function openingOf(
  { services }: RunSetting,
  id: string,
  { session, answers, read, epoch }: RunStart,
): RunOpening | undefined {
  if (epoch !== undefined) return undefined;
  const answered = answers[0] ?? read.answers[0];
  const answeredRun = answered && runIdOf(answered.open.event);
  return {
    id,
    continues: answeredRun === id ? undefined : answeredRun,
    after: session.lastRun?.epoch ?? 0,
    at: services.clock.now(),
    isHeld: true,
  };
}

/** Creates the invocation of a run. */
export function invocationOf(
  setting: RunSetting,
  { invocationId, cancellation }: SessionUse,
  { config, live, kind, answerer }: CheckedRunInput,
  start: RunStart,
  userContent: Content | undefined,
): Invocation {
  const { root, services, hooks, compactor } = setting;
  const { session, answers, chain, epoch, read } = start;
  const continued = kind === 'resume' ? lastRunOf(session)?.id : read.answers[0]?.open.event.invocationId;
  const isContinued = kind === 'resume' || read.answers.length > 0;
  return new Invocation({
    requester: isContinued ? requesterOfRun(session, continued) : answerer.answering.principal,
    invocationId,
    root,
    spent: chain && spentBefore(chain.events, root, config),
    session,
    services,
    config,
    userContent,
    answers,
    opening: openingOf(setting, invocationId, start),
    epoch,
    cancellation,
    replaceEvent: hooks.onEvent,
    compactor,
    live,
  });
}

/** True for an error of Adorn with this code. */
export function isCoded(error: unknown, code: string): boolean {
  return AdornError.is(error) && error.code === code;
}

/** The replacement by the callbacks of a run; undefined if the run was cancelled meanwhile. */
export async function unlessRunCancelled(
  answering: Promise<Replacement>,
  { cancellation }: SessionUse,
): Promise<Replacement | undefined> {
  try {
    return await answering;
  } catch (error) {
    if (cancellation.isCancelled) return undefined;
    throw error;
  }
}

/** The chain that an invocation continues: the runs whose calls were answered, else the last run. */
function continuedBy(answers: readonly Answer[], chains: InvocationChains): InvocationChain | undefined {
  return answers.length === 0 ? chains.latest : chains.of(answers.map(({ open }) => open.event.invocationId));
}

/**
 * Stores who opened a live session, whose speech may never be transcribed, unless the log before it says the same. An event
 * without content, which is shown to nobody.
 */
export async function storeRequester(context: InvocationContext): Promise<void> {
  const { invocation, requester, session } = context;
  if (isSameJson(requesterOfRun(session, undefined), requester)) return;
  const opened = context.event({ author: 'user' });
  const customMetadata = withRequester(opened.customMetadata, requester);
  await invocation.log.appendUnchanged(opened.with({ customMetadata }));
}

/** What is stored with a message. */
interface MessageMarks {
  /** What models read in the place of its responses. */
  readonly told?: ResponsesForModel | undefined;
  /** The id of the mail that it was. */
  readonly sent?: string | undefined;
}

/** Stores the message before any agent gets it. Its credentials are stored separately. */
export async function storeUserMessage(
  context: InvocationContext,
  actions: Partial<EventActions> | undefined,
  { consumes, credentials }: ReadAnswers,
  content: ReadAnswers['content'],
  { again: [repeated] }: InterruptedCalls,
  { told, sent }: MessageMarks = {},
): Promise<void> {
  const marks = present({
    [CONTINUES]: repeated?.open.event.invocationId,
    [RESPONSES_FOR_MODEL]: told,
    [SENT_AS]: sent,
  });
  const customMetadata = Object.keys(marks).length > 0 ? marks : undefined;
  const event = context.event({ author: 'user', actions, customMetadata }, content);
  const all = sent === undefined ? consumes : [...consumes, consumedAs({ id: sent })];
  await context.invocation.log.appendUnchanged(event, { consumes: all });
  await storeCredentials(context, credentials);
}

/**
 * Stores the credentials after the answer is in the log, which ensures that it is used only once. The call gets the
 * credential from its answer, so if the store fails, it is only requested again later.
 */
async function storeCredentials(
  { services, appName, userId }: InvocationContext,
  credentials: ReadAnswers['credentials'],
): Promise<void> {
  for (const { key, credential } of credentials) {
    try {
      await services.credentials.save({ appName, userId }, key, credential);
    } catch (error) {
      const { name, message } = describeThrown(error);
      const said = withoutSecrets(`${name}: ${message}`, credential);
      services.logger.error('a credential could not be stored', { key, error: said });
    }
  }
}
