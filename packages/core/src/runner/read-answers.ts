import { type AuthCredential, readCredential } from '../auth/auth-config.js';
import { functionResponsesOf } from '../content/content-parts.js';
import type { Content, FunctionResponse } from '../content/genai-types.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import {
  isRequestName,
  type PendingRequestData,
  REQUEST_CONFIRMATION,
  REQUEST_CREDENTIAL,
  RequestNotPendingError,
} from '../events/pending-request.js';
import { readDecision } from '../events/requests-of.js';
import type { Session } from '../events/session.js';
import type { Answer } from '../invocation/answer.js';
import { AnswerInvalidError } from './errors.js';

/** What a message answers. */
export interface ReadAnswers {
  /** The message as it may be kept: its answers under the ids and names of the requests, and without a secret. */
  readonly content: Content;
  readonly answers: readonly Answer[];
  /** Credentials to keep before the calls enter the gates again. */
  readonly credentials: readonly { readonly key: string; readonly credential: AuthCredential }[];
  /** The requests that are answered with it. */
  readonly consumes: readonly string[];
}

/**
 * Reads the function responses of a user's message against what is open in the session. What the call was, and
 * what it may use, is taken from the log and never from the answer.
 *
 * @throws {RequestNotPendingError} where it answers what nobody asked, or what was answered already
 * @throws {AnswerInvalidError} where it is not an answer of the kind that was asked for
 */
export function readAnswers(session: Session, content: Content): ReadAnswers {
  const responses = functionResponsesOf(content);
  if (responses.length === 0) return { content, answers: [], credentials: [], consumes: [] };
  const open = PendingIndex.of(session);
  const read = responses.map((response) => readAnswer(open, response));
  refuseTwice(read);
  return {
    content: toKeep(content, read),
    answers: read.map(({ answer }) => answer),
    credentials: read.flatMap(({ credential }) => (credential === undefined ? [] : [credential])),
    consumes: read.flatMap(({ request }) =>
      request === undefined || request.kind === 'result' ? [] : [open.consumptionKey(request.id)],
    ),
  };
}

/** One message cannot answer a call twice, under whichever ids. */
function refuseTwice(read: readonly ReadAnswer[]): void {
  const seen = new Set<string>();
  for (const { answer } of read) {
    const id = answer.open.call.id ?? '';
    if (seen.has(id)) throw new RequestNotPendingError(id);
    seen.add(id);
  }
}

function toKeep(content: Content, read: readonly ReadAnswer[]): Content {
  const answers = read.values();
  const parts = content.parts?.map((part) => {
    if (part.functionResponse === undefined) return part;
    const answered = answers.next().value as ReadAnswer;
    return { ...part, functionResponse: asKept(part.functionResponse, answered) };
  });
  return { ...content, ...(parts !== undefined && { parts }) };
}

function asKept(response: FunctionResponse, { request, credential, answer }: ReadAnswer): FunctionResponse {
  switch (request?.kind) {
    case 'confirmation':
      return { ...response, id: request.id, name: REQUEST_CONFIRMATION };
    case 'credential':
      return {
        id: request.id,
        name: REQUEST_CREDENTIAL,
        response: { status: credential ? 'received' : 'none' },
      };
    default:
      return { ...response, name: answer.open.call.name };
  }
}

interface ReadAnswer {
  readonly answer: Answer;
  readonly request?: PendingRequestData | undefined;
  readonly credential?: { readonly key: string; readonly credential: AuthCredential };
}

function readAnswer(open: PendingIndex, response: FunctionResponse): ReadAnswer {
  const { id = '' } = response;
  const request = open.find(id)?.request;
  if (request === undefined || request.kind === 'result') return readResult(open, response);
  const call = open.findCall(request.functionCallId);
  if (call === undefined) throw new RequestNotPendingError(id);
  refuseOtherName(response, [call.call.name, requestNameOf(request)]);
  if (request.kind === 'confirmation') return decide(call, request, response.response);
  const earlier = open.decisionOn(request.functionCallId);
  return readSecret({ ...earlier, open: call, kind: 'again' }, request, response.response);
}

/** Only a tool that gave a handle lets its result come from outside. */
function readResult(open: PendingIndex, { id = '', name }: FunctionResponse): ReadAnswer {
  const call = isRequestName(name) ? undefined : open.findLongRunning(id);
  if (call === undefined) throw new RequestNotPendingError(id);
  refuseOtherName({ id, name }, [call.call.name]);
  return { answer: { open: call, kind: 'result' } };
}

/** An answer bears the name of the call or of the request, or no name. */
function refuseOtherName({ id = '', name }: FunctionResponse, names: readonly (string | undefined)[]): void {
  if (name === undefined || names.includes(name)) return;
  throw new AnswerInvalidError(id, `the name ${names.map((one) => JSON.stringify(one)).join(' or ')}`);
}

function requestNameOf({ kind }: PendingRequestData): string {
  return kind === 'confirmation' ? REQUEST_CONFIRMATION : REQUEST_CREDENTIAL;
}

function decide(
  open: OpenCall,
  request: PendingRequestData,
  response: Record<string, unknown> | undefined,
): ReadAnswer {
  const decision = readDecision(request, response);
  if (decision === undefined)
    throw new AnswerInvalidError(request.id, '{ confirmed: true } or { confirmed: false }');
  return { answer: { ...decision, open, kind: 'again' }, request };
}

/** A call that was confirmed before it asked for a credential stays confirmed. */
function readSecret(
  answer: Answer,
  request: PendingRequestData,
  response: Record<string, unknown> = {},
): ReadAnswer {
  const { scheme, key } = request.authConfig ?? {};
  const answered = response['credential'] ?? response['exchangedAuthCredential'] ?? response;
  const credential = scheme && readCredential(scheme, answered);
  if (credential === undefined || key === undefined) {
    throw new AnswerInvalidError(
      request.id,
      'the credential, such as { credential: { type: "apiKey", apiKey: "…" } }',
    );
  }
  return { answer: { ...answer, credential }, request, credential: { key, credential } };
}
