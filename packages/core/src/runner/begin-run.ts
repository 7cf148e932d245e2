import { withoutSecrets } from '../auth/auth-credential.js';
import { functionResponsesOf } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';
import { RequestNotPendingError } from '../events/errors.js';
import type { EventActions } from '../events/event-actions.js';
import type { Session, SessionKey } from '../events/session.js';
import { spentBefore } from '../invocation/budget.js';
import type { Cancellation } from '../invocation/cancellation.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { Invocation } from '../invocation/invocation.js';
import type { CompleteRunConfig } from '../invocation/run-config.js';
import { type InvocationChain, InvocationChains } from '../log/invocation-chains.js';
import type { Answer } from '../log/pending-call-index.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { SessionNotFoundError } from '../sessions/errors.js';
import type { SessionService } from '../sessions/session.service.js';
import { callersOf } from './entry-agents.js';
import { type InterruptedCalls, interruptedCalls, interruptedMessage } from './interrupted-run.js';
import { inputChecks, type ReadAnswers, readAnswers } from './read-answers.js';
import type { RunSetting } from './run-execution.js';
import type { HookAnswer } from './run-hooks.js';
import type { RunRequest } from './run-input.js';
import type { SessionUse } from './run-queue.js';
import type { SessionFence } from './session-fence.js';

/**
 * Begins the conversation of that address. Two first messages may come at once: who is late takes the session that the
 * other made.
 *
 * @param answered the request that the message answers: nothing can be open in a conversation that is not there
 * @throws {RequestNotPendingError} where it would have to be begun with an answer
 */
export async function beginSession(
  sessions: SessionService,
  key: SessionKey,
  answered?: string,
): Promise<Session> {
  if (answered !== undefined) throw new RequestNotPendingError(answered);
  try {
    return await sessions.createSession(key);
  } catch (error) {
    const made = isSessionExists(error) ? await sessions.getSession(key) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

function isSessionExists(error: unknown): boolean {
  return AdornError.is(error) && error.code === 'SESSION_EXISTS';
}

/** Begins the conversation that a request names, unless it continues one. */
export function newSession(sessions: SessionService, { kind, message, key }: RunRequest): Promise<Session> {
  if (kind === 'resume') throw new SessionNotFoundError(key.sessionId);
  return beginSession(sessions, key, functionResponsesOf(message)[0]?.id);
}

/** A session that no other run is active in, and what the message answers in it. */
export interface EnteredSession {
  readonly session: Session;
  readonly read: ReadAnswers;
}

/** Undefined if the run was cancelled while another process had the session. Without a promise if there is nothing to wait for. */
export function enterSession(
  fence: SessionFence,
  request: RunRequest,
  session: Session,
  cancellation: Cancellation,
): Awaitable<EnteredSession | undefined> {
  const { message, answerer } = request;
  const isAnswer = functionResponsesOf(message).length > 0;
  return isAnswer || fence.unfinished(session) !== undefined
    ? enterFenced(fence, request, session, cancellation)
    : { session, read: readAnswers(session, message, answerer) };
}

async function enterFenced(
  fence: SessionFence,
  { message, answerer, config }: RunRequest,
  session: Session,
  cancellation: Cancellation,
): Promise<EnteredSession | undefined> {
  const inputs = await inputChecks(session, message);
  const read = readAnswers(session, message, answerer, inputs);
  if (fence.unfinished(session) === undefined) return { session, read };
  const entered = await fence.enter(session, config, cancellation);
  return entered && { session: entered, read: readAnswers(entered, message, answerer, inputs) };
}

/** A run that an invocation is made for. */
export interface BeginningRun {
  readonly setting: RunSetting;
  readonly run: SessionUse;
  /** Set as soon as it is made, so that a run that is cancelled then is ended with it. */
  invocation: Invocation | undefined;
}

/** What a run begins with. */
export interface Begun {
  readonly invocation: Invocation;
  /** The chains of the session, if the invocation continues others. */
  readonly chains: InvocationChains | undefined;
  readonly read: ReadAnswers;
  /** Written with the message. */
  readonly actions: Partial<EventActions> | undefined;
  readonly interrupted: InterruptedCalls;
}

/** Makes the invocation, and has plugins hear the message. Undefined if the run was cancelled meanwhile. */
export function beginRun(
  beginning: BeginningRun,
  request: RunRequest,
  { session, read }: EnteredSession,
): Awaitable<Begun | undefined> {
  const { root, hooks } = beginning.setting;
  const { kind, stateDelta, config, invocationId } = request;
  const interrupted = interruptedCalls(root, session, read);
  const given = interrupted.again.length === 0 ? read.answers : [...read.answers, ...interrupted.again];
  const content =
    kind === 'resume' ? interruptedMessage(root, session, invocationId, interrupted) : read.content;
  const isContinuing = kind === 'resume' || given.length > 0;
  const chains = isContinuing ? new InvocationChains(session) : undefined;
  const callers = isContinuing ? callersOf(session, given, kind === 'resume' ? chains : undefined) : given;
  const answers = callers.length === 0 ? given : [...given, ...callers];
  const parts = { config, session, answers, chains };
  const invocation = (beginning.invocation = invocationOf(beginning, parts, content));
  const begun = { invocation, chains, read, actions: stateDelta && { stateDelta }, interrupted };
  if (kind === 'resume' || hooks.onUserMessage === undefined) return begun;
  return hearMessage(beginning, begun, parts, hooks.onUserMessage(read.content, invocation.root));
}

/** A message that a plugin replaced begins another invocation. */
async function hearMessage(
  beginning: BeginningRun,
  begun: Begun,
  parts: InvocationParts,
  hearing: Promise<HookAnswer>,
): Promise<Begun | undefined> {
  const heard = await unlessRunCancelled(hearing, beginning.run);
  if (heard === undefined) return undefined;
  const { content } = heard;
  const actions = mergedActions(begun.actions, heard.actions);
  if (content === undefined) return { ...begun, actions };
  begun.invocation.end();
  const invocation = (beginning.invocation = invocationOf(beginning, parts, content));
  return { ...begun, invocation, read: { ...begun.read, content }, actions };
}

/** What the callbacks of a run answer; undefined if the run was cancelled meanwhile. */
export async function unlessRunCancelled(
  answering: Promise<HookAnswer>,
  { cancellation }: SessionUse,
): Promise<HookAnswer | undefined> {
  try {
    return await answering;
  } catch (error) {
    if (cancellation.isCancelled) return undefined;
    throw error;
  }
}

/** What an invocation is made of, whatever its message is. */
interface InvocationParts {
  readonly config: CompleteRunConfig;
  readonly session: Session;
  readonly answers: readonly Answer[];
  readonly chains: InvocationChains | undefined;
}

function invocationOf(
  { setting, run }: BeginningRun,
  { config, session, answers, chains }: InvocationParts,
  userContent: Content | undefined,
): Invocation {
  const { invocationId, cancellation } = run;
  const { root, services, hooks, compactor } = setting;
  return new Invocation({
    invocationId,
    root,
    spent: chains && spentBefore(continuedBy(answers, chains)?.events ?? [], root, config),
    session,
    services,
    config,
    ...(userContent !== undefined && { userContent }),
    answers,
    cancellation,
    replaceEvent: hooks.onEvent,
    compactor,
  });
}

/** What an invocation continues: the runs whose calls were answered, else the last one. */
function continuedBy(answers: readonly Answer[], chains: InvocationChains): InvocationChain | undefined {
  return answers.length === 0 ? chains.latest : chains.of(answers.map(({ open }) => open.event.invocationId));
}

/** What callbacks wrote is laid over what the caller wrote. */
function mergedActions(
  called: Partial<EventActions> | undefined,
  written: Partial<EventActions> | undefined,
): Partial<EventActions> | undefined {
  if (called === undefined || written === undefined) return written ?? called;
  return { ...called, ...written, stateDelta: { ...called.stateDelta, ...written.stateDelta } };
}

/** The user's words enter the log before anybody hears them; the credentials among them are kept elsewhere. */
export function takeMessage(
  context: InvocationContext,
  actions: Partial<EventActions> | undefined,
  { content, consumes, credentials }: ReadAnswers,
): Awaitable<unknown> {
  const event = context.event({ author: 'user', actions }, content);
  const options = consumes.length === 0 ? undefined : { consumes };
  const stored = context.invocation.storeUnchanged(event, options);
  if (credentials.length === 0) return stored;
  return Promise.resolve(stored).then(() => keepCredentials(context, credentials));
}

/**
 * Kept once the answer is in the log, which is what makes it count only once. The call has the credential by its
 * answer, so a store that fails costs no more than that it will be asked for again.
 */
async function keepCredentials(
  { services, appName, userId }: InvocationContext,
  credentials: ReadAnswers['credentials'],
): Promise<void> {
  for (const { key, credential } of credentials) {
    try {
      await services.credentials.save({ appName, userId }, key, credential);
    } catch (error) {
      const { name, message } = describeThrown(error);
      const said = withoutSecrets(`${name}: ${message}`, credential);
      services.logger.error('a credential could not be kept', { key, error: said });
    }
  }
}
