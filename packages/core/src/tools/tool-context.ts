/* eslint-disable max-lines -- what a tool gets is one object; half of the lines say what its members do */
import { type ApproverRules, NO_RULES } from '../approvals/approver-rule.js';
import type { Principal } from '../approvals/principal.js';
import { type AuthConfig, credentialKeyOf, ofRunningTool } from '../auth/auth-config.js';
import {
  type AuthCredential,
  credentialForTool,
  guardedCredential,
  withoutSecrets,
} from '../auth/auth-credential.js';
import type { FoundCredential } from '../auth/credential-resolver.js';
import type { CredentialAnswer } from '../auth/requested-auth-config.js';
import { redact, redactJson, type JsonSchema, type OutputOf, type StandardSchema } from '@adorn/schema';
import { joinText } from '../events/content-parts.js';
import { callKeyOf } from '../events/call-key.js';
import { type CallAsker, isOfTool } from '../events/call-asker.js';
import type { EventActions } from '../events/event-actions.js';
import type { AnsweredRequest, ToolConfirmation } from '../events/pending-request.js';
import { logOf } from '../events/session.js';
import { type AgentNode, hasLoopAbove } from '../run/agent-node.js';
import { AgentContext, ModelNotAskedError, type ModelQuestion } from '../run/agent-context.js';
import type { RequestedActions } from '../run/callback-context.js';
import { Cancellation } from '../run/cancellation.js';
import { LiveInput } from '../run/live/live-input.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { safeText, type ServiceToken } from '../run/invocation-services.js';
import type { ModelResponse } from '../models/model-response.js';
import { requesterOfRun } from '../log/requester-of-run.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { type PastResult, pastResults } from '../log/history/past-results.js';
import {
  type InputRequest,
  type RequestedConfirmation,
  requestedConfirmation,
  type ToolPausedError,
  type ToolQuestion,
  ToolRequests,
} from './tool-requests.js';
import { ToolError } from './errors.js';

/** Which call a context is for. */
export interface CallAddress {
  /** The name of the tool. Default: none, for a context that a test makes by hand. */
  readonly toolName?: string;
  /** The id of the call in the log. */
  readonly functionCallId: string;
  /** The event that carried the call. */
  readonly functionCallEventId: string;
  /** The invocation that made the call. Default: the one that runs. */
  readonly madeIn?: string | undefined;
  /** Who began the run that made the call, as a request about it says. Default: as the log says. */
  readonly requester?: Principal | undefined;
}

/** The options whose functions only decide. */
export type Predicate = 'idempotent' | 'approvers' | 'once' | 'remember';

/**
 * The context of one tool call. Created per call; not visible to the model. It is closed when the call has its result: a
 * later write or request is an error `CONTEXT_CLOSED`. A long-running call may still save artifacts after its handle.
 */
export class ToolContext extends AgentContext {
  /** The id of the call. The same when the call runs again after a pause. */
  readonly functionCallId: string;
  /** The id of the event that carried the call. */
  readonly functionCallEventId: string;
  private readonly toolName: string;
  private readonly madeIn: string | undefined;
  /**
   * Who may answer what the functions of the tool ask, as decided for the arguments of the call.
   *
   * @internal
   */
  approvers: ApproverRules = NO_RULES;
  /**
   * Decides who may answer a question of the tool.
   *
   * @internal
   */
  decideApprovers: () => Promise<ApproverRules> = () => Promise.resolve(this.approvers);
  /** The credential that the tool's `auth` requires. Its secret is neither printed nor serialised. */
  credential: AuthCredential | undefined = undefined;
  /** The person's approval and payload, if the call needed confirmation. */
  confirmation: ToolConfirmation | undefined = undefined;
  /**
   * The credential or consent that a person supplied for this call.
   *
   * @internal
   */
  credentialAnswer: CredentialAnswer | undefined = undefined;
  /**
   * Why a credential is asked for again.
   *
   * @internal
   */
  credentialHint: string | undefined = undefined;
  /**
   * True once the tool has begun, in this run or in an interrupted one, unless it has said itself that it failed. The
   * tool's `effect` is not part of it.
   *
   * @internal
   */
  mayHaveTakenEffect = false;
  /**
   * The key of the effect of the call, if the tool has `once`.
   *
   * @internal
   */
  effectKey: string | undefined = undefined;
  /**
   * True if the call was stopped: it does not begin any more.
   *
   * @internal
   */
  isAborted = false;
  private used: (FoundCredential & { readonly config: AuthConfig })[] | undefined;
  private controller: AbortController | undefined;
  private ownHearing: Cancellation | undefined;
  private ownRequester: Principal | undefined;
  private concealed: readonly string[] = NO_SECRETS;
  private stopped: Error | undefined;
  private ownActions: RequestedActions | undefined;
  private given: readonly AnsweredRequest[] = NO_ANSWERS;
  private isCovered: (answered: AnsweredRequest) => boolean = () => true;
  private requests: ToolRequests | undefined;
  /** The function of the call that runs now. */
  private asker: CallAsker = 'tool';
  private hasLookedUp = false;
  private isLongRunning = false;
  /** The option whose function the context is for, which only decides. */
  private predicate: Predicate | undefined;
  private hasHandle = false;

  constructor(invocation: InvocationContext, agent: AgentNode, address: CallAddress) {
    super(invocation, agent);
    this.functionCallId = address.functionCallId;
    this.functionCallEventId = address.functionCallEventId;
    this.toolName = address.toolName ?? '';
    this.madeIn = address.madeIn;
    this.ownRequester = address.requester;
  }

  /** Who began the run that made the call. Not who answered: that is `confirmation.by`. */
  override get requester(): Principal {
    const { invocation, madeIn } = this;
    const isOwn = madeIn === undefined || madeIn === invocation.invocationId;
    return (this.ownRequester ??= isOwn ? super.requester : requesterOfRun(invocation.session, madeIn));
  }

  /**
   * A closed context of the same call for a predicate: without a credential, and without writes.
   *
   * @param predicate the option that the predicate is
   * @internal
   */
  withoutCredential(predicate: Predicate): ToolContext {
    const { toolName, functionCallId, functionCallEventId, madeIn, ownRequester: requester } = this;
    const context = new ToolContext(this.invocation, this.agent, {
      madeIn,
      requester,
      toolName,
      functionCallId,
      functionCallEventId,
    });
    context.confirmation = this.confirmation;
    context.predicate = predicate;
    context.close();
    return context;
  }

  /**
   * Says which function of the call runs now: what is asked is its question, and it gets its own answers, all of them. Has
   * no effect while a question of another one is open.
   *
   * @internal
   */
  askAs(asker: CallAsker): void {
    if (this.question !== undefined) return;
    this.asker = asker;
    this.requests = undefined;
  }

  /**
   * Refuses further writes and requests. After a handle, artifacts may still be saved: the call goes on.
   *
   * @param hasHandle true if the call is long-running, and its result comes later
   * @internal
   */
  override close(hasHandle = false): void {
    super.close();
    this.hasHandle = hasHandle;
  }

  protected override get ending(): string {
    const { toolName, functionCallId } = this;
    if (this.predicate !== undefined)
      return `The option "${this.predicate}" of the tool "${toolName}" only decides`;
    if (this.hasHandle)
      return `The call "${functionCallId}" of the tool "${toolName}" has returned its handle`;
    return `The call "${functionCallId}" of the tool "${toolName}" is over`;
  }

  /** @internal */
  protected override requireOpenToSave(what: string): void {
    if (!this.hasHandle || this.invocation.session.isDeleted === true) this.requireOpen(what);
  }

  /**
   * A key of this call. It stays the same if the call runs again because its process ended: pass it to the service
   * that the tool changes, so that the change is made once. With `once`, it is the key of the effect, the same for every call that
   * is for it. 43 characters of base64url.
   */
  get idempotencyKey(): string {
    return this.effectKey ?? this.callKey;
  }

  /**
   * The key of this call, whatever its effect.
   *
   * @internal
   */
  get callKey(): string {
    const { appName, userId, sessionId, functionCallEventId: event, functionCallId: call } = this;
    return callKeyOf({ appName, userId, sessionId }, { event, call });
  }

  /** What the user sends while the tool runs, see {@link LiveInput}; in a text run, the message. */
  get liveInput(): LiveInput {
    const { live, userContent } = this.invocation.invocation;
    return new LiveInput(live?.heard, this.hearing.signal, joinText(userContent));
  }

  /**
   * Cancelled when the tool hears nothing more, and is to end. Created when first read.
   *
   * @internal
   */
  get hearing(): Cancellation {
    if (this.ownHearing === undefined) {
      const { cancellation } = this.invocation;
      this.ownHearing = new Cancellation(cancellation.clock);
      if (this.stopped !== undefined || cancellation.isAborted) this.ownHearing.cancel();
    }
    return this.ownHearing;
  }

  /** Set to true to return a handle: the run pauses, and the result arrives in a later message. Default: false. */
  get longRunning(): boolean {
    return this.isLongRunning;
  }

  set longRunning(isLongRunning: boolean) {
    if (this.predicate === undefined) this.requireOpen('longRunning');
    this.isLongRunning = isLongRunning;
  }

  override get actions(): RequestedActions {
    return new Proxy((this.ownActions ??= {}), {
      set: (actions, name, value) => {
        this.requireOpen(`actions.${String(name)}`);
        return Reflect.set(actions, name, value);
      },
    });
  }

  /**
   * The agent to which the tool requested a transfer, if any.
   *
   * @internal
   */
  get transferRequested(): string | undefined {
    return this.ownActions?.transferToAgent;
  }

  /**
   * True if the tool requested to return control to the agent above.
   *
   * @internal
   */
  get isEscalating(): boolean {
    return this.ownActions?.escalate === true;
  }

  /**
   * Removes the requested transfer, which is not performed.
   *
   * @internal
   */
  cancelTransfer(): void {
    delete this.ownActions?.transferToAgent;
  }

  /**
   * True if the tool requested an action that decides how the run continues.
   *
   * @internal
   */
  get isSteering(): boolean {
    const { transferToAgent, escalate, skipSummarization } = this.ownActions ?? {};
    return transferToAgent !== undefined || escalate === true || skipSummarization === true;
  }

  /** @internal */
  override drainActions(): Partial<EventActions> | undefined {
    const written = super.drainActions();
    return this.ownActions === undefined ? written : { ...this.ownActions, ...written };
  }

  /**
   * The names of the workflows and custom agents that the agent is in, the innermost first. Those around an agent that runs
   * as a tool are not among them.
   *
   * @internal
   */
  get compositesAbove(): string[] {
    const names: string[] = [];
    for (let node = this.agent.parentAgent; node !== undefined; node = node.parentAgent)
      if (!node.isLlmAgent) names.push(node.name);
    return names;
  }

  /**
   * True if an agent above acts on an escalation: a loop, or an agent with a `run` of its own.
   *
   * @internal
   */
  get hasLoopAbove(): boolean {
    return hasLoopAbove(this.agent);
  }

  /** Aborted when the invocation is cancelled or the time limit of the tool is reached; created when first read. */
  override get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = (this.controller = new AbortController());
      if (this.stopped !== undefined || this.invocation.cancellation.isAborted)
        controller.abort(this.stopped);
      this.invocation.cancellation.own(controller.signal);
    }
    return this.controller.signal;
  }

  /**
   * Asks a person to approve what the tool is about to do. Throws until a person has approved, and the run pauses;
   * then the tool runs again from its start, and this call returns. Ask before the first effect. A refusal ends the
   * call. In a callback the callback runs again; after the tool it gets the stored result, and the tool does not run.
   *
   * @param asked the hint, or what is shown and who may answer. Default: a general hint with the tool's name
   * @throws {ToolPausedError} if nobody has approved yet: do not catch it
   * @throws {ContextClosedError} once the call is over
   * @example
   * context.requestConfirmation(`Refund ${amount} €?`);
   */
  requestConfirmation(asked?: string | Partial<RequestedConfirmation>): ToolConfirmation {
    const question = requestedConfirmation(asked, this.toolName);
    return this.ownRequests('requestConfirmation').confirm(this.toolName, question);
  }

  /**
   * Asks a person for an input. Rejects until a person has answered, and the run pauses; then the tool runs again
   * from its start, and this resolves to the input, which matches the schema. Ask before the first effect.
   *
   * @throws {ToolPausedError} if nobody has answered yet: do not catch it
   * @example
   * const { date } = await context.requestInput({ message: 'Which day?', schema: z.object({ date: z.iso.date() }) });
   */
  requestInput<Schema extends StandardSchema>(request: InputRequest<Schema>): Promise<OutputOf<Schema>>;
  /** Asks for an input with a JSON Schema, from which TypeScript cannot derive the type: state it as `Input`. */
  requestInput<Input = unknown>(request: InputRequest<JsonSchema>): Promise<Input>;
  requestInput(request: InputRequest): Promise<unknown> {
    const input = this.askInput(request);
    // The question is noted already, so a tool that does not wait for it does not end the process either.
    input.catch(ignore);
    return input;
  }

  private async askInput(request: InputRequest): Promise<unknown> {
    return this.ownRequests('requestInput').input(this.toolName, request);
  }

  /**
   * The user's credential for a config: the one just supplied, or the stored one, refreshed if it has expired.
   * Undefined if the user has to be asked. Its secret is neither printed nor serialised. A config with a `key` names a
   * credential of this tool, unless it is `shared`.
   *
   * @throws {AdornError} `CREDENTIAL_EXCHANGE_FAILED`, `AUTH_CONFIG_INVALID`
   */
  async getAuthResponse(config: AuthConfig): Promise<AuthCredential | undefined> {
    this.hasLookedUp = true;
    const { appName, userId, services } = this.invocation;
    const owned = this.owned(config);
    const found = await services.auth.find({ appName, userId }, owned, this.credentialAnswer);
    return found && this.useCredential(owned, found);
  }

  /**
   * Asks for the user's credential for a config that is known only while the tool runs; use the option `auth` for a
   * credential that every call needs. Rejects if there is none, and the run pauses with a request to the user; once
   * it is supplied, the tool runs again from its start, and this resolves to it. Ask before the first effect. A config
   * with a `key` names a credential of this tool, unless it is `shared`.
   *
   * @throws {ToolPausedError} if the user has to be asked: do not catch it
   * @throws {AdornError} `CREDENTIAL_EXCHANGE_FAILED`, `CREDENTIAL_EXCHANGER_MISSING`, `AUTH_CONFIG_INVALID`
   * @example
   * const carrier = await context.requestCredential({ scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: carrierId });
   */
  requestCredential(config: AuthConfig): Promise<AuthCredential> {
    const credential = this.findOrRequest(config);
    // As with an input, a tool that does not wait for it does not end the process.
    credential.catch(ignore);
    return credential;
  }

  private async findOrRequest(config: AuthConfig): Promise<AuthCredential> {
    const requests = this.ownRequests('requestCredential');
    const found = await this.getAuthResponse(config);
    if (found !== undefined) return found;
    const { appName, userId, services } = this.invocation;
    const authConfig = await services.auth.request(
      { appName, userId },
      this.owned(config),
      this.credentialAnswer,
    );
    throw requests.credential(this.toolName, authConfig, this.credentialHint);
  }

  /** A model may choose the key, so it names no credential of another tool. The tool's own `auth` is its own, too. */
  private owned(config: AuthConfig): AuthConfig {
    const isOwn = this.used?.some((one) => one.config.key === (config as AuthConfig | null)?.key) === true;
    return isOwn ? config : ofRunningTool(this.toolName, config);
  }

  /**
   * Records a credential as used, and returns it for the tool.
   *
   * @internal
   */
  useCredential(config: AuthConfig, { credential, isStored }: FoundCredential): AuthCredential {
    (this.used ??= []).push({ config, credential: guardedCredential(credential), isStored });
    return credentialForTool(credential);
  }

  /**
   * A text about a failure without secrets: those of the call, those that the runner knows, and what has their form.
   *
   * @internal
   */
  withoutSecrets(text: string): string {
    return safeText(this.withoutOwnSecrets(text), this.invocation.services.redaction);
  }

  /**
   * What a service answered, without the secrets that the tool sent: the credentials that it got from this context, and
   * those of `conceal`. Some services repeat them in a body. Returns the same value if it has none of them.
   *
   * @param answer a JSON value
   * @internal
   */
  withoutSentSecrets<Value>(answer: Value): Value {
    return this.hasSecrets ? redactJson(answer, (text) => this.withoutOwnSecrets(text)) : answer;
  }

  private withoutOwnSecrets(text: string): string {
    let safe = withoutSecrets(text, this.credential);
    for (const { credential } of this.used ?? []) safe = withoutSecrets(safe, credential);
    return this.concealed.length > 0 ? redact(safe, this.concealed) : safe;
  }

  /**
   * Adds secrets that the tool sends by itself, such as headers of its options: errors of the call do not contain them.
   *
   * @internal
   */
  conceal(secrets: readonly string[]): void {
    this.concealed = [...this.concealed, ...secrets];
  }

  private get hasSecrets(): boolean {
    return this.credential !== undefined || this.used !== undefined || this.concealed.length > 0;
  }

  /**
   * Deletes the credentials that the tool got from a store or from a person, because their service refused them. Returns
   * true if another one may be obtained: there was one, and a person has supplied less than three for the call.
   *
   * @param supplied the keys of the credentials that people have supplied for the call, one for each answer
   * @internal
   */
  async forgetCredentials(reason: string, supplied: readonly string[]): Promise<boolean> {
    const answered = this.credentialAnswer?.key;
    const isAnswer = (config: AuthConfig): boolean => credentialKeyOf(config) === answered;
    // A credential that a person has just supplied is stored too, for later calls.
    const refused =
      this.used?.filter(
        ({ config, isStored }) => isStored || config.credential === undefined || isAnswer(config),
      ) ?? [];
    const { appName, userId, services } = this.invocation;
    for (const { config } of refused) await services.auth.forget({ appName, userId }, config);
    const counts = refused.map(
      ({ config }) => supplied.filter((key) => key === credentialKeyOf(config)).length,
    );
    const count = Math.max(0, ...counts);
    if (count >= MOST_SUPPLIED || !refused.some(({ config, isStored }) => isStored || isAnswer(config)))
      return false;
    this.credentialAnswer = undefined;
    this.credentialHint =
      count === 0
        ? reason
        : `${reason} Supply another one: attempt ${String(count + 1)} of ${String(MOST_SUPPLIED)}.`;
    return true;
  }

  /**
   * As in {@link AgentContext}.
   *
   * @throws {ToolError} if the run has no model calls left, or the model gave no answer
   */
  override async askModel(question: ModelQuestion): Promise<ModelResponse> {
    try {
      return await super.askModel(question);
    } catch (error) {
      if (!(error instanceof ModelNotAskedError)) throw error;
      throw new ToolError(error.message, { final: error.isFinal, cause: error });
    }
  }

  /** Resolves a service of the runner's container. */
  get<Service>(token: ServiceToken<Service>): Service {
    return this.invocation.services.resolve(token);
  }

  /**
   * The error that ends a tool whose agent waits for a person.
   *
   * @internal
   */
  waitForAgent(): ToolPausedError {
    return this.ownRequests('waitForAgent').waitForAgent(this.toolName);
  }

  /**
   * The question for which the call waits, of the function that runs now.
   *
   * @internal
   */
  get question(): Promise<ToolQuestion> | undefined {
    return this.requests?.question;
  }

  /**
   * True if the tool has run before for this call, made a request to a person that has been answered, and runs again from
   * its start.
   */
  get isContinued(): boolean {
    return this.given.some((one) => isOf('tool', one) && this.isCovered(one));
  }

  /**
   * Sets the answers that the functions of the call get.
   *
   * @param isCovered true if an answer holds for the call as it is when the answer is asked for. Default: it does
   * @internal
   */
  give(answered: readonly AnsweredRequest[], isCovered?: (answered: AnsweredRequest) => boolean): void {
    this.given = answered;
    if (isCovered) this.isCovered = isCovered;
  }

  /**
   * The function of the call that made the open question.
   *
   * @internal
   */
  get questioner(): CallAsker | undefined {
    return this.requests?.question === undefined ? undefined : this.requests.asker;
  }

  /**
   * True if the tool made a request, also an answered one, or looked up a credential.
   *
   * @internal
   */
  get hasRequests(): boolean {
    return this.requests !== undefined || this.hasLookedUp;
  }

  /**
   * The responses to earlier calls of a tool in this run, the newest first.
   *
   * @internal
   */
  responsesInRun(toolName: string): Readonly<Record<string, unknown>>[] {
    const { session, invocationId } = this.invocation;
    const responses: Readonly<Record<string, unknown>>[] = [];
    for (const event of effectiveEventsBackwards(logOf(session))) {
      if (event.invocationId !== invocationId || event.author !== this.agentName) continue;
      for (const { name, response = {}, willContinue } of event.functionResponses)
        if (name === toolName && willContinue !== true) responses.push(response);
    }
    return responses;
  }

  /**
   * The results of earlier calls that the agent may read, oldest first; none if it has no tool that reads them.
   *
   * @internal
   */
  pastResults(): readonly PastResult[] {
    const { session, branch, toolRun } = this.invocation;
    if (this.agent.readsResults !== true) return [];
    return pastResults(session, this.agent, { branch, scope: toolRun?.scope });
  }

  /** @throws {ContextClosedError} */
  private ownRequests(what: string): ToolRequests {
    this.requireOpen(what);
    const { asker } = this;
    return (this.requests ??= new ToolRequests(
      asker,
      this.given.filter((one) => isOf(asker, one) && this.isCovered(one)),
      {
        rules: isOfTool(asker) ? this.approvers : NO_RULES,
        decide: isOfTool(asker) ? this.decideApprovers : () => Promise.resolve(NO_RULES),
        requester: this.requester,
        userId: this.userId,
      },
    ));
  }

  /**
   * Aborts the signal of the tool.
   *
   * @internal
   */
  abort(reason: Error): void {
    this.isAborted = true;
    this.stopped = reason;
    this.controller?.abort(reason);
    this.ownHearing?.cancel();
  }

  /**
   * Prepares another attempt of the same call: it gets all answers again, and a new signal if the previous attempt
   * was aborted.
   *
   * @internal
   */
  restart(): void {
    this.requests = undefined;
    this.isAborted = false;
    if (this.stopped === undefined) return;
    this.stopped = undefined;
    this.controller = undefined;
    this.ownHearing = undefined;
  }
}

/** How many credentials of one key a person may supply for one call, until its service accepts one. */
const MOST_SUPPLIED = 3;

function isOf(asker: CallAsker, { request }: AnsweredRequest): boolean {
  return (request.askedBy ?? 'tool') === asker;
}

const NO_ANSWERS: readonly AnsweredRequest[] = Object.freeze([]);

const NO_SECRETS: readonly string[] = Object.freeze([]);

function ignore(): void {
  // Who waits for the input gets the error.
}

/** The responses to earlier calls of a tool in the run of a call, the newest first. */
export function responsesInRun(
  context: ToolContext,
  toolName: string,
): readonly Readonly<Record<string, unknown>>[] {
  return context.responsesInRun(toolName);
}
