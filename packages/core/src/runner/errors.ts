import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import type { PendingRequest, PendingRequestData } from '../events/pending-request.js';

/** An answer is not of the kind that was asked for. The request stays open. */
export class AnswerInvalidError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(requestId: string, wanted: string) {
    super(
      `The answer to "${requestId}" is none. Send a function response that holds ${wanted}; the request stays open.`,
    );
  }
}

/** A request was answered in a way that is not for it. It stays open. */
export class AnswerMisdirectedError extends AdornError {
  readonly code = 'ANSWER_INVALID';

  constructor(request: PendingRequestData, fault: string, cure: string) {
    super(
      `The ${request.kind} of ${request.tool} cannot be answered so: ${fault}. ${cure}; the request stays open.`,
    );
  }
}

/** The session, or the id, is in use by an invocation that is active. */
export class InvocationActiveError extends AdornError {
  readonly code = 'INVOCATION_ACTIVE';

  constructor(
    invocationId: string,
    remedy = 'Leave invocationId out, or wait until it has ended: runner.isActive tells.',
  ) {
    super(`An invocation "${invocationId}" is going on. ${remedy}`);
  }

  /** The session is in use, and the caller does not want to wait. */
  static inSession(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      "Its session takes one run at a time. Wait until it has ended, end it by runner.cancel, or set whileActive: 'queue'.",
    );
  }

  /** Another process has the session, and the caller does not want to wait. */
  static elsewhere(invocationId: string, takeOverAfter: number): InvocationActiveError {
    return new this(
      invocationId,
      'Another process runs it, and its session takes one run at a time. Wait until it has ended, or has been silent ' +
        `for ${String(takeOverAfter)} ms (takeOverAfter), or set whileActive: 'queue'.`,
    );
  }

  /** A run that was started by a tool or callback of the active run would wait for itself. */
  static ofItself(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      'A run that it starts in its own session would wait for itself. Give the nested run another sessionId.',
    );
  }
}

/** A conversation was to be rewound to an invocation that is not in it. */
export class InvocationNotFoundError extends AdornError {
  readonly code = 'INVOCATION_NOT_FOUND';

  constructor(invocationId: string, sessionId: string) {
    super(
      `No event of the session "${sessionId}" bears the invocationId "${invocationId}". ` +
        'Pass the invocationId of one of its events.',
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
    readonly text: string,
  ) {
    super(
      `The answer of agent "${agentName}" ${fault}. It has an outputSchema; the answer was: ${shortened(text)}. ` +
        'Ask again, or read `text` of the run.',
    );
  }
}

/** A run that should have given a text gave none. */
export class RunFailedError extends AdornError {
  readonly code = 'RUN_FAILED';

  /** @param event the event that says why */
  constructor(readonly event: Event) {
    super(
      `The run ended without an answer: ${String(event.errorCode)}${reasonOf(event)} ` +
        'See the events of the run.',
    );
  }
}

/** A run that should have given a text waits for somebody. */
export class RunPausedError extends AdornError {
  readonly code = 'RUN_PAUSED';

  constructor(
    readonly sessionId: string,
    readonly pending: readonly PendingRequest[],
  ) {
    super(
      `The run waits for an answer: ${pending.map(({ kind, tool }) => `${kind} of ${tool}`).join(', ')}. ` +
        'Approve, reject or supply what the error lists as pending.',
    );
  }
}

/** A runner was used after it was closed. */
export class RunnerClosedError extends AdornError {
  readonly code = 'RUNNER_CLOSED';

  constructor() {
    super('This runner is closed, and what it held is disposed of. Create another with createRunner.');
  }
}

/** What the event says of its error, ending with a period. */
function reasonOf({ errorMessage = '' }: Event): string {
  return errorMessage === '' ? '.' : `, ${errorMessage.replace(/\.$/, '')}.`;
}

const SHOWN_LENGTH = 200;

function shortened(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
