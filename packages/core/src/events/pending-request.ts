/* eslint-disable max-lines -- each kind of request: its type, its arguments on the wire, and how a log is read */
import {
  type AnsweringPrincipal,
  type AnswerSubject,
  answeringBy,
  answeringOf,
  type Delegation,
  permissionOf,
  requireMayAnswer,
} from '../approvals/answer-authority.js';
import { type ApproverRule, NO_RULES, readRules } from '../approvals/approver-rule.js';
import { type Principal, type PrincipalInput, readPrincipal, toPrincipal } from '../approvals/principal.js';
import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import { functionCallsOf, functionResponsesOf } from './content-parts.js';
import type { FunctionCall, FunctionResponse } from './genai-types.js';
import { isSameJson, present } from '@adorn/schema';
import { type AskedAgain, readAskedAgain, type StoredAgain } from './asked-again.js';
import { type CallAsker, isCallAsker } from './call-asker.js';
import type { Event } from './event.js';
import type { SessionKey } from './session.js';

type Arguments = Readonly<Record<string, unknown>>;

/** A request that a person or an external system must answer before the run continues. */
export interface PendingRequestData {
  /** What answers it: a yes or no, a credential, data of the schema, or the result of a long-running call. */
  readonly kind: 'confirmation' | 'credential' | 'input' | 'result';
  /** The id to answer: of the synthetic call, or of the long-running call itself. */
  readonly id: string;
  /** The id of the waiting call. */
  readonly functionCallId: string;
  /** The name of the tool whose call waits. */
  readonly tool: string;
  /** The arguments of the call, as the model gave them. */
  readonly args: Arguments;
  /** The question to the person. */
  readonly hint?: string;
  /** Data shown with the hint. A person may return data with an approval. */
  readonly payload?: unknown;
  /** JSON Schema of the requested input. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Digest of the tool's definition at the time of the request. An approval is void if the definition changes. */
  readonly definition?: string;
  /** The time when an approval expires, in seconds since 1970. Default: never. */
  readonly expiresAt?: number;
  /**
   * The function of the call that asked, which runs again from its start with the answer: `tool` while the tool ran; a
   * callback such as `beforeTool`, before the tool; `afterTool` or `onToolError` when the tool had ended, which does not
   * run again. `toolset` if the listing of a toolset needs the credential, and `agent` if a composite asks; no call waits
   * for these. Default: the call must be confirmed, or needs a credential.
   */
  readonly askedBy?: CallAsker | 'toolset' | 'agent';
  /** Why the call asks again. Absent for the first question about a call. */
  readonly askedAgain?: AskedAgain;
  /** True if the tool has run, or an earlier run of the call was interrupted: it may have taken effect. */
  readonly mayHaveTakenEffect?: boolean;
  /**
   * Who may answer, as decided for these arguments; somebody has to fulfil all of them. Default: the requester, and whom
   * the application names in the same process.
   */
  readonly approvers?: readonly ApproverRule[];
  /** Who began the run. Default: the user of the session. */
  readonly requester?: Principal;
  /**
   * Which later calls of the tool an approval for the session covers: those with this key, or none if it is false. Default: all.
   */
  readonly remember?: string | false;
  /** When it was made, in seconds since 1970. Absent in a request that an earlier version handed out. */
  readonly askedAt?: number;
  /** Who else may answer, because somebody who may has said so by `runner.delegate`. */
  readonly delegations?: readonly Delegation[];
  /** The approvals so far, if several people have to approve. */
  readonly approvals?: readonly StoredApproval[];
  /** The requested credential, without secrets. */
  readonly authConfig?: RequestedAuthConfig;
}

/** Every field of a type, also an optional one, which may be undefined: an object that leaves one out does not compile. */
export type EveryField<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name] | undefined };

/**
 * What the reader of a kind of request has to state: each field but those that the kind does not have, and those that are known
 * from later events.
 */
type FieldsWithout<Absent extends keyof PendingRequestData> = EveryField<
  Omit<PendingRequestData, 'askedAt' | 'delegations' | 'approvals' | Absent>
>;

/** Fields of a request that only a person answers. */
type FieldsOfPeople = 'hint' | 'askedBy' | 'askedAgain' | 'mayHaveTakenEffect' | 'approvers' | 'requester';

/** One approval of several. */
export interface StoredApproval {
  /** Who approved. */
  readonly by: Principal;
  /** In seconds since 1970. Absent in logs of other kits. */
  readonly at?: number;
  /** Data that the person sent with it. */
  readonly payload?: unknown;
}

/** What decides who may answer a request. */
export function answerSubjectOf(
  {
    approvers = NO_RULES,
    requester,
    askedAt,
  }: Pick<PendingRequestData, 'approvers' | 'requester' | 'askedAt'>,
  userId: string,
): AnswerSubject {
  return { rules: approvers, requester: requester ?? toPrincipal(userId, 'the session'), userId, askedAt };
}

/**
 * True if a principal may answer a request as it stands. Doors ask it to find what they may show to somebody who does not own
 * the session; the answer itself is checked again before it is stored.
 *
 * @param at when, in seconds since 1970. Default: now
 * @throws {PrincipalInvalidError}
 */
export function mayAnswer(request: PendingRequest, by: PrincipalInput, at = Date.now() / 1_000): boolean {
  const answering = { principal: toPrincipal(by, 'by'), isStated: false, at };
  const subject = answerSubjectOf(request, request.userId);
  return permissionOf(answeringBy(answering, subject, request.delegations), subject) === 'allowed';
}

/**
 * Refuses somebody who may not answer a request as it stands, as `runner.approve` would: for a door that accepts answers which a
 * runner reads later, and checks again.
 *
 * @param by default: the user of the session
 * @param at when, in seconds since 1970
 * @throws {ApproverNotAllowedError | PrincipalInvalidError}
 */
export function requireAnswerer(request: PendingRequest, by: PrincipalInput | undefined, at: number): void {
  const { delegations, id, userId } = request;
  const subject = answerSubjectOf(request, userId);
  requireMayAnswer(id, answeringBy({ ...answeringOf(by, userId), at }, subject, delegations), subject);
}

/** Who gave a stored answer. Its `by` alone is the id of a principal without roles. */
export function principalIn(
  response: Readonly<Record<string, unknown>> = {},
): AnsweringPrincipal | undefined {
  const stored = readPrincipal(response['principal']);
  const id = textIn(response['by']);
  const at = givenAt(response);
  if (stored !== undefined && stored.id === id) return { principal: stored, isStated: false, at };
  return id === undefined || id === ''
    ? undefined
    : { principal: toPrincipal(id, 'a log'), isStated: true, at };
}

/** A pending request with the address of its session, as a runner returns it. */
export interface PendingRequest extends PendingRequestData {
  /** The application whose session waits. */
  readonly appName: string;
  /** The user who owns the session. */
  readonly userId: string;
  /** The session that waits for the answer. */
  readonly sessionId: string;
  /** The invocation that the answer continues. */
  readonly invocationId: string;
  /** The path of the agent that waits: `coordinator/refunds`. Undefined in logs of other ADKs. */
  readonly path?: string | undefined;
}

/** Adds the address of the session and the path of the agent to a request. */
export function pendingRequest(
  request: PendingRequestData,
  { appName, userId, sessionId }: SessionKey,
  { invocationId, path }: { readonly invocationId: string; readonly path?: string | undefined },
): PendingRequest {
  return present({ ...request, appName, userId, sessionId, invocationId, path });
}

/** The names of the synthetic calls for requests to a person, as ADK clients know them. */
const REQUEST_CONFIRMATION = 'adk_request_confirmation';
/** The name of the call that asks a person for a credential. */
export const REQUEST_CREDENTIAL = 'adk_request_credential';

const REQUEST_INPUT = 'adk_request_input';

/** Prefix of the call id in a credential request of a toolset. Other ADKs know such requests by it. */
export const TOOLSET_AUTH = '_adk_toolset_auth_';

const REQUEST_NAMES = {
  confirmation: REQUEST_CONFIRMATION,
  credential: REQUEST_CREDENTIAL,
  input: REQUEST_INPUT,
} as const;

/** The name under which a request is answered: of its synthetic call, or of the tool whose result is awaited. */
export function answerNameOf({ kind, tool }: Pick<PendingRequestData, 'kind' | 'tool'>): string {
  return kind === 'result' ? tool : REQUEST_NAMES[kind];
}

/** A request as it is made. */
export interface NewRequest {
  readonly id: string;
  readonly kind: 'confirmation' | 'credential' | 'input';
  readonly args: Unsigned<ConfirmationArgs> | Unsigned<CredentialArgs> | Unsigned<InputArgs>;
  /** Why it is asked again; undefined for a first question. Whoever makes a request says which it is. */
  readonly askedAgain: StoredAgain | undefined;
  /** Who began the run; undefined for the user of the session. Whoever makes a request says who it is. */
  readonly requester: Principal | undefined;
}

/** The arguments of a request without those that every request has. */
export type Unsigned<Args> = Omit<Args, 'askedAgain' | 'requester'>;

/** The synthetic call by which a person is asked. */
export function requestCall({ id, kind, args, askedAgain, requester }: NewRequest): FunctionCall {
  return {
    id,
    name: REQUEST_NAMES[kind],
    args: present({ ...args, requester, askedAgain: askedAgain && { ...askedAgain } }),
  };
}

/** The synthetic call of an earlier request, made again under another id. */
export function repeatedCall(call: FunctionCall, id: string, askedAgain: StoredAgain): FunctionCall {
  return { ...call, id, args: { ...call.args, askedAgain: { ...askedAgain } } };
}

/** True for calls and responses of requests to a person, which models never see. */
export function isRequestName(name: string | undefined): boolean {
  return name === REQUEST_CONFIRMATION || name === REQUEST_CREDENTIAL || name === REQUEST_INPUT;
}

/** A confirmation request for a call, and its answer. */
export interface ToolConfirmation {
  /** The question to the person. */
  readonly hint: string;
  /** False in a request, and in an answer that rejects the call. */
  readonly confirmed: boolean;
  /**
   * Data that the person sent with the answer, for the tool. If several people had to approve: there only if all of them sent the
   * same, because nobody approves what another one adds. What each sent is in `approvals`.
   */
  readonly payload?: unknown;
  /** Who has approved, and what each sent, if several people had to: their `by` is a principal, with the name as `by.id`. */
  readonly approvals?: readonly StoredApproval[];
  /** The id of who decided, of several the last one, as stated by the caller of the runner. */
  readonly by?: string;
  /** The channel of the answer, such as `web` or `slack`, as stated by the caller of the runner. */
  readonly channel?: string;
}

/** True if the function responses in an event answer calls: responses of users and of the dispatcher do, a model's do not. */
export function answersCalls({ author, content }: Event): boolean {
  return author === 'user' || content?.role !== 'model';
}

/** The requests that an event opens; most events open none, and those of a user never do. */
export function requestsOf(event: Event): PendingRequestData[] {
  if (event.longRunningToolIds.length === 0 || event.author === 'user') return [];
  const isOpened = ({ id = '' }: { id?: string }): boolean => event.longRunningToolIds.includes(id);
  return [
    ...functionCallsOf(event.content).filter(isOpened).flatMap(toRequest),
    ...functionResponsesOf(event.content).filter(isOpened).map(toResultRequest),
  ].map((request) => ({ ...request, askedAt: event.timestamp }));
}

/** A request for the result of a long-running tool. It opens when the tool returns a handle, not when it is called. */
function toResultRequest({ id = '', name: tool = '' }: FunctionResponse): PendingRequestData {
  return { kind: 'result', id, functionCallId: id, tool, args: {} } satisfies FieldsWithout<
    'payload' | 'schema' | 'definition' | 'expiresAt' | 'remember' | 'authConfig' | FieldsOfPeople
  >;
}

function toRequest(call: FunctionCall): PendingRequestData[] {
  const { id = '', name = '', args = {} } = call;
  switch (name) {
    case REQUEST_CONFIRMATION:
      return [confirmationRequest(id, args)];
    case REQUEST_CREDENTIAL:
      return [toCredential(id, args as unknown as CredentialArgs)];
    case REQUEST_INPUT:
      return [toInput(id, args)];
    default:
      return [];
  }
}

/** The arguments of `adk_request_confirmation`. */
export interface ConfirmationArgs {
  readonly originalFunctionCall: FunctionCall;
  readonly toolConfirmation: {
    readonly hint: string;
    readonly confirmed: boolean;
    readonly payload?: unknown;
  };
  /** Digest of the tool's definition. An addition to the ADK's fields, as are the following. */
  readonly toolDefinition?: string;
  /** In seconds since 1970. */
  readonly expiresAt?: number;
  readonly askedBy?: CallAsker;
  readonly mayHaveTakenEffect?: boolean;
  readonly askedAgain?: StoredAgain;
  readonly approvers?: readonly ApproverRule[];
  readonly requester?: Principal;
  readonly remember?: string | false;
}

/** Reads a confirmation request. Every argument is checked, because logs of other ADKs are read too. */
function confirmationRequest(
  id: string,
  { originalFunctionCall, toolConfirmation, toolDefinition, ...added }: Partial<ConfirmationArgs>,
): PendingRequestData {
  const { hint, payload } = toolConfirmation ?? {};
  const { expiresAt, askedBy, remember } = added;
  return present({
    kind: 'confirmation',
    id,
    ...calledIn(originalFunctionCall),
    hint: textOr(hint, ''),
    payload,
    definition: textIn(toolDefinition),
    // What is no key covers nothing.
    remember: remember === undefined ? undefined : (textIn(remember) ?? (false as const)),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    askedBy: isCallAsker(askedBy) ? askedBy : undefined,
    ...historyIn(added),
  } satisfies FieldsWithout<'schema' | 'authConfig'>);
}

/** What happened to the call before the request, and who may answer it. */
function historyIn({
  mayHaveTakenEffect,
  askedAgain,
  approvers,
  requester,
}: Pick<Partial<ConfirmationArgs>, 'mayHaveTakenEffect' | 'askedAgain' | 'approvers' | 'requester'>) {
  const rules = readRules(approvers);
  return {
    approvers: rules.length > 0 ? rules : undefined,
    requester: readPrincipal(requester),
    mayHaveTakenEffect: mayHaveTakenEffect === true || undefined,
    askedAgain: readAskedAgain(askedAgain),
  };
}

/** The arguments of `adk_request_input`. The last seven are additions to the ADK's fields. */
export interface InputArgs {
  readonly interruptId: string;
  readonly message: string | null;
  readonly payload: unknown;
  readonly response_schema: Readonly<Record<string, unknown>> | null;
  readonly originalFunctionCall?: FunctionCall;
  readonly toolDefinition?: string;
  /** Default: `tool`. */
  readonly askedBy?: CallAsker | 'agent';
  readonly mayHaveTakenEffect?: boolean;
  readonly askedAgain?: StoredAgain;
  readonly approvers?: readonly ApproverRule[];
  readonly requester?: Principal;
}

function toInput(
  id: string,
  {
    message,
    payload,
    response_schema: schema,
    originalFunctionCall,
    toolDefinition,
    askedBy,
    ...added
  }: Partial<InputArgs>,
): PendingRequestData {
  return present({
    kind: 'input',
    id,
    ...calledIn(originalFunctionCall),
    hint: textOr(message, ''),
    payload: payload ?? undefined,
    schema: typeof schema === 'object' ? (schema ?? undefined) : undefined,
    definition: textIn(toolDefinition),
    askedBy: askedBy === 'agent' || isCallAsker(askedBy) ? askedBy : 'tool',
    ...historyIn(added),
  } satisfies FieldsWithout<'expiresAt' | 'remember' | 'authConfig'>);
}

function calledIn(
  call: Partial<FunctionCall> | null | undefined,
): Pick<PendingRequestData, 'functionCallId' | 'tool' | 'args'> {
  const { id, name, args } = call ?? {};
  return { functionCallId: textOr(id, ''), tool: textOr(name, ''), args: args ?? {} };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** The arguments of `adk_request_credential`. The last six are additions to the ADK's fields. */
export interface CredentialArgs {
  readonly functionCallId: string;
  readonly authConfig: NonNullable<PendingRequestData['authConfig']>;
  readonly originalFunctionCall?: FunctionCall;
  /** Why it is asked for again. */
  readonly hint?: string;
  readonly askedBy?: CallAsker | 'toolset';
  readonly mayHaveTakenEffect?: boolean;
  readonly askedAgain?: StoredAgain;
  readonly requester?: Principal;
}

function toCredential(id: string, args: CredentialArgs): PendingRequestData {
  const { functionCallId, authConfig, originalFunctionCall, hint } = args;
  const askedBy = askerOf(args);
  return present({
    kind: 'credential',
    id,
    ...calledIn(originalFunctionCall),
    functionCallId,
    authConfig,
    hint: textIn(hint),
    askedBy,
    ...historyIn(args),
  } satisfies FieldsWithout<'payload' | 'schema' | 'definition' | 'expiresAt' | 'remember'>);
}

/** Other ADKs name neither the call nor who asked. */
function askerOf({ functionCallId, originalFunctionCall, askedBy }: CredentialArgs) {
  if (askedBy === 'toolset' || isCallAsker(askedBy)) return askedBy;
  const isForeign = originalFunctionCall === undefined;
  return isForeign && textOr(functionCallId, '').startsWith(TOOLSET_AUTH) ? 'toolset' : undefined;
}

/** A person's decision about a call, and the request that was shown. */
export interface Decision {
  /** Yes or no, and the payload that came with it. */
  readonly confirmation: ToolConfirmation;
  /** When it was given, in seconds since 1970. Absent in logs of other ADKs. */
  readonly at?: number;
  /** The reason for a refusal, if one was given. */
  readonly reason?: string;
  /** With the changed arguments, if the person approved others than were shown. */
  readonly shown: PendingRequestData;
  /** The arguments of the call in place of the model's, which a person changed with an approval of it. */
  readonly args?: Arguments;
  /** Who has approved these arguments: one, or as many as had to. Absent for a rejection. */
  readonly approvals?: readonly AnsweringPrincipal[];
}

/** A request of a function of a call, such as its tool while it ran, and the response to it. */
export interface AnsweredRequest {
  readonly request: PendingRequestData;
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * Reads a person's decision in any of the forms in which clients send it: bare, under `toolConfirmation`, or under
 * `response` as an object or as JSON text. Undefined unless `confirmed` is a boolean.
 */
export function readDecision(
  request: PendingRequestData,
  response: Record<string, unknown> | undefined,
): Decision | undefined {
  const { confirmed, payload, reason, args } = unwrap(response ?? {});
  if (typeof confirmed !== 'boolean') return undefined;
  const { by, channel } = response ?? {};
  const collected = confirmed ? collectedWith(request, response) : [];
  const isShared = collected.every((one) => isSameJson(one.payload, payload));
  const confirmation = present({
    hint: request.hint ?? '',
    confirmed,
    payload: isShared ? payload : undefined,
    by: textIn(by),
    channel: textIn(channel),
    approvals: collected.length > 1 ? collected : undefined,
  });
  const approvals = confirmed ? approvalsWith(request, response) : [];
  const said = present({
    confirmation,
    reason: textIn(reason),
    at: givenAt(response),
    approvals: approvals.length > 0 ? approvals : undefined,
  });
  return isArguments(args) ? { ...said, shown: { ...request, args }, args } : { ...said, shown: request };
}

/** True for an answer that changes the arguments of a request, which makes its earlier approvals void. */
export function isEdit({ args: shown }: PendingRequestData, args: unknown): boolean {
  return isArguments(args) && !isSameJson(args, shown);
}

/** The approvals of a request together with one more, which makes the earlier ones void if it changes the arguments. */
export function approvalsWith(
  request: PendingRequestData,
  response: Readonly<Record<string, unknown>> = {},
): readonly AnsweringPrincipal[] {
  const own = principalIn(response);
  const earlier = isEdit(request, response['args']) ? [] : (request.approvals ?? []);
  const counted = earlier.map(({ by, at }) => ({ principal: by, isStated: false, at }));
  return own === undefined ? counted : [...counted, own];
}

/** The delegation that an answer is. Undefined for any other answer. */
export function delegationIn(response: Readonly<Record<string, unknown>>): Delegation | undefined {
  const to = textIn(response['delegateTo']);
  const by = principalIn(response)?.principal;
  return to === undefined || by === undefined ? undefined : present({ by, to, at: givenAt(response) });
}

/** Data that a person sent with a decision. */
export function payloadIn(response: Readonly<Record<string, unknown>> = {}): unknown {
  return unwrap(response)['payload'];
}

/**
 * The approvals of a request together with one more, and what each person sent. One that changes the arguments makes the earlier
 * ones void.
 */
export function collectedWith(
  request: PendingRequestData,
  response: Readonly<Record<string, unknown>> = {},
): readonly StoredApproval[] {
  const { payload, args } = unwrap(response);
  const earlier = isEdit(request, args) ? [] : (request.approvals ?? []);
  const by = principalIn(response)?.principal;
  return by === undefined ? earlier : [...earlier, present({ by, at: givenAt(response), payload })];
}

/** When an answer was given, in seconds since 1970, as the runner has stored it with the answer. */
export function givenAt(response: Readonly<Record<string, unknown>> = {}): number | undefined {
  const { at } = response;
  return typeof at === 'number' ? at : undefined;
}

/** The value if it is a text: what a client or another ADK has written is not trusted to be one. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null && !Array.isArray(args);
}

/**
 * True for the answer that refuses a confirmation or an input. An input that is the object `{ confirmed: false }` itself is
 * sent under `result`.
 */
export function isRejection({ kind }: PendingRequestData, response: Record<string, unknown> = {}): boolean {
  if (kind === 'confirmation') return unwrap(response)['confirmed'] === false;
  const isBare = Object.keys(response).every((key) => REJECTION.has(key));
  return kind === 'input' && response['confirmed'] === false && isBare;
}

/** The keys of the refusal of an input, as it is sent and as it is stored. */
const REJECTION: ReadonlySet<string> = new Set([
  ...['confirmed', 'reason', 'by', 'principal', 'channel', 'at'],
  'imported',
]);

function unwrap(response: Record<string, unknown>): Record<string, unknown> {
  const inner = response['toolConfirmation'] ?? response['response'];
  if (typeof inner === 'string') return parseObject(inner);
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : response;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
