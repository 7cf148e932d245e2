import { APPROVERS_CURE } from '../../approvals/approver-rule.js';
import { AdornError, describeThrown, kindOf } from '@adorn/schema';

/** A callback threw, or returned a value of the wrong type. */
export class CallbackFailedError extends AdornError {
  readonly code = 'CALLBACK_FAILED';

  /** @param callback its name, and that of its plugin */
  constructor(callback: string, fault: string, options?: ErrorOptions) {
    super(`The callback ${callback} failed: ${fault}`, options);
  }

  /** An error of Adorn as it is, anything else as the cause of a `CallbackFailedError`. */
  static from(callback: string, error: unknown): unknown {
    const { code, message } = describeThrown(error);
    return code === undefined ? new this(callback, message, { cause: error }) : error;
  }
}

/** A `Deny` or an `RequireConfirmation` was made with something that is not a string. */
export class ToolDecisionInvalidError extends AdornError {
  readonly code = 'TOOL_DECISION_INVALID';

  constructor(className: string, part: string, found: unknown) {
    super(
      `The ${part} of ${className} must be a string, not ${kindOf(found)}. Pass a sentence, such as ` +
        `new ${className}('…').`,
    );
  }
}

/** A `RequireConfirmation` names approvers that are no rule. */
export class DecisionApproversInvalidError extends AdornError {
  readonly code = 'TOOL_DECISION_INVALID';

  /** @param fault the rest of a sentence about them */
  constructor(fault: string) {
    super(`The approvers of RequireConfirmation cannot be used: ${fault}. ${APPROVERS_CURE}`);
  }
}
