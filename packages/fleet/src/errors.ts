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
