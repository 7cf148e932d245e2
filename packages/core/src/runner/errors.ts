/* eslint-disable max-lines -- one list, which a reader searches by name */
import { TRIPWIRE, type Tripwire } from '../run/tripwire.js';
import { AdornError, describeThrown, kindOf, shownName } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { PendingRequest, PendingRequestData } from '../events/pending-request.js';

/** An answer is not of the requested kind. The request stays pending. */
export class AnswerInvalidError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(requestId: string, wanted: string) {
    super(
      `The answer to "${requestId}" is not valid. Send a function response with ${wanted}; the request stays pending.`,
    );
  }
}

/** As many messages wait for a conversation as its mailbox holds. The message is not stored. */
export class MailboxFullError extends AdornError {
  readonly code = 'MAILBOX_FULL';

  constructor(sessionId: string, limit: number) {
    super(
      `${String(limit)} messages wait to be read in session "${sessionId}", and no more are taken. Send this one again when ` +
        'some have been read.',
    );
  }
}

/** The process that has the session did not take an answer of this one. The request stays pending. */
export class AnswerRefusedElsewhereError extends AdornError {
  readonly code = 'ANSWER_REFUSED';
  /** The code of the error there. */
  readonly reason: string;

  /** @param refusal the code and message of the error there, as JSON */
  constructor(refusal: string) {
    const { code, message } = JSON.parse(refusal) as { readonly code: string; readonly message: string };
    super(
      `The process that has the live session did not take the answer: ${message} Read runner.pending again.`,
    );
    this.reason = code;
  }
}

/** The arguments of an approval do not fit the tool. The request stays pending. */
export class AnswerArgumentsInvalidError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(requestId: string, toolName: string, cause: unknown) {
    const { message } = describeThrown(cause);
    super(
      `The approval of "${requestId}" has other arguments, which "${toolName}" does not take. Nothing was run; the request ` +
        `stays pending. ${message}`,
      { cause },
    );
  }
}

/** An answer came with a request that is not the one that is pending. It stays pending. */
export class RequestChangedError extends AdornError {
  readonly code = 'REQUEST_CHANGED';

  constructor(
    readonly requestId: string,
    /** The first field that differs. */
    readonly field: string,
  ) {
    super(
      `The answered request "${requestId}" is not the one that is pending: ${field} is different. Nothing was run; the ` +
        'request stays pending. Pass a request of runner.pending unchanged. To approve a call with other arguments, use ' +
        'runner.approve(request, { args }).',
    );
  }
}

/** Somebody has changed the arguments of a call since it was asked about, and an approval does not name them. */
export class ApprovalOfChangedArgumentsError extends AdornError {
  readonly code = 'REQUEST_CHANGED';

  constructor(readonly requestId: string) {
    super(
      `The arguments of the call that "${requestId}" asks about were changed by somebody who has approved it. An approval has to ` +
        'name the arguments that it is for. Nothing was run; the request stays pending. Read it again with runner.pending, and ' +
        'pass its arguments as args.',
    );
  }
}

/** A message would run in another's name: it answers runs of different requesters, or says something beside an answer. */
export class RequestersMixedError extends AdornError {
  readonly code = 'REQUESTERS_MIXED';

  private constructor(
    /** The id of an answered request, which stays open. */
    readonly requestId: string,
    fault: string,
    cure: string,
  ) {
    super(`${fault} A run has one requester. Nothing was stored; the requests stay pending. ${cure}`);
  }

  /** A text, a file or the like, of somebody who did not begin the run, or had other roles then. */
  static besideAnswer(requestId: string): RequestersMixedError {
    return new this(
      requestId,
      `The message answers "${requestId}", whose run another principal has begun, or the same one with other roles, and it ` +
        'says something besides.',
      'Send the answer alone, and what else there is to say as a message of its own.',
    );
  }

  static ofAnswers(requestId: string): RequestersMixedError {
    return new this(
      requestId,
      `The message answers "${requestId}" and requests of runs that another principal has begun.`,
      'Send a message for each.',
    );
  }
}

/** `runner.live` was called, and the runner has nothing that opens live sessions. */
export class LiveSessionsMissingError extends AdornError {
  readonly code = 'LIVE_SESSIONS_MISSING';

  constructor() {
    super(
      'The runner cannot open a live session: that is the part of the package @adorn/live. Create the runner with createRunner ' +
        'of adorn, or pass the module liveSessions of @adorn/live.',
    );
  }
}

/** An answer came while a live session was open, to a call of an agent that has not spoken in it. It stays pending. */
export class RequestOfOtherAgentError extends AdornError {
  readonly code = 'REQUEST_OF_OTHER_AGENT';

  constructor(
    readonly requestId: string,
    /** The path of the agent. */
    readonly agentPath: string,
  ) {
    super(
      `The request "${requestId}" is of the agent "${agentPath}", which has not spoken in the live session that is open: ` +
        'its call cannot run there. Nothing was stored; the request stays pending. Close the live session first, then answer ' +
        'with runner.approve, runner.reject or runner.supply.',
    );
  }
}

/** The code has no agent at the place of the call that an answer is for. The request stays pending. */
export class AgentTreeChangedError extends AdornError {
  readonly code = 'AGENT_TREE_CHANGED';

  constructor(
    readonly requestId: string,
    agentPath: string,
  ) {
    super(
      `The request "${requestId}" was made by the agent "${agentPath}", which is not in the tree any more. Nothing was run; ` +
        'the request stays pending. Deploy the code that made it, or reject the request.',
    );
  }
}

/** A toolset could not be listed, so the tool of the answered call is missing. The request stays pending. */
export class AnsweredToolMissingError extends AdornError {
  readonly code = 'TOOLSET_FAILED';

  constructor(requestId: string, toolName: string, faults: readonly string[]) {
    super(
      `The tool "${toolName}" of the request "${requestId}" is missing, because a toolset could not be listed. Nothing was ` +
        `run; the request stays pending. Answer it again later. ${faults.join(' ')}`,
    );
  }
}

/** A request was answered with the wrong method. It stays pending. */
export class AnswerMisdirectedError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(request: PendingRequestData, fault: string, cure: string) {
    super(
      `The ${request.kind} of ${request.tool} cannot be answered this way: ${fault}. ${cure}; the request stays pending.`,
    );
  }
}

/** Another value than a request was passed to `approve`, `reject` or `supply`. */
export class RequestUnreadableError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(method: string, given: unknown) {
    const kind = given === undefined ? 'undefined' : kindOf(given);
    const found = typeof given === 'string' ? `"${shownName(given)}"` : kind;
    super(
      `runner.${method}: ${found} is not a request. ` +
        'Pass an element of runner.pending({ userId, sessionId }), or of the pending of a run.',
    );
  }
}

/** The log has the invocation of a message that is to run once. Nothing was stored. */
export class InvocationRepeatedError extends AdornError {
  readonly code = 'INVOCATION_REPEATED';

  constructor(invocationId: string) {
    super(
      `The session has the invocation "${invocationId}" already, so its message was not run again. ` +
        'Read its events from the session, or leave invocationId out for a new message.',
    );
  }
}

/** The session or the invocation id is in use by an active invocation. */
export class InvocationActiveError extends AdornError {
  readonly code = 'INVOCATION_ACTIVE';

  constructor(
    invocationId: string,
    remedy = 'Omit invocationId, or wait until runner.isActive returns false.',
  ) {
    super(`The invocation "${invocationId}" is active. ${remedy}`);
  }

  /** The session is in use, and the caller does not want to wait. */
  static inSession(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      "A session runs one invocation at a time. Wait until it has ended, call runner.cancel, or set whileActive: 'queue'.",
    );
  }

  /** A run of a user who is to be forgotten is in progress. */
  static ofUser(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      'It would go on writing what is to be erased; nothing was erased. Wait until it has ended, or pass cancelRuns: true.',
    );
  }

  /** A run of another process uses the session, and the caller does not want to wait. */
  static elsewhere(invocationId: string, takeOverAfter: number): InvocationActiveError {
    return new this(
      invocationId,
      'It runs in another process, and a session runs one invocation at a time. Wait until it has ended, or has been ' +
        `silent for ${String(takeOverAfter)} ms (takeOverAfter), or set whileActive: 'queue'.`,
    );
  }

  /** A run that was started by a tool or callback of the active run would wait for itself. */
  static ofItself(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      'A nested run in the same session would wait for itself. Use another sessionId for the nested run.',
    );
  }
}

/** The invocation to rewind to is not in the session. */
export class InvocationNotFoundError extends AdornError {
  readonly code = 'INVOCATION_NOT_FOUND';

  constructor(invocationId: string, sessionId: string) {
    super(
      `No event of the session "${sessionId}" has the invocationId "${invocationId}". ` +
        'Pass the invocationId of one of its events.',
    );
  }
}

/** The event about which somebody gives feedback is not one of an agent in the session. Nothing was stored. */
export class EventNotFoundError extends AdornError {
  readonly code = 'EVENT_NOT_FOUND';

  constructor(eventId: string, sessionId: string) {
    super(
      `No event of an agent in the session "${sessionId}" has the id "${eventId}". Nothing was stored. Pass the id of an answer, ` +
        'as the run yielded it; a piece of a streamed answer has none yet.',
    );
  }
}

/** Feedback has a value that it cannot have. Nothing was stored. */
export class FeedbackInvalidError extends AdornError {
  readonly code = 'FEEDBACK_INVALID';

  private constructor(fault: string, cure: string) {
    super(`The feedback is not valid: ${fault}. ${cure} Nothing was stored.`);
  }

  static ofPlace(): FeedbackInvalidError {
    return new this(
      'it has to be about one event or one invocation',
      'Pass either eventId or invocationId, and not both.',
    );
  }

  static ofScore(score: unknown): FeedbackInvalidError {
    const found = typeof score === 'number' ? String(score) : kindOf(score);
    return new this(
      `its score is ${found}`,
      'Pass a number from 0, bad, to 1, good, or null to take it back. Of five stars, four are 0.75.',
    );
  }

  static ofText(name: string, kind: string): FeedbackInvalidError {
    return new this(`its ${name} is ${kind}`, 'Pass a text, or leave it out.');
  }

  static ofLength(name: string, length: number, most: number): FeedbackInvalidError {
    return new this(`its ${name} has ${String(length)} characters`, `Pass at most ${String(most)}.`);
  }

  static ofTakenBack(): FeedbackInvalidError {
    return new this('it is taken back, and has a label or a comment', 'Leave them out, or pass a score.');
  }
}

/** A principal has changed its feedback on an event too often. Nothing was stored; the last one counts. */
export class FeedbackLimitError extends AdornError {
  readonly code = 'FEEDBACK_LIMIT_REACHED';

  constructor(eventId: string, limit: number) {
    super(
      `The feedback on the event "${eventId}" was given ${String(limit)} times by this principal, and is not changed any more. The ` +
        'last one counts. Do not repeat what has not changed.',
    );
  }
}

/** The event or invocation up to which a conversation is to be copied is not in the session. */
export class ForkPointNotFoundError extends AdornError {
  readonly code = 'FORK_POINT_NOT_FOUND';

  /** @param at the id; undefined if the session has no events */
  constructor(at: string | undefined, sessionId: string) {
    super(
      at === undefined
        ? `The session "${sessionId}" has no events, so there is nothing to copy. Begin a new conversation with runner.run.`
        : `No event of the session "${sessionId}" has the id or the invocationId "${shownName(at)}". ` +
            'Pass one of its events, or leave "at" out to copy the whole conversation. Nothing was copied.',
    );
  }
}

/** The run to continue has ended, or is not the last one of its session. */
export class NothingToResumeError extends AdornError {
  readonly code = 'NOTHING_TO_RESUME';

  /** The last run of a session has ended, or is paused. */
  static inSession(sessionId: string): NothingToResumeError {
    return new this(
      `The last run of the session "${sessionId}" has ended, or waits for an answer. Send a message with runner.run, or ` +
        'answer what runner.pending lists.',
    );
  }

  /** @param last the id of the last run of the session */
  static ofRun(invocationId: string, last: string): NothingToResumeError {
    return new this(
      `The run "${invocationId}" is not the last one of its session, which is "${last}". Only the last run can be ` +
        'continued: omit invocationId, or send a message with runner.run.',
    );
  }
}

/** A run of another process cannot be followed to its end: nobody runs it any more. */
export class RunInterruptedError extends AdornError {
  readonly code = 'RUN_INTERRUPTED';

  constructor(
    /** The run that did not end. */
    readonly invocationId: string,
  ) {
    super(
      `The run "${invocationId}" was interrupted: its process has ended, or gave it up, before the run did. Continue it with ` +
        'runner.recover or runner.resume. Look at what it has done before the message is sent again: its calls may have taken effect.',
    );
  }
}

/** The answer of a run does not fit the `outputSchema` of the agent that gave it. */
export class OutputInvalidError extends AdornError {
  readonly code = 'OUTPUT_INVALID';

  /** @param text the answer as the model gave it */
  constructor(
    agentName: string,
    fault: string,
    /** The answer of the model, unchanged. */
    readonly text: string,
  ) {
    super(
      `The answer of agent "${agentName}" ${fault}. It has an outputSchema; the answer was: ${shortened(text)}. ` +
        'Ask again, or read `text` of the run.',
    );
  }
}

/** A run ended without an answer. */
export class RunFailedError extends AdornError {
  readonly code = 'RUN_FAILED';

  /** The guardrail that refused something; undefined if the run failed for another reason. */
  readonly tripwire: Tripwire | undefined;

  /** @param event the event with the error */
  constructor(
    /** The event that ended the run, with its `errorCode` and `errorMessage`. */
    readonly event: Event,
  ) {
    super(
      `The run ended without an answer: ${String(event.errorCode)}${reasonOf(event)} ` +
        'See the events of the run.',
    );
    this.tripwire = event.customMetadata?.[TRIPWIRE] as Tripwire | undefined;
  }
}

/** A run is paused and waits for answers to its requests. */
export class RunPausedError extends AdornError {
  readonly code = 'RUN_PAUSED';

  constructor(
    /** The session in which the run waits. */
    readonly sessionId: string,
    /** The requests to answer, by `runner.approve` and its siblings. */
    readonly pending: readonly PendingRequest[],
  ) {
    super(
      `The run waits for an answer: ${pending.map(({ kind, tool }) => `${kind} of ${tool}`).join(', ')}. ` +
        'Answer the requests in the error\'s "pending" with runner.approve, runner.reject or runner.supply.',
    );
  }
}

/** A runner was used after it was closed. */
export class RunnerClosedError extends AdornError {
  readonly code = 'RUNNER_CLOSED';

  constructor() {
    super('The runner is closed. Create another one with createRunner.');
  }
}

/** The error message of the event, ending with a period. */
function reasonOf({ errorMessage = '' }: Event): string {
  return errorMessage === '' ? '.' : `, ${errorMessage.replace(/\.$/, '')}.`;
}

const SHOWN_LENGTH = 200;

function shortened(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}

/** A message reaches no model, so there is no request to explain. */
export class NothingToExplainError extends AdornError {
  readonly code = 'NOTHING_TO_EXPLAIN';

  /** @param call the tool that would run before a model is called */
  constructor(call: string | undefined, events: readonly Event[]) {
    super(
      call === undefined
        ? `The message reaches no model: the run ends ${endOf(events)}. Explain a message that a model would answer.`
        : `The tool "${shownName(call)}" would run before a model is called. Finish the conversation's open calls first, or ` +
            'explain in another session.',
    );
  }
}

function endOf(events: readonly Event[]): string {
  const last = events.at(-1);
  if (!last) return 'without an event';
  if (last.pending.length > 0)
    return `with a request for ${last.pending.map(({ kind }) => kind).join(' and ')}`;
  const { errorCode, errorMessage } = last;
  if (errorCode !== undefined) return `with ${errorCode}${errorMessage ? ` (${errorMessage})` : ''}`;
  return `with the answer of ${last.author}`;
}

/** An effect of `once` was not settled: it does not wait for somebody's word. The effect is as it was. */
export class EffectNotOpenError extends AdornError {
  readonly code = 'EFFECT_NOT_OPEN';

  /** @param why a sentence */
  constructor(id: string, why: string) {
    super(
      `The effect "${shownName(id)}" was not settled. ${why} runner.unknownEffects lists the effects that wait.`,
    );
  }
}

/** Somebody who may not settles an effect of `once`. Nothing was stored; the effect stays open. */
export class EffectNotAllowedError extends AdornError {
  readonly code = 'APPROVER_NOT_ALLOWED';

  constructor(tool: string, principalId: string, why: string) {
    super(
      `"${shownName(principalId)}" may not settle an effect of the tool "${tool}": ${why}. Nothing was stored; the effect stays open. ` +
        'See `approvers` of the tool, and pass who settles it as `by`, such as { id, roles }.',
    );
  }
}
