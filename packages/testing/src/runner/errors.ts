import { AdornError } from '@adorn/core';

import type { NetworkTarget } from './network/network-policy.js';

/** A test would have connected to something that its runner does not allow. */
export class NetworkBlockedError extends AdornError {
  readonly code = 'NETWORK_BLOCKED';

  constructor({ host, port }: NetworkTarget) {
    const where = port === undefined ? host : `${host}:${String(port)}`;
    super(
      `A test must not connect to ${where}. Override the service that connects, ` +
        `or allow it by testRunner(Agent, { network: ['${host}'] }).`,
    );
  }
}

/** A stepped run, or a live session, has not come to where the test wanted it. */
export class StepNotReachedError extends AdornError {
  readonly code = 'STEP_NOT_REACHED';

  /**
   * @param conversation the text of the conversation so far
   * @param waitedMs how long the test has waited in vain. Default: the run has ended
   */
  constructor(wanted: string, conversation: string, waitedMs?: number) {
    const [what, cure] =
      waitedMs === undefined
        ? [`The run has ended before ${wanted}.`, 'Ask for what it does, or find out why it ended.']
        : [
            `The session has not come to ${wanted} within ${String(waitedMs)} ms.`,
            'Wait for what it does, in the order in which it does it, or give the reader a longer timeout.',
          ];
    super(`${what} ${cure}\n\n${conversation}`);
  }
}
