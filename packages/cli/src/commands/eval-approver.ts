import type { EvalAnswer } from '@adorn/eval';
import type { PendingRequest } from 'adorn';
import type { ApproverRule, PrincipalInput } from 'adorn/backend';

import { UsageError } from '../usage.error.js';
import { type PersonOptions, principalOf } from './principal-of.js';

/**
 * Approves the calls of an evaluation: as the user of the session, or as the first of the named people who may and who has not
 * approved yet.
 *
 * @throws {UsageError} by the returned function, if nobody of them may
 */
export async function evalApprover(
  ids: readonly string[],
  options: PersonOptions,
): Promise<(request: PendingRequest) => EvalAnswer> {
  const { mayAnswer } = await import('adorn/backend');
  return (request) => {
    const { userId, approvals = [] } = request;
    const mayApprove = (by: PrincipalInput, id: string): boolean =>
      approvals.every((approval) => approval.by.id !== id) && mayAnswer(request, by);
    if (ids.length === 0 && mayApprove(userId, userId)) return true;
    const id = ids.find((one) => mayApprove(principalOf(one, options), one));
    if (id === undefined) throw nobodyMay(request, ids);
    return { approved: true, by: principalOf(id, options) };
  };
}

function nobodyMay({ tool, userId, approvers = [] }: PendingRequest, ids: readonly string[]): UsageError {
  const nobody = ids.length === 0 ? `${userId}, who asks, may not` : `None of ${ids.join(', ')} may`;
  const rules = approvers.map((one) => JSON.stringify(one)).join(' and ');
  const missing = Math.max(1, ...approvers.map(peopleOf));
  const people = ['mia', 'max', 'eve', 'tom'].slice(0, missing).map((name) => `--by ${name}`);
  const roles = approvers.flatMap(roleOf).map((role) => ` --role ${role}`);
  return new UsageError(
    `${nobody} approve ${tool}: its approvers are ${rules}. Say who approves, such as ${people.join(' ')}${roles.join('')}.`,
  );
}

function peopleOf(one: ApproverRule): number {
  return typeof one === 'object' ? (one.count ?? 1) : 1;
}

function roleOf(one: ApproverRule): string[] {
  return typeof one === 'object' ? [one.role] : [];
}
