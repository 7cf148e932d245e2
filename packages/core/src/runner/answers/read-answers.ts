/* eslint-disable max-lines -- one answer, and everything that it is checked against, in the order of the checks */
import {
  type AnsweringPrincipal,
  type AnswerSubject,
  answeringBy,
  ApproverNotAllowedError,
  hasApproved,
  isApproved,
  mayBeRemembered,
  requireMayAnswer,
} from '../../approvals/answer-authority.js';
import { type ApproverRules, countOf, NO_RULES } from '../../approvals/approver-rule.js';
import { principalToStore } from '../../approvals/principal.js';
import type { AuthCredential } from '../../auth/auth-credential.js';
import { readCredentialAnswer } from '../../auth/requested-auth-config.js';
import {
  describeThrown,
  present,
  isSameJson,
  schemaCompiler,
  type Arguments,
  type JsonSchema,
} from '@adorn/schema';
import { isCallAsker } from '../../events/call-asker.js';
import { functionResponsesOf, hasWords } from '../../events/content-parts.js';
import type { Content, FunctionResponse } from '../../events/genai-types.js';
import type { Answer, OpenCall, OpenRequest } from '../../log/pending-call-index.js';
import { PendingIndex } from '../../log/pending-index.js';
import {
  answerNameOf,
  answerSubjectOf,
  approvalsWith,
  isRejection,
  isRequestName,
  payloadIn,
  type PendingRequest,
  pendingRequest,
  type PendingRequestData,
  readDecision,
} from '../../events/pending-request.js';
import { CallAmbiguousError, RequestNotPendingError } from '../../events/errors.js';
import { keyOf, logOf, type Session } from '../../events/session.js';
import { effectiveEventsBackwards } from '../../log/effective-events.js';
import { requesterOfRun } from '../../log/requester-of-run.js';
import {
  AnswerInvalidError,
  ApprovalOfChangedArgumentsError,
  RequestChangedError,
  RequestersMixedError,
} from '../errors.js';
import type { Answerer } from '../begin/run-input.js';

/** The answers in a message. */
export interface ReadAnswers {
  /** The message as it is stored: its answers under the ids and names of the requests, and without secrets. */
  readonly content: Content;
  readonly answers: readonly Answer[];
  /** Credentials to store before the calls pass the gates again. */
  readonly credentials: readonly { readonly key: string; readonly credential: AuthCredential }[];
  /** The keys of the answered requests, which the store consumes. */
  readonly consumes: readonly string[];
}

/** Who answers, and when. Written to the log with each answer; claims in the message are ignored. */
export interface SignedAnswers extends Omit<Answerer, 'by'> {
  readonly answering: AnsweringPrincipal;
  /** In seconds since 1970. */
  readonly at: number;
  /** Absent if the message came from `runner.run`. */
  readonly given?: GivenAnswer | undefined;
}

/** The answer that a method of the runner was called with. */
export interface GivenAnswer {
  /** The request as the caller has it. */
  readonly request: PendingRequest;
  /** The arguments with which an approved call is to run, if others than were shown. */
  readonly args?: Arguments | undefined;
  /** The id of a principal who may answer from now on, in place of an answer. */
  readonly delegateTo?: string | undefined;
  /** What is asked about these arguments, once they are checked. */
  readonly asked?: AskedAnew | undefined;
}

/** The question about the arguments of an approval that changed them. */
export interface AskedAnew {
  /** Who may answer it. */
  readonly approvers: ApproverRules;
  readonly hint: string | undefined;
}

/**
 * Reads the function responses of a user's message, and matches them with the open requests of the session. The call and
 * its arguments are taken from the log, never from the answer.
 *
 * @param inputs the checks of requested inputs, see {@link inputChecks}
 * @throws {RequestNotPendingError} if an answer has no open request
 * @throws {RequestChangedError} if an answer is for a request that is not the pending one
 * @throws {AnswerInvalidError} if an answer is not of the requested kind
 * @throws {ConsentStateInvalidError} if an answer belongs to another consent
 * @throws {ApproverNotAllowedError} if who answers may not, or may not approve later calls
 * @throws {RequestersMixedError} for what would run in another's name
 */
export function readAnswers(
  session: Session,
  content: Content,
  answerer: SignedAnswers,
  inputs: InputChecks = NO_CHECKS,
): ReadAnswers {
  const responses = functionResponsesOf(content);
  if (responses.length === 0) return { content, answers: [], credentials: [], consumes: [] };
  const open = PendingIndex.of(session);
  const reader = { open, answerer, inputs, session };
  const given = responses.map((response) => readAnswer(reader, response));
  refuseTwice(given);
  refuseOtherSender(session, content, given, answerer.answering);
  const shared = given.flatMap((one) => answersShared(open, one, given));
  const read = [...given, ...shared];
  return {
    content: contentToStore(content, given, shared),
    answers: read.map(({ answer }) => answer),
    credentials: given.flatMap(({ answer: { credential } }) =>
      credential?.kind === 'credential' ? [credential] : [],
    ),
    consumes: read.flatMap((one) => consumedBy(reader, one)),
  };
}

/** The keys that the store consumes with an answer: none for an interim result. */
function consumedBy(
  { open, session }: AnswerReader,
  { request, answer, isInterim }: ReadAnswer,
): readonly string[] {
  if (request !== undefined && answer.kind === 'counted') return [approvalKey(session, request.id)];
  if (request !== undefined) return [open.consumptionKey(request.id)];
  return isInterim ? [] : [open.consumptionKeyOfResult(answer.open)];
}

/** The key of one approval of several: its number in the log, those that a rewind undid included. */
function approvalKey(session: Session, requestId: string): string {
  let count = 0;
  for (const { author, content } of logOf(session)) {
    if (author !== 'user') continue;
    for (const { id, willContinue } of functionResponsesOf(content))
      if (id === requestId && willContinue === true) count++;
  }
  return `${requestId}~approval${String(count)}`;
}

/** Refuses two answers to one call in the same message, under any ids. */
function refuseTwice(read: readonly ReadAnswer[]): void {
  const seen = new Set<string>();
  for (const { answer } of read) {
    const id = answer.open.call.id ?? '';
    if (seen.has(id)) throw new RequestNotPendingError(id);
    seen.add(id);
  }
}

/**
 * One run continues a message, in the name of the requester of what is answered. So all answers are of runs of one requester,
 * and only that one may say something besides.
 *
 * @throws {RequestersMixedError}
 */
function refuseOtherSender(
  session: Session,
  content: Content,
  given: readonly ReadAnswer[],
  { principal }: AnsweringPrincipal,
): void {
  const [first, ...others] = given.map(({ answer: { open, request } }) => ({
    id: request?.id ?? open.call.id ?? '',
    requester: requesterOfRun(session, open.event.invocationId),
  }));
  if (first === undefined) return;
  const other = others.find(({ requester }) => !isSameJson(requester, first.requester));
  if (other !== undefined) throw RequestersMixedError.ofAnswers(other.id);
  if (hasWords(content) && !isSameJson(principal, first.requester))
    throw RequestersMixedError.besideAnswer(first.id);
}

/** One credential answers every call of the same turn that waits for it. */
function answersShared(
  open: PendingIndex,
  { answer }: ReadAnswer,
  given: readonly ReadAnswer[],
): ReadAnswer[] {
  const { credential } = answer;
  if (credential === undefined) return [];
  const answered = new Set(given.map(({ request }) => request?.id));
  return open.list().flatMap(({ request }) => {
    if (answered.has(request.id) || request.authConfig?.credentialKey !== credential.key) return [];
    const call = open.findCall(request.functionCallId);
    if (call?.event !== answer.open.event) return [];
    answered.add(request.id);
    return [{ answer: { ...earlierAnswer(open, request, call), credential }, request, kept: RECEIVED }];
  });
}

function contentToStore(
  content: Content,
  given: readonly ReadAnswer[],
  shared: readonly ReadAnswer[],
): Content {
  const answers = given.values();
  const parts = content.parts?.map((part) => {
    if (part.functionResponse === undefined) return part;
    const answered = answers.next().value as ReadAnswer;
    return { ...part, functionResponse: responseToStore(part.functionResponse, answered) };
  });
  const added = shared.map((one) => ({ functionResponse: responseToStore({}, one) }));
  return { ...content, ...(parts !== undefined && { parts: [...parts, ...added] }) };
}

function responseToStore(
  response: FunctionResponse,
  { request, kept, answer }: ReadAnswer,
): FunctionResponse {
  if (request === undefined) return { ...response, name: answer.open.call.name };
  const { id } = request;
  const stored = { id, name: answerNameOf(request), response: kept };
  return answer.kind === 'counted' ? { ...stored, willContinue: true } : stored;
}

/** An answer to a request, with the response as it is stored in the log; or a result, which is stored unchanged. */
type ReadAnswer =
  | {
      readonly answer: Answer;
      readonly request: PendingRequestData;
      readonly kept: Record<string, unknown>;
      readonly isInterim?: undefined;
    }
  | {
      readonly answer: Answer;
      readonly request?: undefined;
      readonly kept?: undefined;
      readonly isInterim: boolean;
    };

/** The dependencies of reading answers. */
interface AnswerReader {
  readonly open: PendingIndex;
  readonly answerer: SignedAnswers;
  readonly inputs: InputChecks;
  readonly session: Session;
}

function readAnswer(given: AnswerReader, response: FunctionResponse): ReadAnswer {
  const { open, session } = given;
  const { id = '' } = response;
  const request = open.find(id)?.request;
  const callId = request?.functionCallId ?? id;
  if (open.isAmbiguous(callId)) throw new CallAmbiguousError(callId);
  refuseChanged(given, open.find(id));
  const subject = answerSubjectOf(request ?? {}, session.userId);
  if (request === undefined || request.kind === 'result') {
    const result = readResult(open, response);
    requireMayAnswer(id, given.answerer.answering, subject);
    return result;
  }
  const { at } = given.answerer;
  const answering = answeringBy({ ...given.answerer.answering, at }, subject, request.delegations);
  const reader = { ...given, answerer: { ...given.answerer, answering } };
  const call = isWithoutCall(request)
    ? openWithoutCall(session, request)
    : open.findCall(request.functionCallId);
  if (call === undefined) throw new RequestNotPendingError(id);
  refuseOtherName(response, [call.call.name, answerNameOf(request)]);
  if (!isLapsedRejection(reader.answerer, request, response))
    requireMayAnswer(request.id, answering, subject);
  const earlier = earlierAnswer(open, request, call);
  if (given.answerer.given?.delegateTo !== undefined) return delegated(given, earlier, request, subject);
  switch (request.kind) {
    case 'confirmation':
      return decide(reader, earlier, request, response.response);
    case 'input':
      return isRejection(request, response.response)
        ? decide(reader, earlier, request, response.response)
        : readInput(reader, earlier, request, response.response);
    default:
      return readSecret(earlier, request, response.response);
  }
}

/** Lets somebody else answer, too: the request stays open. Who answers by the right of another passes nothing on. */
function delegated(
  { answerer }: AnswerReader,
  earlier: Answer,
  request: PendingRequestData,
  subject: AnswerSubject,
): ReadAnswer {
  requireMayAnswer(request.id, { ...answerer.answering, at: answerer.at }, subject);
  const kept = { delegateTo: answerer.given?.delegateTo, ...signatureOf(answerer) };
  return { answer: { ...earlier, kind: 'counted' }, request, kept };
}

/** True if the application itself, such as a timer of it, rejects a request that has expired: no approval of it counts. */
function isLapsedRejection(
  { answering, at }: SignedAnswers,
  request: PendingRequestData,
  { response }: FunctionResponse,
): boolean {
  const hasExpired = request.expiresAt !== undefined && at >= request.expiresAt;
  return hasExpired && answering.isStated && isRejection(request, response);
}

/** Refuses an answer to a request that the caller has changed: the change would be ignored. */
function refuseChanged({ answerer, session }: AnswerReader, pending: OpenRequest | undefined): void {
  const { given } = answerer;
  if (given === undefined || pending === undefined) return;
  const stored = pendingRequest(pending.request, keyOf(session), pending);
  for (const field of COMPARED_FIELDS) {
    const shown = given.request[field];
    if (shown === undefined || isSameJson(shown, stored[field])) continue;
    // The event of a handle does not hold the arguments of its call.
    if (field === 'args' && stored.kind === 'result') continue;
    throw new RequestChangedError(stored.id, field);
  }
}

/** Which fields of a request are compared with what a caller passes back: a field that is left out here does not compile. */
const COMPARED: Readonly<Record<keyof PendingRequest, boolean>> = {
  kind: true,
  id: true,
  functionCallId: true,
  tool: true,
  args: true,
  hint: true,
  payload: true,
  schema: true,
  definition: true,
  expiresAt: true,
  askedBy: true,
  askedAgain: true,
  mayHaveTakenEffect: true,
  appName: true,
  userId: true,
  sessionId: true,
  invocationId: true,
  path: true,
  approvers: true,
  requester: true,
  remember: true,
  // Others may have approved since.
  approvals: false,
  askedAt: true,
  delegations: false,
  // Clients of the ADK complete it.
  authConfig: false,
};

const COMPARED_FIELDS = (Object.keys(COMPARED) as (keyof PendingRequest)[]).filter(
  (field) => COMPARED[field],
);

/** True for a request of a toolset or of an agent. */
function isWithoutCall({ askedBy }: PendingRequestData): boolean {
  return askedBy === 'toolset' || askedBy === 'agent';
}

/** A request for which no call waits, in the form of a call. Its event determines the agent that continues. */
function openWithoutCall(session: Session, { id, functionCallId, tool: name }: PendingRequestData) {
  for (const event of effectiveEventsBackwards(logOf(session)))
    if (event.longRunningToolIds.includes(id)) return { call: { id: functionCallId, name }, event };
  return undefined;
}

/** The earlier answers about a call. */
function earlierAnswer(open: PendingIndex, request: PendingRequestData, call: OpenCall): Answer {
  if (isWithoutCall(request)) return { open: call, request, kind: 'uncalled' };
  const record = open.recordOf(request.functionCallId);
  const isInterrupted = request.mayHaveTakenEffect === true && record.ending === undefined;
  return { ...record, open: call, request, kind: 'again', isInterrupted: isInterrupted || undefined };
}

/** Reads a result from outside, which only the call of a tool that returned a handle accepts. */
function readResult(open: PendingIndex, { id = '', name, willContinue }: FunctionResponse): ReadAnswer {
  const call = isRequestName(name) ? undefined : open.findLongRunning(id);
  if (call === undefined) throw new RequestNotPendingError(id);
  refuseOtherName({ id, name }, [call.call.name]);
  return { answer: { open: call, kind: 'result' }, isInterim: willContinue === true };
}

/** Refuses a name other than that of the call or of the request. An answer may have no name. */
function refuseOtherName({ id = '', name }: FunctionResponse, names: readonly (string | undefined)[]): void {
  if (name === undefined || names.includes(name)) return;
  throw new AnswerInvalidError(id, `the name ${names.map((one) => JSON.stringify(one)).join(' or ')}`);
}

/** Reads a decision. A refusal ends the call. An approval that a function of the call requested is kept for its next run. */
function decide(
  { answerer, open, session }: AnswerReader,
  earlier: Answer,
  request: PendingRequestData,
  response: Record<string, unknown> | undefined,
): ReadAnswer {
  const claimed = readDecision(request, response);
  if (claimed === undefined)
    throw new AnswerInvalidError(request.id, '{ confirmed: true } or { confirmed: false }');
  if (claimed.args !== undefined && !isSameJson(claimed.args, request.args))
    throw new RequestChangedError(request.id, 'args');
  const { confirmed } = claimed.confirmation;
  const payload = payloadIn(response);
  const { reason } = claimed;
  const { remember, given, answering } = answerer;
  const isEdited = open.find(request.id)?.isEdited === true;
  if (confirmed && remember !== undefined)
    refuseRemembered(request, answering, isEdited || given?.args !== undefined);
  // Who answers by the id alone may have seen the arguments before they were changed.
  if (confirmed && isEdited && claimed.args === undefined && given?.args === undefined)
    throw new ApprovalOfChangedArgumentsError(request.id);
  const isRemembered = remember !== undefined && confirmed && request.askedBy === undefined;
  const kept = present({
    confirmed,
    payload,
    reason,
    args: given?.args ?? (isEdited ? request.args : undefined),
    ...signatureOf(answerer),
    remember: isRemembered ? remember : undefined,
  });
  const subject = answerSubjectOf({ ...request, ...given?.asked }, session.userId);
  if (confirmed && isOneOfSeveral(request, { kept, answering, subject }))
    return { answer: { ...earlier, kind: 'counted' }, request, kept: { ...kept, ...given?.asked } };
  const answer =
    isCallAsker(request.askedBy) && confirmed
      ? withGiven(earlier, request, kept)
      : { ...earlier, ...readDecision(request, kept) };
  return { answer, request, kept };
}

/** True for an approval that leaves its request open, because more people have to approve. */
function isOneOfSeveral(
  request: PendingRequestData,
  {
    kept,
    answering,
    subject,
  }: {
    readonly kept: Record<string, unknown>;
    readonly answering: AnsweringPrincipal;
    readonly subject: AnswerSubject;
  },
): boolean {
  if (countOf(subject.rules) === 1) return false;
  const approvals = approvalsWith(request, kept);
  if (hasApproved(approvals.slice(0, -1), answering))
    throw new ApproverNotAllowedError(
      request.id,
      answering.principal.id,
      'it has approved it already',
      'Another person has to approve it, too.',
    );
  return !isApproved(approvals, subject);
}

const LEAVE_REMEMBER_OUT = 'Leave remember out.';

/** Refuses an approval of later calls where its tool says who may approve each, or that it covers none. */
function refuseRemembered(
  { id, approvers = NO_RULES, remember }: PendingRequestData,
  { principal }: AnsweringPrincipal,
  isEdited: boolean,
): void {
  if (!mayBeRemembered(approvers))
    throw new ApproverNotAllowedError(
      id,
      principal.id,
      'its tool says who may approve each call, so an approval covers no later one',
      LEAVE_REMEMBER_OUT,
    );
  if (remember === false)
    throw new ApproverNotAllowedError(
      id,
      principal.id,
      'its tool lets no approval of this call cover later ones',
      LEAVE_REMEMBER_OUT,
    );
  if (remember !== undefined && isEdited)
    throw new ApproverNotAllowedError(
      id,
      principal.id,
      'an approval covers later calls like the one that was shown, and these are other arguments',
      LEAVE_REMEMBER_OUT,
    );
}

/** Who answered, as stored with the answer. */
function signatureOf({ answering: { principal }, channel, at }: SignedAnswers) {
  return present({ by: principal.id, principal: principalToStore(principal), channel, at });
}

function withGiven(earlier: Answer, request: PendingRequestData, response: Record<string, unknown>): Answer {
  return { ...earlier, given: [...(earlier.given ?? []), { request, response }] };
}

/** True if a value is the requested input. */
export type InputChecks = ReadonlyMap<string, (value: unknown) => boolean>;

const NO_CHECKS: InputChecks = new Map();

/**
 * The checks of the inputs that a message may answer, by request id. They are compiled before the answers are read,
 * because reading an answer and appending it happen without waiting in between.
 */
export async function inputChecks(session: Session, content: Content): Promise<InputChecks> {
  if (functionResponsesOf(content).length === 0) return NO_CHECKS;
  const checks = new Map<string, (value: unknown) => boolean>();
  const open = PendingIndex.of(session);
  for (const { id = '' } of functionResponsesOf(content)) {
    const { request } = open.find(id) ?? {};
    if (request?.kind !== 'input' || request.schema === undefined) continue;
    checks.set(request.id, await inputCheck(request.id, request.schema));
  }
  return checks;
}

/** A schema in a log of an earlier version may not be valid: the request can then only be rejected. */
async function inputCheck(id: string, schema: JsonSchema): Promise<(value: unknown) => boolean> {
  try {
    const validate = (await schemaCompiler(schema))();
    return (value) => validate(value);
  } catch (error) {
    const fault = `a rejection, because its schema is not valid (${describeThrown(error).message})`;
    return () => {
      throw new AnswerInvalidError(id, fault);
    };
  }
}

/** Reads an input: clients send a string or a number under `result`, and an object unchanged or under `result`. */
function readInput(
  { answerer, inputs }: AnswerReader,
  earlier: Answer,
  request: PendingRequestData,
  response: Record<string, unknown> = {},
): ReadAnswer {
  const fits = inputs.get(request.id);
  const sent = 'result' in response ? [response['result'], response] : [response];
  const value = fits === undefined ? sent[0] : sent.find(fits);
  if (value === undefined) {
    throw new AnswerInvalidError(request.id, `{ result: … }, which is ${JSON.stringify(request.schema)}`);
  }
  const kept = { result: value, ...signatureOf(answerer) };
  return { answer: withGiven(earlier, request, kept), request, kept };
}

/** Reads a credential. A call that was confirmed before the credential was requested stays confirmed. */
function readSecret(
  answer: Answer,
  request: PendingRequestData,
  response: Record<string, unknown> = {},
): ReadAnswer {
  const { authConfig } = request;
  const credential = authConfig && readCredentialAnswer(request.id, authConfig, response);
  if (credential === undefined) throw new AnswerInvalidError(request.id, wantedFor(authConfig));
  return { answer: { ...answer, credential }, request, kept: RECEIVED };
}

const RECEIVED = Object.freeze({ status: 'received' });

function wantedFor(authConfig: PendingRequestData['authConfig']): string {
  return authConfig?.exchangedAuthCredential === undefined
    ? 'the credential, such as { credential: { type: "apiKey", apiKey: "…" } }'
    : 'the address that the browser came back to, as { credential: { authResponseUri: "…" } }';
}
