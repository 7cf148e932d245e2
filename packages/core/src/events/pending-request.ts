import type { AuthConfig } from '../auth/auth-config.js';

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
