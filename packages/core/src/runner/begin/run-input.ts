import { InMemoryCredentialService } from '../../auth/credential.service.js';
import { InMemoryMemoryService } from '../../stores/memory/in-memory-memory.service.js';
import { InMemorySessionService } from '../../stores/sessions/in-memory-session.service.js';
import { answeringOf } from '../../approvals/answer-authority.js';
import type { PrincipalInput } from '../../approvals/principal.js';
import type { Content } from '../../events/genai-types.js';
import { type Message, toUserContent } from '../../events/content-parts.js';
import type { RunRecord } from '../../events/run-record.js';
import type { SessionKey } from '../../events/session.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import {
  type CompleteRunConfig,
  overlayRunConfig,
  requireOptions,
  type RunConfig,
  RunConfigInvalidError,
} from '../../run/run-config.js';
import { assertName, assertSessionKey, checkName, checkSessionKey, optionNames } from '@adorn/schema';
import { newInvocationId, newSessionId } from '../../runtime/ids.js';
import { callerDelta, type StateDelta } from '../../events/state.js';
import type { FeedbackInput } from '../feedback.js';
import type { RequestedUndo, UndoInput } from '../undo/undo-input.js';
import type { CallInput, RequestedCall } from './call-input.js';
import type { ToolsInput } from '../list-tools.js';
import type { RunResult } from '../run.js';
import type { LiveRunInput } from '../live/live-run-input.js';
import type { OpenSession } from '../live/live-sessions.js';
import type { ReadTime } from '../mailbox/letter.js';
import type { GivenAnswer, SignedAnswers } from '../answers/read-answers.js';

/** The address of a conversation. The result of a run of it is one, too. */
export interface ConversationAddress {
  /** The application's name. Another name than the runner's is refused. Default: the runner's. */
  readonly appName?: string;
  /** The user's id, which owns state, memory and credentials. A server passes the sender's id. Default: `user`. */
  readonly userId?: string;
  /** The conversation's id. It is created if it does not exist. Default: a new conversation. */
  readonly sessionId?: string;
}

/** Who sends a message or answers requests, as stated by the caller. Claims in the message are ignored. */
export interface Answerer {
  /**
   * Who sends the message or decides: a principal with its roles, or the id of the person who clicked. What `approvers` of a tool
   * says is held against it, and it is stored. Default: the user of the session.
   */
  readonly by?: PrincipalInput | undefined;
  /** The channel of the answer, such as `web` or `slack`. */
  readonly channel?: string | undefined;
  /**
   * `session`: an approval also covers later calls of the tool in the session that the same requester began, whatever their
   * arguments, as long as the tool's definition stays the same. Default: only the one call.
   */
  readonly remember?: 'session' | undefined;
}

/** One message to an agent tree. */
export interface RunInput extends ConversationAddress, Answerer {
  /** The text, or the content, of the user's message. */
  readonly message: Message;
  /** Written to the state together with the message: session keys and `temp:` keys, not `app:` and `user:`. */
  readonly stateDelta?: StateDelta;
  /** The id of the run, for `runner.cancel`. Default: a new one. */
  readonly invocationId?: string | undefined;
  /** Overrides settings of the runner. */
  readonly config?: RunConfig | undefined;
  /** Cancels the run when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The run to continue. */
export interface ResumeInput
  extends ConversationAddress, Pick<RunInput, 'invocationId' | 'config' | 'signal'> {
  readonly sessionId: string;
  /** The interrupted run, to be continued under its own id. Default: the last run of the session, under a new id. */
  readonly invocationId?: string | undefined;
}

/** The invocation to rewind, and its conversation. */
export interface RewindInput extends ConversationAddress {
  readonly sessionId: string;
  /** The first invocation to rewind. */
  readonly invocationId: string;
}

/** The conversation to copy, and where to. */
export interface ForkInput extends ConversationAddress {
  readonly sessionId: string;
  /**
   * The id of the last event to copy, or of an invocation, whose last event is the last one to copy. Default: the whole
   * conversation.
   */
  readonly at?: string | undefined;
  /** The address of the copy. Default: the same user, and a new session id. */
  readonly to?: ConversationAddress | undefined;
}

const ADDRESS = { appName: true, userId: true, sessionId: true } as const;
const RUN = { ...ADDRESS, config: true, signal: true } as const;
const MESSAGE = { ...ADDRESS, message: true, stateDelta: true, config: true, signal: true } as const;

/** The names of the options of each method of a runner. */
const OPTIONS = {
  run: optionNames<RunInput>({ ...MESSAGE, invocationId: true, by: true, channel: true, remember: true }),
  ask: optionNames<ConversationAddress & Pick<RunInput, 'config' | 'signal' | 'by'>>({ ...RUN, by: true }),
  explain: optionNames<ConversationAddress & Pick<RunInput, 'message' | 'stateDelta' | 'config' | 'signal'>>(
    MESSAGE,
  ),
  call: optionNames<CallInput>({
    ...RUN,
    tool: true,
    args: true,
    agent: true,
    callId: true,
    fromUi: true,
    stateDelta: true,
    invocationId: true,
    by: true,
    channel: true,
  }),
  tools: optionNames<ToolsInput>({ ...ADDRESS, agent: true, signal: true, forPages: true }),
  send: optionNames<ConversationAddress>(ADDRESS),
  pending: optionNames<ConversationAddress & { for: PrincipalInput }>({ ...ADDRESS, for: true }),
  findOpenRun: optionNames<ConversationAddress>(ADDRESS),
  compact: optionNames<ConversationAddress>(ADDRESS),
  cancelRun: optionNames<ConversationAddress & { invocationId: string }>({ ...ADDRESS, invocationId: true }),
  resume: optionNames<ResumeInput>({ ...RUN, invocationId: true }),
  live: optionNames<LiveRunInput>({
    ...RUN,
    by: true,
    channel: true,
    invocationId: true,
    model: true,
    voice: true,
    language: true,
    modality: true,
    transcribe: true,
    activity: true,
    connectTimeout: true,
    reconnectLimit: true,
    resume: true,
    saveAudio: true,
    holdSpeech: true,
    onTripwire: true,
  }),
  undo: optionNames<UndoInput>({
    ...RUN,
    invocationId: true,
    calls: true,
    id: true,
    by: true,
    channel: true,
  }),
  feedback: optionNames<FeedbackInput>({
    ...ADDRESS,
    eventId: true,
    invocationId: true,
    score: true,
    label: true,
    comment: true,
    by: true,
  }),
  rewind: optionNames<RewindInput>({ ...ADDRESS, invocationId: true }),
  fork: optionNames<ForkInput>({ ...ADDRESS, at: true, to: true }),
  'fork.to': optionNames<ConversationAddress>(ADDRESS),
};

/** Methods that only need to know which conversation, or which run of it. */
const ADDRESSED: ReadonlySet<keyof typeof OPTIONS> = new Set([
  ...(['ask', 'tools', 'send', 'pending', 'findOpenRun', 'compact'] as const),
  ...(['cancelRun', 'resume', 'undo', 'rewind', 'fork', 'fork.to'] as const),
]);

/** What the result of a run says beside its address. */
const OF_RESULT = optionNames<Omit<RunResult<unknown>, keyof ConversationAddress>>({
  invocationId: true,
  status: true,
  text: true,
  output: true,
  pending: true,
  error: true,
  undo: true,
  events: true,
});

/** A message, or the answer that a method of the runner was called with. */
export interface MessageInput {
  readonly kind: 'message';
  readonly input: RunInput;
  readonly given?: GivenAnswer;
  /** The call that follows the message, in place of a response of a model. */
  readonly call?: RequestedCall;
  /** The mail that the message comes from. */
  readonly mail?: TakenMail;
  /** The undo that follows the message. */
  readonly undo?: RequestedUndo;
}

/** The mail that a run begins with. */
export interface TakenMail {
  readonly id: string;
  readonly when: ReadTime;
}

/** What a run starts from: a message, the interrupted run that it continues, or a live session. */
export type RunStartInput =
  | MessageInput
  | { readonly kind: 'resume'; readonly input: ResumeInput; readonly recovers?: RunRecord }
  | { readonly kind: 'live'; readonly input: LiveRunInput; readonly live: OpenSession };

/** The id of the run of an input. It is checked when the run begins. */
export function invocationIdOf(input: Pick<RunInput, 'invocationId'> | null): string {
  const { invocationId = newInvocationId() } = input ?? {};
  return invocationId;
}

/** The checked input of a run. */
export interface CheckedRunInput extends Pick<RunInput, 'invocationId' | 'signal'> {
  readonly kind: RunStartInput['kind'];
  /** The run to recover, as it was found. If it is taken meanwhile, it is left to the other process. */
  readonly recovers: RunRecord | undefined;
  readonly call: RequestedCall | undefined;
  /** The mail of which the message is taken. */
  readonly mail: TakenMail | undefined;
  readonly undo: RequestedUndo | undefined;
  /** The live session of the run. */
  readonly live: OpenSession | undefined;
  /** Without parts if the run continues another. */
  readonly message: Content;
  readonly answerer: SignedAnswers;
  readonly stateDelta: StateDelta | undefined;
  readonly config: CompleteRunConfig;
  readonly key: SessionKey;
}

const NO_MESSAGE: Content = Object.freeze({ parts: [] });

/** The settings of a runner that an input is checked against. */
interface RunInputSetting {
  readonly appName: string;
  readonly services: Pick<InvocationServices, 'clock'>;
  readonly config: CompleteRunConfig;
  readonly defaultUser: DefaultUserWarning;
}

/** Checks an input as far as possible before the run waits for its session. */
export function checkedRunInput(
  setting: RunInputSetting,
  runId: string,
  started: RunStartInput,
): CheckedRunInput {
  const { kind, input } = started;
  const { appName, services, defaultUser } = setting;
  requireInput(kind === 'message' ? 'run' : kind, input, appName);
  const isMessage = kind === 'message';
  const message = isMessage ? toUserContent(input.message) : NO_MESSAGE;
  const stateDelta = isMessage && input.stateDelta !== undefined ? callerDelta(input.stateDelta) : undefined;
  const config = overlayRunConfig(setting.config, input.config);
  const { userId = DEFAULT_USER, sessionId = newSessionId(), invocationId, signal } = input;
  const key = { appName, userId, sessionId };
  checkSessionKey(key);
  if (input.userId === undefined) defaultUser.note(input.sessionId);
  checkName('id of an invocation', runId);
  const { by, channel, remember }: Answerer = kind === 'resume' ? {} : input;
  const given = started.kind === 'message' ? started.given : undefined;
  const answering = answeringOf(by, userId);
  const answerer = { answering, channel, remember, at: services.clock.now(), given };
  const { call, mail, undo }: Partial<MessageInput> = started.kind === 'message' ? started : {};
  const recovers = started.kind === 'resume' ? started.recovers : undefined;
  const live = started.kind === 'live' ? started.live : undefined;
  return {
    kind,
    recovers,
    call,
    mail,
    undo,
    live,
    message,
    answerer,
    stateDelta,
    config,
    key,
    invocationId,
    signal,
  };
}

/**
 * Checks the names of a method's options, and that `appName` is the runner's. The result of a run may be passed as its address.
 *
 * @throws {RunConfigInvalidError}
 */
export function requireInput(
  method: keyof typeof OPTIONS,
  input: ConversationAddress,
  appName: string,
): void {
  if (!ADDRESSED.has(method) || !isResult(input)) requireOptions(`runner.${method}`, input, OPTIONS[method]);
  else requireOptions(`runner.${method}`, input, new Set([...OPTIONS[method], ...OF_RESULT]));
  if (input.appName !== undefined && input.appName !== appName) {
    throw RunConfigInvalidError.ofApp(method, input.appName, appName);
  }
}

function isResult(input: object | null): input is RunResult<unknown> {
  return typeof input === 'object' && input !== null && 'status' in input && 'events' in input;
}

/**
 * The checked keys of a conversation and its copy.
 *
 * @throws {RunConfigInvalidError | NameInvalidError | NameTooLongError}
 */
export function forkKeys(
  { userId = DEFAULT_USER, sessionId, at, to = {} }: ForkInput,
  appName: string,
): Readonly<Record<'source' | 'target', SessionKey>> {
  requireInput('fork.to', to, appName);
  const source = { appName, userId, sessionId };
  const target = { appName, userId: to.userId ?? userId, sessionId: to.sessionId ?? newSessionId() };
  assertSessionKey(source);
  assertSessionKey(target);
  if (at !== undefined) assertName('id of an event', at);
  return { source, target };
}

/** The default user id. */
export const DEFAULT_USER = 'user';

/**
 * Warns once if several named sessions belong to the default user, or one that is stored beyond the process: if a server
 * does not pass a `userId`, all its users share `user:` state, memory and credentials.
 */
export class DefaultUserWarning {
  private firstSession: string | undefined;
  private isGiven = false;
  private readonly isStored: boolean;

  constructor(
    private readonly services: Pick<InvocationServices, 'logger' | 'sessions' | 'memory' | 'credentials'>,
  ) {
    const { sessions, memory, credentials } = services;
    const isVolatile =
      sessions instanceof InMemorySessionService &&
      memory instanceof InMemoryMemoryService &&
      credentials instanceof InMemoryCredentialService;
    this.isStored = !isVolatile;
  }

  /** @param sessionId of a run without a `userId`; undefined if the caller passed none either */
  note(sessionId: string | undefined): void {
    if (this.isGiven) return;
    if (this.isStored) {
      this.warn('a run without a userId is stored');
      return;
    }
    if (sessionId === undefined) return;
    this.firstSession ??= sessionId;
    if (this.firstSession !== sessionId) this.warn('several sessions have no userId');
  }

  private warn(what: string): void {
    this.isGiven = true;
    this.services.logger.warn(
      `${what}: the default user "${DEFAULT_USER}" shares its state, memory and credentials among all its sessions. ` +
        'Pass userId to run, ask and pending',
    );
  }
}
