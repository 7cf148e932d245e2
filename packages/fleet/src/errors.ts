import { AdornError } from '@adorn/core';

/** Node.js is older than a library needs. */
export class NodeTooOldError extends AdornError {
  readonly code = 'NODE_TOO_OLD';

  constructor(library: string, found: string, needed: string) {
    super(
      `${library} needs Node.js ${needed}; this is ${found}. Start the server and the workers with ${needed} or later.`,
    );
  }

  /** @throws {NodeTooOldError} */
  static throwBelow(library: string, major: number, minor: number): void {
    const [isMajor = 0, isMinor = 0] = process.versions.node.split('.').map(Number);
    if (isMajor < major || (isMajor === major && isMinor < minor))
      throw new this(library, process.versions.node, `${String(major)}.${String(minor)}`);
  }
}

/** An invocation id was accepted before, with another message or for another session. */
export class InvocationAcceptedError extends AdornError {
  readonly code = 'INVOCATION_ACCEPTED';

  constructor(invocationId: string) {
    super(
      `An invocation ${invocationId} was accepted before, with other contents. Nothing was stored. ` +
        'Leave the id out, or repeat the same submission.',
    );
  }
}

/** Too many invocations wait. A server answers 429 with `Retry-After`. */
export class FleetBusyError extends AdornError {
  readonly code = 'SERVER_BUSY';

  /**
   * @param waiting how many invocations wait, of the application or of one user
   * @param retryAfter seconds after which the submission may be accepted
   */
  constructor(
    waiting: number,
    option: 'maxWaiting' | 'maxWaitingPerUser',
    readonly retryAfter: number,
  ) {
    super(
      `${waiting.toLocaleString('en')} invocations wait for a worker, as many as ${option} allows. Nothing was stored. ` +
        `Repeat the submission in ${String(retryAfter)} s, or start more workers.`,
    );
  }
}

/** A credential was submitted: submissions are stored, and credentials never are in plain text. */
export class CredentialSubmittedError extends AdornError {
  readonly code = 'NOT_SUPPORTED';

  constructor(requestId: string) {
    super(
      `The request "${requestId}" is for a credential, which an inbox must not store. Nothing was stored. ` +
        'Call runner.supply on the machine that has the credential.',
    );
  }
}
