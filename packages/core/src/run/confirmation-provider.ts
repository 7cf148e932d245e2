import type { PrincipalInput } from '../approvals/principal.js';
import type { AskedAgain } from '../events/asked-again.js';
import type { ReadonlyContext } from './callback-context.js';
import { shareClass } from '../metadata/shared-class.js';

/** A call that must be confirmed before it runs. */
export interface ConfirmationRequest {
  /** The id of the call that waits. */
  readonly functionCallId: string;
  /** The name of the called tool. */
  readonly tool: string;
  /** A frozen copy of the arguments that the tool runs with if the call is approved. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The question. */
  readonly hint: string;
  /** Data shown with the hint. */
  readonly payload?: unknown;
  /** Why the call is asked about once more; absent the first time. */
  readonly askedAgain?: AskedAgain;
}

/** The answer of a `ConfirmationProvider`. */
export type ConfirmationDecision =
  | {
      readonly confirmed: true;
      /** Who decided. Default: the user of the session. */
      readonly by?: PrincipalInput;
      /** Data for the tool, in `context.confirmation`. */
      readonly payload?: unknown;
    }
  | {
      readonly confirmed: false;
      /** Who decided. Default: the user of the session. */
      readonly by?: PrincipalInput;
      /** Sent to the model. */
      readonly reason?: string;
    };

/**
 * Answers confirmation requests during the run, such as at a terminal. The class is its own container identifier. Without a
 * binding, a call that must be confirmed pauses the run.
 */
export abstract class ConfirmationProvider {
  static {
    shareClass(this, 'ConfirmationProvider');
  }

  /**
   * Decides about one call. An approval covers these arguments once. If `approvers` of the tool do not let `by` decide, the
   * run pauses. The tool's time limits do not count the wait.
   *
   * @returns undefined to pause the run, as without a provider
   * @throws any error, which fails the call: the tool does not run
   */
  abstract decide(
    request: ConfirmationRequest,
    context: ReadonlyContext,
  ): ConfirmationDecision | undefined | PromiseLike<ConfirmationDecision | undefined>;
}
