import type { AuthConfig } from '../auth/auth-config.js';
import { AdornError } from '../errors/adorn.error.js';

/** Something a person, or the world outside, has to answer before the run goes on. */
export interface PendingRequest {
  readonly kind: 'confirmation' | 'credential' | 'result';
  /** What an answer refers to: the id of the synthetic call, or of the long-running call itself. */
  readonly id: string;
  /** The call that waits. */
  readonly functionCallId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What a person is asked. */
  readonly hint?: string;
  /** Shown beside the hint; a person may send one back along with an approval. */
  readonly payload?: unknown;
  /** Digest of the definition that the tool had when the person was asked. An approval is void once it changes. */
  readonly definition?: string;
  /** The credential wanted, without any secret. */
  readonly authConfig?: Omit<AuthConfig, 'credential'>;
}

/** A pending request with the address of its conversation, as a runner hands it out. */
export interface AddressedRequest extends PendingRequest {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
}

/** The names of the synthetic calls that ask a person, as ADK clients know them. */
export const REQUEST_CONFIRMATION = 'adk_request_confirmation';
export const REQUEST_CREDENTIAL = 'adk_request_credential';

/** Whether a call or a response of that name is the framework's talk with a person, which no model sees. */
export function isRequestName(name: string | undefined): boolean {
  return name === REQUEST_CONFIRMATION || name === REQUEST_CREDENTIAL;
}

/** A question whether a call may run, and what was answered. */
export interface ToolConfirmation {
  /** What the person is asked. */
  readonly hint: string;
  readonly confirmed: boolean;
  /** What the person sent along: what the tool asked for, or an amendment it knows how to read. */
  readonly payload?: unknown;
}

/** Something was answered that nobody asks, or asks any more. */
export class RequestNotPendingError extends AdornError {
  readonly code = 'REQUEST_NOT_PENDING';

  constructor(readonly requestId: string) {
    super(
      `Nothing in this session waits for an answer to "${requestId}": it was never asked here, or is answered already. ` +
        'Ask runner.pending which requests are open.',
    );
  }
}
