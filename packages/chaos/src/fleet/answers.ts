import type { PendingRequest } from '@adorn/core';
import type { Principal } from '@adorn/core/backend';

import { DIRECTOR, MANAGERS, OWNER } from './desk.js';

/** An answer to a request: the end of the id of its invocation, and who gives it. */
export interface StepAnswer {
  readonly suffix: '.a' | '.b';
  /** Absent for the user of the session. */
  readonly by?: Principal | undefined;
}

/**
 * The answers that a request gets, one after the other: two approvals, or one rejection, of what managers approve. Of what is
 * escalated, that of the director, and that of the owner if no machine whose clock was set lets the director answer.
 */
export function answersTo({ approvers = [] }: PendingRequest, isApproved: boolean): readonly StepAnswer[] {
  if (approvers.length === 0) return [{ suffix: '.a' }];
  if (approvers.some((rule) => typeof rule === 'object' && rule.escalate !== undefined))
    return [
      { suffix: '.a', by: DIRECTOR },
      { suffix: '.b', by: OWNER },
    ];
  const [first, second] = MANAGERS;
  return isApproved
    ? [
        { suffix: '.a', by: first },
        { suffix: '.b', by: second },
      ]
    : [{ suffix: '.a', by: first }];
}
