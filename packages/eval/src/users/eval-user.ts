import type { Content, PendingRequest } from '@adorn/core';
import type { Awaitable, PrincipalInput } from '@adorn/core/backend';

import type { EvalCase, EvalInvocation } from '../eval-set.js';

/** What somebody answers to a request: a yes or no, or a value that was asked for. */
export type EvalAnswer =
  | boolean
  | {
      readonly approved: boolean;
      /**
       * Who answers; of several people the first who may, and who has not approved yet, for calls that several have to approve.
       * Default: the user of the session.
       */
      readonly by?: PrincipalInput | readonly PrincipalInput[];
      /** Why it was rejected, for the model. */
      readonly reason?: string;
      /** The arguments with which the call runs, in place of those that were shown. */
      readonly args?: object;
    }
  | { readonly value: unknown; readonly by?: PrincipalInput | readonly PrincipalInput[] };

/** The conversation so far, as the one who plays the user sees it. */
export interface UserView {
  readonly evalCase: EvalCase;
  /** The turns as they were. */
  readonly turns: readonly EvalInvocation[];
}

/** What a user does next: says something, or ends the conversation, with or without what was wanted. */
export type UserMove =
  { readonly message: string | Content } | { readonly end: 'reached' | 'gaveUp' | 'over' };

/**
 * Plays the user of cases with a `conversationScenario`, or of cases without fixed messages. Nothing is kept between cases: what
 * was said is in the view.
 */
export interface EvalUser {
  /** How many messages it writes at most. Default: 20. */
  readonly patience?: number;
  /** The next message. The first one of a scenario is its `startingPrompt`, for which it is not asked. */
  next(view: UserView): Awaitable<UserMove>;
  /** Answers a request of the run, unless the option `approve` does. Undefined: it cannot. */
  answer?(request: PendingRequest, view: UserView): Awaitable<EvalAnswer | undefined>;
  /** Ends what it has opened, such as the runner of a model. */
  close?(): Awaitable<void>;
}
