import { AdornError, shownName } from '@adorn/schema';
import {
  type ApproverRule,
  type ApproverRules,
  asksOthers,
  countOf,
  escalatedRule,
} from './approver-rule.js';
import { type Principal, type PrincipalAttribute, type PrincipalInput, toPrincipal } from './principal.js';

/** Who answers. */
export interface AnsweringPrincipal {
  /** Who it is. */
  readonly principal: Principal;
  /**
   * True if the application stated a name, by `by: 'mia'` in the same process, or stated nobody. It answers for the name, as
   * long as the tool does not say who may answer. A principal, such as one of `authenticate`, is never stated so.
   */
  readonly isStated: boolean;
  /** When it answers, in seconds since 1970. Default: before any escalation. */
  readonly at?: number | undefined;
}

/**
 * Who answers: a principal, a name that the application states, or else the user of the session.
 *
 * @throws {PrincipalInvalidError}
 */
export function answeringOf(by: PrincipalInput | undefined, userId: string): AnsweringPrincipal {
  const isStated = by === undefined || typeof by === 'string';
  return { principal: toPrincipal(by ?? userId, 'by'), isStated };
}

/** What decides who may answer a request. */
export interface AnswerSubject {
  /** Empty if nothing was said. */
  readonly rules: ApproverRules;
  /** Who began the run. */
  readonly requester: Principal;
  /** The user of the session. */
  readonly userId: string;
  /** When the request was made, in seconds since 1970. Default: nothing is escalated. */
  readonly askedAt?: number | undefined;
}

/** Whether somebody may answer a request, or why not. */
export type Permission =
  'allowed' | 'NOT_REQUESTER' | 'IS_REQUESTER' | 'OTHER_TENANT' | 'WITHOUT_ROLE' | 'OTHER_TEAM';

/**
 * Whether somebody may answer a request. The only function that decides this: doors and callers bring a principal, and the
 * confirmation gate asks it again before a call runs.
 */
export function permissionOf(answering: AnsweringPrincipal, subject: AnswerSubject): Permission {
  const { isStated, at } = answering;
  const { rules, askedAt } = subject;
  if (rules.length === 0) return isStated ? 'allowed' : permissionBy('requester', answering, subject);
  for (const rule of rules) {
    const permission = permissionBy(rule, answering, subject);
    if (permission === 'allowed') continue;
    const escalated = escalatedRule(rule, askedAt, at);
    if (escalated === undefined || permissionBy(escalated, answering, subject) !== 'allowed')
      return permission;
  }
  return 'allowed';
}

function permissionBy(
  rule: ApproverRule,
  { principal, isStated }: AnsweringPrincipal,
  subject: AnswerSubject,
): Permission {
  const { requester } = subject;
  const isRelated = isRelatedTo(principal, requester);
  const isOfSession = isRelated || isOwner(principal, subject);
  const isOfOtherTenant = requester.tenant !== undefined && principal.tenant !== requester.tenant;
  if (rule === 'requester') {
    if (!isOfSession) return 'NOT_REQUESTER';
    // A name that the application states has no tenant, and is that of the user.
    return isOfOtherTenant && !isStated ? 'OTHER_TENANT' : 'allowed';
  }
  if (isOfOtherTenant) return 'OTHER_TENANT';
  if (rule === 'others') return isOfSession ? 'IS_REQUESTER' : 'allowed';
  if (!principal.roles.includes(rule.role)) return 'WITHOUT_ROLE';
  if (rule.of !== undefined && !isOfTeam(principal, rule.of)) return 'OTHER_TEAM';
  return isRelated && rule.self !== true ? 'IS_REQUESTER' : 'allowed';
}

/** True for the user of the session, and who acts for that one. */
function isOwner({ id, actsFor }: Principal, { userId }: AnswerSubject): boolean {
  return id === userId || actsFor === userId;
}

/** The right to answer a request, passed on by somebody who has it. */
export interface Delegation {
  /** Who passed it on. */
  readonly by: Principal;
  /** The id of the principal who may answer, too. */
  readonly to: string;
  /** In seconds since 1970. */
  readonly at?: number;
}

/**
 * Who answers, by the right of one who has passed it on where there is no own one: a delegate has the roles, the tenant and the team
 * of that one, and counts as that one. Neither the requester nor somebody of another tenant gains anything by it.
 */
export function answeringBy(
  answering: AnsweringPrincipal,
  subject: AnswerSubject,
  delegations: readonly Delegation[] = [],
): AnsweringPrincipal {
  const { principal } = answering;
  if (permissionOf(answering, subject) === 'allowed') return answering;
  if (isRelatedTo(principal, subject.requester) || isOwner(principal, subject)) return answering;
  for (const { by, to } of delegations) {
    if (to !== principal.id || by.tenant !== principal.tenant) continue;
    const delegate = {
      ...answering,
      principal: { ...by, id: to, actsFor: by.actsFor ?? by.id },
      isStated: false,
    };
    if (permissionOf(delegate, subject) === 'allowed') return delegate;
  }
  return answering;
}

/** True for one and the same, and for one who acts for the other, or both for a third. */
function isRelatedTo(one: Principal, other: Principal): boolean {
  const ids = [one.id, one.actsFor];
  return [other.id, other.actsFor].some((id) => id !== undefined && ids.includes(id));
}

function isOfTeam({ attributes: { team } }: Principal, of: PrincipalAttribute): boolean {
  const own = listOf(team);
  return listOf(of).some((one) => own.includes(one));
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

/**
 * Whether the approvals of a request are enough: each by somebody who may answer, and by as many different people as the
 * rules ask for. Somebody who acts for another counts as that one.
 */
export function isApproved(approvals: readonly AnsweringPrincipal[], subject: AnswerSubject): boolean {
  return approvedBy(approvals, subject).length >= countOf(subject.rules);
}

/** The people who have approved, and may: one who acts for another, and that one, are one. */
export function approvedBy(
  approvals: readonly AnsweringPrincipal[],
  subject: AnswerSubject,
): readonly Principal[] {
  const counted: Principal[] = [];
  for (const answering of approvals) {
    const { principal } = answering;
    if (permissionOf(answering, subject) !== 'allowed') continue;
    if (!counted.some((one) => isRelatedTo(one, principal))) counted.push(principal);
  }
  return counted;
}

/** True if one of several people has approved already, himself or through somebody who acts for him. */
export function hasApproved(
  approvals: readonly AnsweringPrincipal[],
  { principal }: AnsweringPrincipal,
): boolean {
  return approvals.some((one) => isRelatedTo(one.principal, principal));
}

/**
 * Checks that somebody may answer a request, before anything of the answer is stored.
 *
 * @throws {ApproverNotAllowedError}
 */
export function requireMayAnswer(
  requestId: string,
  answering: AnsweringPrincipal,
  subject: AnswerSubject,
): void {
  const permission = permissionOf(answering, subject);
  if (permission !== 'allowed')
    throw new ApproverNotAllowedError(requestId, answering.principal.id, WHY_NOT[permission]);
}

/** True if an approval may cover later calls of the tool: only where the requester answers anyway. */
export function mayBeRemembered(rules: ApproverRules): boolean {
  return !asksOthers(rules);
}

/** Why somebody may not answer, as the rest of a sentence. */
export const WHY_NOT: Readonly<Record<Exclude<Permission, 'allowed'>, string>> = {
  NOT_REQUESTER: 'only who began the run may answer it',
  IS_REQUESTER: 'somebody else than who began the run has to answer it',
  OTHER_TENANT: 'who began the run is of another tenant',
  WITHOUT_ROLE: 'it needs a role that this principal does not have',
  OTHER_TEAM: 'it needs the role in another team',
};

/** Somebody answered a request, or changed its arguments, who may not. Nothing was stored; the request stays open. */
export class ApproverNotAllowedError extends AdornError {
  readonly code = 'APPROVER_NOT_ALLOWED';

  constructor(
    /** The id of the request, which stays open. */
    readonly requestId: string,
    /** The id of the principal. */
    readonly principalId: string,
    why: string,
    /** What to do, as a sentence. Default: how to say who answers. */
    cure = SAY_WHO_ANSWERS,
  ) {
    super(
      `"${shownName(principalId)}" may not answer the request "${requestId}" this way: ${why}. Nothing was stored; the request ` +
        `stays pending. ${cure}`,
    );
  }
}

const SAY_WHO_ANSWERS =
  'See `approvers` of the tool, and pass who answers as `by`, or let authenticate return { id, roles }.';
