/* eslint-disable max-lines -- the public class; half of the lines say what its methods do */
import type { PrincipalInput } from '../approvals/principal.js';
import type { Plugin } from '../gates/callbacks/plugin.js';
import type { SessionCompactor } from '../compaction/compaction.js';
import type { Message } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import type { Feedback } from '../events/feedback.js';
import type { RunRecord } from '../events/run-record.js';
import type { SessionKey } from '../events/session.js';
import type { Settlement } from '../events/settlement.js';
import { PendingIndex } from '../log/pending-index.js';
import { mayAnswer, type PendingRequest, pendingRequest } from '../events/pending-request.js';
import type { AgentNode } from '../run/agent-node.js';
import { Cancellation } from '../run/cancellation.js';
import type { InvocationServices, ServiceToken } from '../run/invocation-services.js';
import { DEFAULT_RUN_CONFIG, overlayRunConfig, type RunConfig } from '../run/run-config.js';
import { assertName, assertScope, assertSessionKey, BOOLEAN, checkOptions } from '@adorn/schema';
import { newInvocationId } from '../runtime/ids.js';
import type { Tool } from '../tools/tool.js';
import {
  type AnswerOptions,
  type ApproveOptions,
  decisionInput,
  delegateInput,
  type DelegateOptions,
  type ResultOptions,
  supplyInput,
} from './answers/answer-input.js';
import {
  type ConversationAddress,
  DEFAULT_USER,
  DefaultUserWarning,
  type RunStartInput,
  type ForkInput,
  forkKeys,
  invocationIdOf,
  requireInput,
  type ResumeInput,
  type RewindInput,
  type RunInput,
} from './begin/run-input.js';
import { callInput, type CallInput } from './begin/call-input.js';
import {
  InvocationActiveError,
  LiveSessionsMissingError,
  NothingToExplainError,
  RunnerClosedError,
} from './errors.js';
import { type InboxFilter, type InboxPage, type InboxQuery, readInbox } from './inbox/inbox.js';
import { type InboxChange, watchInbox } from './inbox/watch-inbox.js';
import { copyOf, explainingFields, type ExplainInput, type Explanation, type Finding } from './explain.js';
import {
  answeredOnce,
  type CacheExplanation,
  compareRequests,
  isSummarisedSince,
  lastTurn,
  messageOf,
  recordBefore,
} from './explain-cache.js';
import { isolatedFields, type IsolatedOptions } from './begin/isolated-runner.js';
import { type ToolsInput, toolsOfAgent } from './list-tools.js';
import { cancelRun, findOpenRun, type OpenRunPlace } from './begin/open-run.js';
import {
  completeRecoverOptions,
  type RecoveredRun,
  type RecoverOptions,
  recoverMail,
  recoverRuns,
} from './recover/recover.js';
import { SessionNotFoundError } from '../stores/sessions/errors.js';
import type { SessionService } from '../stores/sessions/session.service.js';
import { settleEffect, type SettleOptions } from './effects/settle-effect.js';
import { shownEffect, type UnknownEffect, unknownEffects } from './effects/unknown-effects.js';
import { type FeedbackInput, giveFeedback } from './feedback.js';
import { type ForgetOptions, type ForgetReceipt, forgetUser } from './forget.js';
import { forkSession } from './recover/fork.js';
import { rewind } from './recover/rewind.js';
import { type RetentionOptions, RetentionSchedule } from './retention-schedule.js';
import { applyRetention, type RetentionPolicy, type RetentionReport } from './retention.js';
import { ActiveRun } from './begin/active-run.js';
import { runLive } from './live/connect-live.js';
import type { LiveRunInput } from './live/live-run-input.js';
import type { LiveSession } from './live/live-session.js';
import type { LiveSessions } from './live/live-sessions.js';
import { OpenLives } from './live/open-lives.js';
import { Mailroom } from './mailbox/mailroom.js';
import { sendMessage, type SendOptions, type SentMessage } from './mailbox/send.js';
import type { Run } from './run.js';
import { runExecutor } from './execute-run.js';
import type { RunSetting } from './begin/run-setting.js';
import { chainRunCallbacks } from './run-hooks.js';
import { undoInput, type UndoInput } from './undo/undo-input.js';
import type { UndoReport } from './undo/undo-report.js';
import { UNDO_LATER } from './undo/undo-run.js';
import { RunHolds } from './begin/run-holds.js';
import { RunQueue } from './begin/run-queue.js';
import { SessionFence } from './begin/session-fence.js';

/** The parts of a runner. */
export interface RunnerFields {
  readonly appName: string;
  readonly root: AgentNode;
  readonly services: InvocationServices;
  readonly config?: RunConfig | undefined;
  readonly compactor?: SessionCompactor | undefined;
  /** Opens live sessions. Absent without the module for them. */
  readonly live?: LiveSessions | undefined;
  readonly retention?: RetentionOptions | undefined;
  /** In the order of registration. */
  readonly plugins?: readonly Plugin[];
  /** Disposes of everything that was built for the runner. */
  readonly dispose: () => Promise<void>;
}

/** How long `close` waits for cancelled runs, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;

/** Runs conversations with an agent tree: takes messages, and yields events after they are stored. */
export class Runner<Output = string> {
  /** The name of the application, under which its sessions are stored. */
  readonly appName: string;
  /** The root agent, which gets the first message. */
  readonly root: AgentNode;
  private readonly services: InvocationServices;
  private readonly runs: RunQueue;
  private readonly setting: RunSetting;
  private readonly retention: RetentionSchedule | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly fields: RunnerFields) {
    this.appName = fields.appName;
    this.root = fields.root;
    this.services = fields.services;
    this.runs = new RunQueue(this.services.clock);
    this.setting = {
      appName: this.appName,
      root: this.root,
      services: this.services,
      config: overlayRunConfig(DEFAULT_RUN_CONFIG, fields.config),
      runs: this.runs,
      fence: new SessionFence(this.services),
      holds: new RunHolds(this.services),
      compactor: fields.compactor,
      mail: new Mailroom({
        appName: this.appName,
        services: this.services,
        begin: (input, invocationId) => this.begin<unknown>({ invocationId }, () => input),
        isClosing: () => this.closing !== undefined,
      }),
      lives: new OpenLives(),
      hooks: chainRunCallbacks(fields.plugins ?? [], this.root),
      defaultUser: new DefaultUserWarning(this.services),
      isClosing: () => this.closing !== undefined,
    };
    this.retention = fields.retention && new RetentionSchedule(this.setting, fields.retention);
  }

  /**
   * Sends a message and resolves to the answer: its text, or the parsed and checked object if the agent has an
   * `outputSchema`.
   *
   * @throws {RunPausedError} if somebody has to be asked first
   * @throws {RunFailedError} if the run ended without an answer
   * @throws {OutputInvalidError} if the answer does not fit the `outputSchema`
   */
  async ask(
    message: Message,
    address: ConversationAddress & Pick<RunInput, 'config' | 'signal' | 'by'> = {},
  ): Promise<Output> {
    requireInput('ask', address, this.appName);
    const { appName, userId, sessionId, config, signal, by } = address;
    return this.run({ appName, userId, sessionId, config, signal, by, message }).output;
  }

  /**
   * Sends a message and yields the events of the run, each after it is stored; pieces of streamed answers are yielded but
   * not stored. A session has one active run at a time: a second one waits for the first, or is refused
   * (`RunConfig.whileActive`). A run waits for its reader only while no other run waits for the session. A reader that
   * stops cancels the run. A run that is cancelled while it waits yields `CANCELLED`, and nothing of it is stored.
   *
   * @throws {InvocationCancelledError} if the run was cancelled and its store has not answered for two seconds
   * @throws {MessageInvalidError | StateDeltaRefusedError | RunConfigInvalidError | InvocationActiveError |
   * RequestNotPendingError | AnswerInvalidError} before anything is stored
   * @throws {SessionTakenOverError} if another process has begun a run in the session since
   */
  run(input: RunInput): Run<Output> {
    return this.begin(input, () => ({ kind: 'message', input }));
  }

  /**
   * Sends a message to a conversation whose run may be open, in whatever process. It is stored first, and read before the next
   * model call of that run (`now`, the default), after it (`next`), or in its place (`instead`), in the order in which
   * messages were sent. Never between the calls of an answer and their responses. With no run open it begins one. Requests
   * that wait for an answer stay open. In a live session it goes to the model at once.
   *
   * ```ts
   * await runner.send({ userId, sessionId }, 'Only those of this year, please.');
   * ```
   *
   * @throws {MessageInvalidError | RunConfigInvalidError | PrincipalInvalidError | MailboxFullError} before anything is stored
   * @throws {NotSupportedError} if the session service has no mailbox
   */
  async send(
    address: ConversationAddress & { readonly sessionId: string },
    message: Message,
    options: SendOptions = {},
  ): Promise<SentMessage<Output>> {
    if (this.closing) throw new RunnerClosedError();
    return (await sendMessage(this.setting, address, message, options)) as SentMessage<Output>;
  }

  /**
   * Calls a tool without a model: for a form, a client of a protocol, a schedule. The call is stored, passes the gates,
   * pauses, and is answered and resumed like a call of a model, and the agent's model is not asked after it. The log says
   * who called. The run's `text` and `output` are the result of the tool; a call that failed or was refused fails the run.
   *
   * ```ts
   * const { output, pending } = await runner.call({ tool: 'refund', args: { order: 7 }, userId, sessionId, by: 'ann' });
   * ```
   *
   * @throws {CallInvalidError} for arguments that are no JSON object, or an agent that does not exist or has no tools
   * @throws {CallAmbiguousError} if `callId` is the id of an open call of the session
   */
  call<Result = unknown>(input: CallInput): Run<Result> {
    requireInput('call', input, this.appName);
    return this.begin<Result>(input, () => callInput(this.root, input));
  }

  /**
   * Begins a live conversation: speech and text in, events out, until it is closed. It is one run, which stays open: a
   * session has one at a time. It begins with the conversation so far, and a text run continues it afterwards.
   *
   * ```ts
   * await using live = runner.live({ userId, sessionId });
   * live.sendText('Hello');
   * for await (const event of live) show(event);
   * ```
   *
   * An option that the model cannot follow ends it with an event `LIVE_NOT_SUPPORTED`, before anything is sent.
   *
   * @throws {LiveSessionsMissingError} if the runner was created without the module `liveSessions`; `adorn` has it
   */
  live(input: LiveRunInput = {}): LiveSession {
    requireInput('live', input, this.appName);
    const { services, setting } = this;
    const { live: sessions } = this.fields;
    if (!sessions) throw new LiveSessionsMissingError();
    const invocationId = invocationIdOf(input);
    return sessions.open({
      ...{ invocationId, input, services },
      run: (live, output) =>
        runLive(
          invocationId,
          output,
          runExecutor(setting, () => ({ kind: 'live', input, live })),
        ),
    });
  }

  /**
   * Continues the last run of a session, which ended without an answer because its process died or its reader stopped.
   * Interrupted calls run again if their tools are `idempotent`, have the effect `read`, or find by `reconcile` that the
   * calls had no effect. For other calls, the response to the model is that the outcome is unknown. If one branch of a
   * workflow waits for an answer, the other branches continue and its request stays open.
   *
   * @throws {SessionNotFoundError}
   * @throws {NothingToResumeError} if the last run has ended, or all of it waits for an answer
   * @throws {InvocationActiveError} if it is active, and `whileActive` is `refuse`
   */
  resume(input: ResumeInput): Run<Output> {
    return this.begin(input, () => ({ kind: 'resume', input }));
  }

  /**
   * Resumes the unfinished runs of this application, whose processes died: the runs of all users, under their own ids,
   * several in parallel. Call it when a process starts, and periodically. If several processes call it, one of them resumes
   * each run. A run that only waits for a person is not resumed. Messages that were sent and not read begin their runs.
   *
   * @returns one entry for each attempted run, after all have ended
   * @throws {RunConfigInvalidError}
   * @throws {NotSupportedError} if the session service cannot list unfinished runs
   */
  async recover(options: RecoverOptions = {}): Promise<RecoveredRun<Output>[]> {
    return this.recoverDead(options, false);
  }

  /**
   * Like `recover`, for a call that is repeated every few seconds, as servers make it: takes only the runs whose holds have
   * lapsed by now, and waits for no others. Runs that failed, or whose reader stopped, are left alone.
   *
   * @throws as `recover`
   */
  async recoverLapsed(options: Omit<RecoverOptions, 'olderThan'> = {}): Promise<RecoveredRun<Output>[]> {
    return this.recoverDead(options, true);
  }

  private async recoverDead(options: RecoverOptions, isSweep: boolean): Promise<RecoveredRun<Output>[]> {
    if (this.closing) throw new RunnerClosedError();
    const recovery = {
      setting: this.setting,
      options: completeRecoverOptions(options),
      isSweep,
      resume: (input: ResumeInput, recovers: RunRecord) =>
        this.begin(input, () => ({ kind: 'resume', input, recovers })),
    };
    return [...(await recoverRuns<Output>(recovery)), ...(await recoverMail<Output>(recovery))];
  }

  /**
   * Returns the request that a message would send to the first model, without calling the model and without writing to the
   * conversation. The callbacks and plugins before the model, and the toolsets, are called as in a run. Their writes are
   * dropped, except for credentials that were obtained or refreshed. No tool runs.
   *
   * @throws {NothingToExplainError} if the message reaches no model
   */
  async explain(input: ExplainInput): Promise<Explanation> {
    const key = this.explainedKey(input);
    return this.explainOn(await copyOf(this.services.sessions, key), input, key);
  }

  /**
   * Compares the request that a message would send with the first request of the turn before it, as `explain` would have
   * shown that: how much both begin with, which providers bill at about a tenth, and where and why they differ. In a new
   * conversation, the same message is compared with one that follows it. Nothing is stored, and no model is called.
   *
   * @throws {AdornError} as `explain`
   */
  async explainCache(input: ExplainInput): Promise<CacheExplanation> {
    const key = this.explainedKey(input);
    const { sessions } = this.services;
    const session = await sessions.getSession(key);
    const turn = session && lastTurn(session);
    if (!session || !turn) {
      const before = await this.explainOn(await copyOf(sessions, key), input, key);
      const copy = await copyOf(sessions, key, () => answeredOnce(input.message, before.agent));
      return compareRequests(before, await this.explainOn(copy, input, key), { isSummarised: false });
    }
    const updates = await sessions.stateUpdates(key);
    const earlier = await copyOf(sessions, key, () => recordBefore(session, turn, updates));
    const before = await this.explainOn(earlier, { ...input, ...messageOf(turn) }, key);
    const after = await this.explainOn(await copyOf(sessions, key), input, key);
    return compareRequests(before, after, { isSummarised: isSummarisedSince(session, turn) });
  }

  private explainedKey(input: ExplainInput): SessionKey {
    if (this.closing) throw new RunnerClosedError();
    requireInput('explain', input, this.appName);
    const { userId = DEFAULT_USER, sessionId = newInvocationId() } = input;
    const key = { appName: this.appName, userId, sessionId };
    assertSessionKey(key);
    return key;
  }

  private async explainOn(
    sessions: SessionService,
    input: ExplainInput,
    key: SessionKey,
  ): Promise<Explanation> {
    const invocationId = newInvocationId();
    let finding: Finding = {};
    const fields = await explainingFields(this.fields, sessions, (found) => {
      finding = found;
      runner.cancel(invocationId);
    });
    const runner: Runner<Output> = new Runner(fields);
    const { events } = await runner.run({ ...input, ...key, invocationId });
    if (finding.explanation) return finding.explanation;
    throw new NothingToExplainError(finding.call, events);
  }

  /**
   * Returns a runner with the same agents, tools, plugins and services, but with sessions, state, artifacts, effects of `once`
   * and new memories of its own, in memory: for an evaluation or a simulation that must not touch those of the application. It
   * begins empty; memories of this runner are found. Close it before this one.
   *
   * @throws {OptionInvalidError}
   */
  isolated(options: IsolatedOptions = {}): Runner<Output> {
    if (this.closing) throw new RunnerClosedError();
    return new Runner(isolatedFields(this.fields, options));
  }

  /**
   * Returns the tools that `runner.call` can call: those of an agent, of its toolsets, and of the toolboxes that the
   * conversation has opened. What a tool does and takes is in its `traits` and its `declaration()`; its `run` would pass no
   * gate. Nothing is stored, except for credentials that were obtained or refreshed. A toolset that fails, or waits for a
   * credential, is left out.
   *
   * @throws {CallInvalidError} for an agent that does not exist or has no tools
   * @throws {InvocationCancelledError} if the signal was aborted
   */
  async tools(input: ToolsInput = {}): Promise<readonly Tool[]> {
    if (this.closing) throw new RunnerClosedError();
    requireInput('tools', input, this.appName);
    return toolsOfAgent(this.setting, input);
  }

  /**
   * The open requests of a conversation, oldest first; with `for`, those that this principal may answer.
   *
   * @throws {PrincipalInvalidError}
   */
  async pending(
    address: ConversationAddress & { sessionId: string; for?: PrincipalInput },
  ): Promise<PendingRequest[]> {
    requireInput('pending', address, this.appName);
    const { userId = DEFAULT_USER, sessionId, for: by } = address;
    const key = { appName: this.appName, userId, sessionId };
    const session = await this.services.sessions.getSession(key);
    if (!session) return [];
    return PendingIndex.of(session)
      .list()
      .map((open) => pendingRequest(open.request, key, open))
      .filter((request) => by === undefined || mayAnswer(request, by, this.services.clock.now()));
  }

  /**
   * The open requests of all users and conversations, the oldest first, in pages; with `for`, those that this principal may answer.
   * `pending` is for one conversation.
   *
   * @throws {OptionInvalidError | PrincipalInvalidError}
   * @throws {NotSupportedError} if the session service keeps no index of open requests
   * @example
   * const { requests, next } = await runner.inbox({ for: { id: 'mia', roles: ['manager'] }, olderThan: '4h' });
   */
  async inbox(query: InboxQuery = {}): Promise<InboxPage> {
    if (this.closing) throw new RunnerClosedError();
    return readInbox({ appName: this.appName, services: this.services }, query);
  }

  /**
   * Yields the open requests that `inbox` lists, and then each change of them, about a second after it is made, in whatever process.
   * A request that is asked and answered within a second may not be told. Ends with the signal, or when the reader stops.
   *
   * @throws as `inbox`
   */
  watchInbox(
    filter: InboxFilter = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<InboxChange, void, undefined> {
    if (this.closing) throw new RunnerClosedError();
    return watchInbox({ appName: this.appName, services: this.services }, filter, signal);
  }

  /**
   * Approves a call. The run asks again if the approval is no longer valid, for example because it has expired. To run the
   * call with other arguments, pass `args`. If several people have to approve, the run of each but the last ends at once,
   * paused. In an open live session of this runner the call runs there, and the run ends
   * without an answer.
   *
   * The run rejects with one of the following before anything is stored; the request then stays pending.
   *
   * @throws {ApproverNotAllowedError} if `approvers` of the tool do not let `by` answer, or not with these `args`
   * @throws {RequestNotPendingError | CallAmbiguousError}
   * @throws {RequestChangedError} if a field of the request is not the one that is pending
   * @throws {AnswerInvalidError} if the request is not a confirmation, or `args` do not fit the tool
   * @throws {AgentTreeChangedError} if the agent of the call is not in the tree any more
   * @throws {AdornError} `TOOLSET_FAILED` if the toolset of the tool could not be listed
   */
  approve(request: PendingRequest, options: ApproveOptions = {}): Run<Output> {
    return this.begin(options, () => decisionInput('approve', request, options));
  }

  /** Rejects a confirmation or an input. The call fails; the model gets the rejection, with the reason if one is given. */
  reject(request: PendingRequest, options: AnswerOptions & { readonly reason?: string } = {}): Run<Output> {
    return this.begin(options, () => decisionInput('reject', request, options));
  }

  /**
   * Supplies what a call waits for: a credential, an input, or the result of a long-running tool, which more results may
   * follow with `willContinue: true`. A credential is never written to the log.
   */
  supply(request: PendingRequest, value: unknown, options: AnswerOptions & ResultOptions = {}): Run<Output> {
    return this.begin(options, () => supplyInput(request, value, options));
  }

  /**
   * Lets somebody else answer a confirmation or an input, too: by the right of `by`, with whose roles, tenant and team the delegate
   * counts, as one person. The request stays open; the run ends at once, paused. It holds for this request, and not if it is asked
   * again.
   *
   * @throws {ApproverNotAllowedError} if `by` may not answer the request by a right of its own
   * @throws {RequestNotPendingError | RequestChangedError | AnswerInvalidError} before anything is stored
   * @example
   * await runner.delegate(request, { by: mia, to: 'max' });
   */
  delegate(request: PendingRequest, options: DelegateOptions): Run<Output> {
    return this.begin(options, () => delegateInput(request, options));
  }

  /**
   * Undoes what the tools of a run have done: runs the `@undo` of each call, the last one first, until one of them waits for a
   * person or fails. Each is a call in the log, which passes the gates. The result's `undo` says what has become of each call, and
   * which ones nothing undoes. What is undone is not undone again, so an undo can be repeated.
   *
   * ```ts
   * const { undo } = await runner.undo({ userId, sessionId, invocationId, by: 'mia' });
   * ```
   *
   * @throws {AdornError} `INVOCATION_ACTIVE` if the run is not over, `INVOCATION_NOT_FOUND`, or `SESSION_NOT_FOUND`
   * @throws {CallInvalidError} for `calls` that the run has not made
   */
  undo(input: UndoInput): Run<UndoReport> {
    requireInput('undo', input, this.appName);
    return this.begin<UndoReport>({ invocationId: input.id }, () => {
      if (this.runs.has(input.invocationId)) throw new InvocationActiveError(input.invocationId, UNDO_LATER);
      return undoInput(input);
    });
  }

  /**
   * The effects of tools with `once` whose calls have not told how they ended, and that no call has again until somebody says what
   * happened; the oldest first. Their calls are looked for in the logs of the conversations: it is for operators, not for every request.
   *
   * @throws {NotSupportedError} if the ledger of effects cannot list them
   */
  async unknownEffects(): Promise<UnknownEffect[]> {
    if (this.closing) throw new RunnerClosedError();
    return (await unknownEffects(this.setting)).map(shownEffect);
  }

  /**
   * Says what has become of an effect whose outcome is unknown, by somebody who has looked: it happened, and later calls for it get the
   * result; or it did not, and the next call runs. Only who may approve the call may say so. It is stored in the log of the call, which no
   * model reads, and then in the ledger. If several say something, the first one's word holds.
   *
   * ```ts
   * const [effect] = await runner.unknownEffects();
   * if (effect) await runner.settleEffect(effect, { by: 'mia', happened: true, result: { receipt: 'R-7' } });
   * ```
   *
   * @throws {AdornError} `EFFECT_NOT_OPEN` if the effect was settled before, or its call runs; `APPROVER_NOT_ALLOWED`; `OPTION_INVALID`
   */
  async settleEffect(effect: Pick<UnknownEffect, 'id'>, options: SettleOptions): Promise<Settlement> {
    if (this.closing) throw new RunnerClosedError();
    return settleEffect(this.setting, effect, options);
  }

  /**
   * Stores what somebody thinks of an answer: good or bad, and why. It is an event of the session's log, which no model ever reads;
   * a run of the session, in whatever process, goes on beside it. The last one of a principal on an event counts, and `null` takes
   * it back. Who may give it is who may read the session: check that before.
   *
   * ```ts
   * await runner.feedback({ userId, sessionId, eventId: answer.id, score: 0, label: 'wrong', comment: 'It has shipped.' });
   * const all = feedbackOf(await runner.sessions.getSession(key));
   * ```
   *
   * @returns the feedback; undefined if it is taken back
   * @throws {AdornError} `FEEDBACK_INVALID`, `FEEDBACK_LIMIT_REACHED`, `EVENT_NOT_FOUND`, `INVOCATION_NOT_FOUND`, or
   * `SESSION_NOT_FOUND`. Nothing is stored in any of these cases
   */
  async feedback(input: FeedbackInput): Promise<Feedback | undefined> {
    if (this.closing) throw new RunnerClosedError();
    requireInput('feedback', input, this.appName);
    const { userId = DEFAULT_USER, sessionId } = input;
    const key = { appName: this.appName, userId, sessionId };
    assertSessionKey(key);
    return giveFeedback(this.services, key, input);
  }

  /**
   * Undoes an invocation and everything after it: agents and `pending` see the conversation as it was before, and the
   * session's own state and artifacts are restored. The log keeps all events and gets a rewind event, which is returned.
   * To undo the rewind, rewind to its `invocationId`. Effects of tools outside the session are not undone.
   *
   * A rewind waits for the active run of the session, like another run, or is refused, depending on the runner's
   * `whileActive`.
   *
   * @throws {AdornError} `INVOCATION_ACTIVE`, `INVOCATION_NOT_FOUND`, `SESSION_NOT_FOUND`, or `SESSION_CONFLICT`,
   * if another process has appended meanwhile. Nothing is undone in any of these cases
   */
  async rewind(input: RewindInput): Promise<Event> {
    if (this.closing) throw new RunnerClosedError();
    requireInput('rewind', input, this.appName);
    const { userId = DEFAULT_USER, sessionId, invocationId } = input;
    const key = { appName: this.appName, userId, sessionId };
    assertSessionKey(key);
    assertName('id of an invocation', invocationId);
    const use = {
      invocationId: newInvocationId(),
      cancellation: new Cancellation(this.services.clock),
      detach: noop,
    };
    const { whileActive } = this.setting.config;
    if (!(await this.runs.enter(use, key, { whileActive }))) throw new RunnerClosedError();
    try {
      await this.fields.compactor?.cancel(key);
      return await rewind(this.services, key, { invocationId, rewindId: use.invocationId });
    } finally {
      this.runs.leave(use);
    }
  }

  /**
   * Copies a conversation up to an event into a new session, and returns its address. The original stays as it is. The copy
   * has the session's own state and artifacts as of that event, but nothing of `user:` and `app:` state, memory or
   * credentials. Calls that are open there are closed in the copy: they are answered or run in the original only. An
   * approval for the whole session does not hold in the copy. The last event of the copy says where it comes from.
   *
   * ```ts
   * const copy = await runner.fork({ userId, sessionId, at: event.id });
   * await runner.ask('And by train?', copy);
   * ```
   *
   * @throws {SessionNotFoundError | ForkPointNotFoundError}
   * @throws {SessionExistsError} if there is a session at the address `to`
   */
  async fork(input: ForkInput): Promise<SessionKey> {
    if (this.closing) throw new RunnerClosedError();
    requireInput('fork', input, this.appName);
    const { source, target } = forkKeys(input, this.appName);
    await forkSession(this.services, source, { at: input.at, target });
    return target;
  }

  /**
   * Summarises all that is completed of a conversation, whether a summary is due or not. Agents read the summary in its
   * place; the log keeps all events, and a rewind undoes it.
   *
   * @returns false if there is nothing to summarise, nothing that summarises, or if the log was changed meanwhile
   * @throws {AdornError} `SESSION_NOT_FOUND`, and errors of the summarizer
   */
  async compact(input: ConversationAddress & { sessionId: string }): Promise<boolean> {
    if (this.closing) throw new RunnerClosedError();
    requireInput('compact', input, this.appName);
    const { userId = DEFAULT_USER, sessionId } = input;
    const key = { appName: this.appName, userId, sessionId };
    assertSessionKey(key);
    const session = await this.services.sessions.getSession(key);
    if (!session) throw new SessionNotFoundError(sessionId);
    return (await this.fields.compactor?.compact(session)) ?? false;
  }

  /**
   * Ends a run of a conversation with an event `CANCELLED`, in whatever process it is. A process that lives is asked to cancel
   * it, and does so within about a second; a run whose process died is ended at once.
   *
   * @returns false if the run has ended, or waits for answers
   */
  async cancelRun(
    input: ConversationAddress & { sessionId: string; invocationId: string },
  ): Promise<boolean> {
    requireInput('cancelRun', input, this.appName);
    const { userId = DEFAULT_USER, sessionId, invocationId } = input;
    assertName('id of an invocation', invocationId);
    return cancelRun(this.setting, { appName: this.appName, userId, sessionId }, invocationId);
  }

  /**
   * The last run of a conversation, if it has not ended, and where it is: in this runner, in another process that lives, or
   * nowhere, because its process died. Undefined if it has ended, or waits for answers.
   */
  async findOpenRun(address: ConversationAddress & { sessionId: string }): Promise<OpenRunPlace | undefined> {
    requireInput('findOpenRun', address, this.appName);
    const { userId = DEFAULT_USER, sessionId } = address;
    return findOpenRun(this.setting, { appName: this.appName, userId, sessionId });
  }

  /**
   * Erases a user from all stores of the runner: conversations with their files, memories, runs and open requests; the user's state,
   * files, memories, credentials, and effects. What a deletion leaves in the files of the store is overwritten where the store can
   * do so, which may take as long as a copy of it.
   *
   * Let the user in no more before it: what the user begins meanwhile is erased or new. It may be repeated; after a crash, the
   * next call finishes.
   *
   * ```ts
   * const { erased, notErased } = await runner.forget('ada');
   * ```
   *
   * @returns what was erased, and what was not: what other users' sessions say, and what a store cannot erase
   * @throws {InvocationActiveError} if a run of the user is in progress; nothing was erased
   */
  async forget(userId: string, options: ForgetOptions = {}): Promise<ForgetReceipt> {
    if (this.closing) throw new RunnerClosedError();
    checkOptions('runner.forget', options, { cancelRuns: BOOLEAN, searchOthers: BOOLEAN });
    assertScope({ appName: this.appName, userId });
    return forgetUser(this.setting, { appName: this.appName, userId }, options);
  }

  /**
   * Deletes what has been kept for long enough: conversations, files and memories of all users of the application. A conversation
   * in which a run is in progress stays, and one in which a request waits, too, unless the policy says otherwise. Call it from a
   * schedule; several processes may do so at once.
   *
   * ```ts
   * await runner.applyRetention({ sessions: '90d', memories: '365d' });
   * ```
   *
   * @throws {OptionInvalidError}
   * @throws {NotSupportedError} if a store cannot delete by age
   */
  async applyRetention(policy: RetentionPolicy): Promise<RetentionReport> {
    if (this.closing) throw new RunnerClosedError();
    return applyRetention(this.setting, policy);
  }

  /** Ends a run of this runner, active or waiting, with an event `CANCELLED`. False if there is no run of that id. */
  cancel(invocationId: string): boolean {
    return this.runs.cancel(invocationId);
  }

  /** True if a run of that id is active, or waits for its session. */
  isActive(invocationId: string): boolean {
    return this.runs.has(invocationId);
  }

  /** The conversations of this runner, to be listed, loaded and deleted. */
  get sessions(): InvocationServices['sessions'] {
    return this.services.sessions;
  }

  /** The memory of this runner. */
  get memory(): InvocationServices['memory'] {
    return this.services.memory;
  }

  /** The artifacts of this runner. */
  get artifacts(): InvocationServices['artifacts'] {
    return this.services.artifacts;
  }

  /**
   * Returns a service that the runner's modules or container bind, such as a dependency of its tools.
   *
   * @throws {AdornError} `SERVICE_NOT_BOUND`
   */
  get<Service>(token: ServiceToken<Service>): Service {
    return this.services.resolve(token);
  }

  /**
   * Cancels every run, waits until each has ended and its last event is stored, and disposes of everything that was built
   * for the runner. Agents get half a second to end. Runs that have not ended after ten seconds, because a store does not
   * answer, are abandoned with a warning. A summary in progress gets ten seconds more: otherwise a process that answers
   * one message and exits would never store one.
   */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    const left = await this.runs.cancelAll(CLOSE_LIMIT_MS);
    if (left.length > 0) this.services.logger.warn('runs did not end before the runner was closed', { left });
    await this.retention?.close();
    this.setting.holds.close();
    await this.fields.compactor?.close();
    await this.fields.dispose();
  }

  /** Calls `close`, at the end of a block with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private begin<Result = Output>(
    options: Pick<RunInput, 'invocationId'>,
    inputOf: () => RunStartInput,
  ): Run<Result> {
    const execute = runExecutor(this.setting, inputOf);
    return new ActiveRun(invocationIdOf(options), execute, this.services);
  }
}

function noop(): void {
  // A rewind has no reader.
}
