import type { PendingRequest } from '@adorn/core';
import type { ApproverRule, Principal } from '@adorn/core/backend';

/** People who approve what somebody else asked for. The last one may only once the request is escalated. */
export const APPROVERS = [person('mia', 'manager'), person('max', 'manager'), person('dora', 'director')];

function person(id: string, role: string): Principal {
  return { id, roles: [role], attributes: {} };
}

/** Who answers a request: undefined for its user, if its tool does not name others. @param turn whose turn it is, from 0 */
export function approverOf({ approvers = [] }: PendingRequest, turn: number): Principal | undefined {
  return approvers.length === 0 ? undefined : APPROVERS[turn % APPROVERS.length];
}

/** How many people have to approve what these rules are about. */
export function peopleNeededFor(rules: readonly ApproverRule[]): number {
  return Math.max(1, ...rules.map((rule) => (typeof rule === 'object' ? (rule.count ?? 1) : 1)));
}
