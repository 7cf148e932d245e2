import type { Runner, SessionKey } from '@adorn/core';

import type { Signature } from '../access/caller.js';

/** The conversation that a WebSocket is opened for. */
export interface LiveAddress {
  readonly runner: Runner<unknown>;
  readonly key: SessionKey;
  /** False closes the WebSocket at once, with a reason that adk-web shows. */
  readonly isFound: boolean;
  /** Who signs the answers to requests. */
  readonly signature: Signature;
}
