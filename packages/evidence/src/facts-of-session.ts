import type { Event, Session } from '@adorn/core';
import {
  type AnsweringPrincipal,
  callerOf,
  type Delegation,
  type EveryField,
  feedbackIn,
  functionCallsOf,
  functionResponsesOf,
  isImported,
  isObject,
  isRejection,
  isRequestName,
  isSameJson,
  logOf,
  mayAnswer,
  type PendingRequestData,
  present,
  type Principal,
  principalIn,
  readDecision,
  requesterIn,
  requesterOfRun,
  type Settlement,
  settlementIn,
  type StoredFeedback,
} from '@adorn/core/backend';

import type { EvidenceFact, UnchainedRow } from './evidence-row.js';

/** A fact of a session, with its contents. */
export interface FoundFact extends UnchainedRow {
  readonly row: EvidenceFact;
}

type Response = Readonly<Record<string, unknown>>;
type Stored = ReturnType<typeof functionResponsesOf>[number];

/** A request, and to whom the right to answer it was passed on. */
interface AskedRequest {
  readonly request: PendingRequestData;
  readonly askedAt: number;
  readonly delegations: readonly Delegation[];
}

/** Everything that a session's log says of who asked, what was shown, who answered, and what ran: also what was undone later. */
export function factsOfSession(session: Session): FoundFact[] {
  const reader = new FactReader(session);
  const log = logOf(session);
  const first = session.nextSeq - log.length;
  return log.flatMap((event, index) => reader.read(event, first + index));
}

/** Reads a log from its beginning: an answer is understood by the request before it. */
class FactReader {
  private readonly requests = new Map<string, AskedRequest>();
  /** The id of the last request about a call. */
  private readonly ofCall = new Map<string, string>();
  private readonly tools = new Map<string, string>();
  private readonly requesters = new Map<string, Principal>();

  constructor(private readonly session: Session) {}

  read(event: Event, seq: number): FoundFact[] {
    const { id: eventId, invocationId, timestamp: at, actions } = event;
    const { userId, id: sessionId } = this.session;
    const place = { userId, sessionId, seq, eventId, invocationId, at };
    if (actions.rewindBeforeInvocationId !== undefined)
      return [{ row: { ...place, kind: 'rewind', before: actions.rewindBeforeInvocationId } }];
    if (actions.compaction) return [];
    const feedback = feedbackIn(event);
    if (feedback) return [judged(feedback, place)];
    const settlement = settlementIn(event);
    if (settlement) return [settled(settlement, place)];
    const facts = [
      ...this.said(event),
      ...this.calls(event),
      ...this.responses(event),
      ...event.pending.map((request) => this.asked(request, event)),
      ...errorsOf(event),
    ];
    return facts.map(({ row, contents }) => ({
      row: present({ ...place, ...row }) as EvidenceFact,
      contents,
    }));
  }

  private said(event: Event): NewFact[] {
    const { author, content } = event;
    const isAnswer = functionResponsesOf(content).length > 0;
    if (author !== 'user') {
      const contents = { text: event.text };
      return event.text === '' ? [] : [{ row: { kind: 'reply', agent: author }, contents }];
    }
    const parts = (content?.parts ?? []).filter(({ functionResponse }) => functionResponse === undefined);
    if (!content || (isAnswer && parts.length === 0)) return [];
    const by = requesterIn(event, this.session.userId);
    return [{ row: { kind: 'message', by }, contents: { content: { ...content, parts } } }];
  }

  private calls(event: Event): NewFact[] {
    if (event.author === 'user') return [];
    return functionCallsOf(event.content).flatMap(({ id: callId = '', name: tool = '', args = {} }) => {
      if (isRequestName(tool)) return [];
      this.tools.set(callId, tool);
      const { author: agent } = event;
      const requester = this.requesterOf(event);
      return [
        {
          row: { kind: 'call', callId, tool, agent, requester, caller: callerOf(event) },
          contents: { args },
        },
      ];
    });
  }

  private asked(request: PendingRequestData, event: Event): NewFact {
    const { id: requestId, kind: asks, functionCallId: callId } = request;
    const tool = request.tool === '' ? (this.tools.get(callId) ?? '') : request.tool;
    const requester = request.requester ?? this.requesterOf(event);
    this.requests.set(requestId, {
      request: { ...request, tool, requester },
      askedAt: event.timestamp,
      delegations: [],
    });
    this.ofCall.set(callId, requestId);
    const { rules, contents } = shownIn(request);
    return { row: { kind: 'request', requestId, asks, callId, tool, requester, ...rules }, contents };
  }

  private responses(event: Event): NewFact[] {
    return functionResponsesOf(event.content).flatMap((stored) => {
      const { id = '', name: tool = '' } = stored;
      if (event.author !== 'user') return isRequestName(tool) ? [] : [outcome(stored)];
      const answered = this.answer(event, stored);
      return isRequestName(tool) || this.tools.get(id) !== tool ? answered : [...answered, outcome(stored)];
    });
  }

  private answer(event: Event, { id = '', response = {}, willContinue }: Stored): NewFact[] {
    const requestId = this.requests.has(id) ? id : this.ofCall.get(id);
    const asked = requestId === undefined ? undefined : this.requests.get(requestId);
    if (requestId === undefined || asked === undefined) return [];
    const { request } = asked;
    const { functionCallId: callId, kind: asks, tool } = request;
    const answering = request.kind === 'result' ? undefined : principalIn(response);
    const by = answering?.principal ?? requesterIn(event, this.session.userId);
    const { verdict, contents, ...more } = answerIn(request, response);
    const right = answering && rightOf(asked, answering, this.session);
    if (more.to !== undefined)
      this.requests.set(requestId, { ...asked, delegations: [...asked.delegations, { by, to: more.to }] });
    const isPartial = willContinue === true || undefined;
    return [
      {
        row: { kind: 'answer', requestId, asks, callId, tool, verdict, by, isPartial, ...more, ...right },
        contents,
      },
    ];
  }

  private requesterOf({ invocationId }: Event): Principal {
    const known = this.requesters.get(invocationId) ?? requesterOfRun(this.session, invocationId);
    this.requesters.set(invocationId, known);
    return known;
  }
}

/** What of a request stands in other facts, or in other fields of its own. */
type KnownElsewhere =
  | 'id'
  | 'kind'
  | 'functionCallId'
  | 'tool'
  | 'requester'
  // The time of the event, and the answers that follow it.
  | 'askedAt'
  | 'delegations'
  | 'approvals';

/** Everything else that a request says: what was shown, and the rules that it stood under. */
function shownIn(request: PendingRequestData) {
  const { args, hint, payload, schema, authConfig } = request;
  const { approvers, remember, definition, expiresAt, askedBy, askedAgain, mayHaveTakenEffect } = request;
  const contents = { args, hint, payload, schema, authConfig };
  const rules = { approvers, remember, definition, expiresAt, askedBy, askedAgain, mayHaveTakenEffect };
  const shown: EveryField<Omit<PendingRequestData, KnownElsewhere>> = { ...contents, ...rules };
  return { contents, rules: { ...rules, askedAgain: shown.askedAgain?.reason } };
}

/** A fact before its place is known. */
interface NewFact {
  readonly row: Readonly<Record<string, unknown>>;
  readonly contents?: Readonly<Record<string, unknown>>;
}

/** What somebody thought of an answer, or that it is taken back. */
function judged(feedback: StoredFeedback, place: Readonly<Record<string, unknown>>): FoundFact {
  const { eventId: of, invocationId, by, score, label, comment } = feedback;
  const row = present({ ...place, kind: 'feedback', of, invocationId, by, score, label });
  return { row: row as EvidenceFact, contents: { comment } };
}

/** What somebody said of an effect whose outcome was unknown. */
function settled(settlement: Settlement, place: Readonly<Record<string, unknown>>): FoundFact {
  const { effect, claimedAt, tool, callId, by, happened, result, reason } = settlement;
  const row = { ...place, kind: 'settlement', callId, tool, effect, claimedAt, by, happened };
  return { row: row as FoundFact['row'], contents: { result, reason } };
}

function errorsOf({ errorCode: code, errorMessage, author: agent, partial }: Event): NewFact[] {
  if (code === undefined || partial) return [];
  return [{ row: { kind: 'error', agent, code }, contents: { message: errorMessage } }];
}

function outcome({ id: callId = '', name: tool = '', response = {}, willContinue }: Stored): NewFact {
  const { doneBefore } = response;
  const before = isObject(doneBefore) ? { doneBefore } : {};
  const status = willContinue === true ? 'waiting' : statusOf(response);
  return { row: { kind: 'outcome', callId, tool, status, ...before }, contents: { response } };
}

function statusOf(response: Response): 'returned' | 'error' | 'unknown' {
  if (response['outcome'] === 'unknown') return 'unknown';
  return response['error'] === undefined ? 'returned' : 'error';
}

/** The fields of an answer that are about it, and not what was supplied. */
const SIGNATURE = ['by', 'principal', 'channel', 'at', 'imported', 'delegateTo', 'remember'];

/** What somebody answered. */
function answerIn(request: PendingRequestData, response: Response) {
  const isResult = request.kind === 'result';
  const said = isResult ? undefined : response;
  const about = {
    channel: textOf(said?.['channel']),
    answeredAt: typeof said?.['at'] === 'number' ? said['at'] : undefined,
    remember: textOf(said?.['remember']),
    to: textOf(said?.['delegateTo']),
    isImported: (said !== undefined && isImported(said)) || undefined,
  };
  if (about.to !== undefined) return { ...about, verdict: 'delegated', contents: {} };
  const decision = request.kind === 'confirmation' ? readDecision(request, response) : undefined;
  if (decision) {
    const isEdited = (decision.args !== undefined && !isSameJson(decision.args, request.args)) || undefined;
    const { confirmed } = decision.confirmation;
    const contents = {
      args: isEdited && decision.args,
      payload: response['payload'],
      reason: decision.reason,
    };
    return { ...about, isEdited, verdict: confirmed ? 'approved' : 'rejected', contents };
  }
  if (isRejection(request, { ...response }))
    return { ...about, verdict: 'rejected', contents: { reason: response['reason'] } };
  const value = isResult
    ? response
    : Object.fromEntries(Object.entries(response).filter(([name]) => !SIGNATURE.includes(name)));
  return { ...about, verdict: 'supplied', contents: { value } };
}

/** By which right somebody answered who could not have done so at first. */
function rightOf(
  { request, askedAt, delegations }: AskedRequest,
  { principal, isStated, at = askedAt }: AnsweringPrincipal,
  { appName, userId, id: sessionId }: Session,
) {
  const delegation = delegations.find(({ to }) => to === principal.id);
  const shown = { ...request, askedAt, appName, userId, sessionId, invocationId: '' };
  const isEscalated =
    (!isStated && mayAnswer(shown, principal, at) && !mayAnswer(shown, principal, -Infinity)) || undefined;
  return { delegatedBy: delegation && (principal.actsFor ?? delegation.by.id), isEscalated };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
