import { ConfirmationProvider } from '@adorn/core';
import type { ConfirmationDecision, ConfirmationRequest } from '@adorn/core/backend';

/** Approves every call at once, and keeps the requests. For tests: bind it as the `ConfirmationProvider`. */
export class AllowAll extends ConfirmationProvider {
  /** What was asked, in order. */
  readonly requests: ConfirmationRequest[] = [];

  override decide(request: ConfirmationRequest): ConfirmationDecision {
    this.requests.push(request);
    return { confirmed: true };
  }
}

/** Rejects every call at once, and keeps the requests. For tests: bind it as the `ConfirmationProvider`. */
export class DenyAll extends ConfirmationProvider {
  /** What was asked, in order. */
  readonly requests: ConfirmationRequest[] = [];

  /** @param reason sent to the model */
  constructor(private readonly reason?: string) {
    super();
  }

  override decide(request: ConfirmationRequest): ConfirmationDecision {
    this.requests.push(request);
    return { confirmed: false, ...(this.reason !== undefined && { reason: this.reason }) };
  }
}
