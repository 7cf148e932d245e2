import type { PendingRequestData } from '@adorn/core/backend';

/** True if the user of the session may not answer, who is mostly the requester. */
export function isForOthers({ approvers = [] }: PendingRequestData): boolean {
  return approvers.some((rule) => rule === 'others' || (typeof rule === 'object' && rule.self !== true));
}

/** True if an approval may cover later calls of the session: not where others approve, nor where the tool refuses it. */
export function mayBeRemembered(request: PendingRequestData): boolean {
  return request.askedBy === undefined && request.remember !== false && !isForOthers(request);
}

/** Whom a request waits for, in a word or two. */
export function waitsForText(request: PendingRequestData | undefined): string {
  return request !== undefined && isForOthers(request) ? 'waits for others' : 'waits for you';
}

/** For whom the user of a session waits, and how far it is, as sentences. */
export function othersText({ approvers = [], approvals = [] }: PendingRequestData): string {
  const rules = approvers.filter((rule) => typeof rule === 'object');
  const needed = Math.max(1, ...rules.map(({ count = 1 }) => count));
  const [rule] = rules;
  const role = rule === undefined ? '' : ` with the role ${rule.role}`;
  if (needed === 1) return `It waits for ${rule ? `somebody${role}` : 'somebody else'}.`;
  const approved = new Set(approvals.map(({ by }) => by.id)).size;
  return `It waits for ${String(needed)} people${role}: ${String(approved)} of ${String(needed)} have approved.`;
}
