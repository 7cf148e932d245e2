import { AdornError, kindOf, frozenJson } from '@adorn/schema';
import { isAttribute, type Principal, type PrincipalAttribute } from './principal.js';

/** Somebody with a role. */
export interface RoleRule {
  /** The role that an approver has among its `roles`. */
  readonly role: string;
  /**
   * The team: an approver has it as `attributes.team`, or in that list. Several teams: one of them. Default: any team. A key
   * without a value is refused: nobody would be asked for.
   */
  readonly of?: PrincipalAttribute | undefined;
  /** How many different people have to approve. One rejection rejects. Default: 1. */
  readonly count?: number;
  /** True if the requester may approve too, with the role. Default: false. */
  readonly self?: boolean;
}

/**
 * Who may answer: the requester, anybody else, or somebody with a role.
 *
 * - `requester`: who began the run, the user of its session, and who acts for them.
 * - `others`: anybody but these, also but the user of the session where somebody else began the run.
 * - a role: see {@link RoleRule}.
 */
export type ApproverRule = 'requester' | 'others' | RoleRule;

/** What a function that decides who may answer gets, behind the arguments of the call. */
export interface ApproverFacts {
  /** Who began the run. */
  readonly requester: Principal;
}

/** Rules that hold together: an approver is covered by each of them. None: nothing was said, so `requester`. */
export type ApproverRules = readonly ApproverRule[];

export const NO_RULES: ApproverRules = Object.freeze([]);

const KEYS: ReadonlySet<string> = new Set(['role', 'of', 'count', 'self']);

/** The cure of an invalid rule. */
export const APPROVERS_CURE =
  "Pass 'requester', 'others', { role: 'manager', of: 'payments', count: 2 }, or a function of the arguments that returns one of these.";

/** What is wrong with a rule, as the rest of a sentence; undefined for a valid one. */
export function approverFault(value: unknown): string | undefined {
  if (value === 'requester' || value === 'others') return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return typeof value === 'string' ? `"${value.slice(0, 40)}" is no rule` : `${kindOf(value)} is no rule`;
  const { role, of, count, self } = value as Partial<Record<keyof RoleRule, unknown>>;
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return `there is no "${unknown.slice(0, 40)}" in a rule`;
  if ('of' in value && !isTeam(of)) return 'its "of" has no value';
  if (count !== undefined && !(Number.isSafeInteger(count) && (count as number) >= 1))
    return 'its count is no whole number of at least 1';
  if (self !== undefined && typeof self !== 'boolean') return 'its self is neither true nor false';
  return typeof role === 'string' && role !== '' ? undefined : 'its role is no text';
}

/** True for a team, or several. An empty text is none: it would be the team of everybody whose own was left empty. */
function isTeam(of: unknown): boolean {
  const teams: readonly unknown[] = Array.isArray(of) ? of : [of];
  return isAttribute(of) && teams.length > 0 && teams.every((team) => team !== '');
}

/**
 * A rule that a function returned for one call. Anything else fails the call, which then does not run.
 *
 * @param tool the name of the tool
 * @throws {ApproversInvalidError}
 */
export function checkedRule(value: unknown, tool: string): ApproverRule {
  const fault = approverFault(value);
  if (fault !== undefined) throw new ApproversInvalidError(tool, fault);
  return frozenJson(value as ApproverRule);
}

/** Reads rules from a log. A rule of a later version that this one does not know is one that nobody fulfils. */
export function readRules(value: unknown): ApproverRules {
  if (value === undefined) return NO_RULES;
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.map((one) => (approverFault(one) === undefined ? (one as ApproverRule) : UNKNOWN_RULE));
}

/** No role is written so: nobody has it. */
const UNKNOWN_RULE: ApproverRule = Object.freeze({ role: '\u0000unknown' });

/** True if somebody else than the requester is named. */
export function asksOthers(rules: ApproverRules): boolean {
  return rules.some((rule) => rule !== 'requester');
}

/** How many different people have to approve. */
export function countOf(rules: ApproverRules): number {
  return Math.max(1, ...rules.map((rule) => (typeof rule === 'object' ? (rule.count ?? 1) : 1)));
}

/** The function `approvers` of a tool returned no rule. The call does not run. */
export class ApproversInvalidError extends AdornError {
  readonly code = 'APPROVERS_INVALID';

  constructor(tool: string, fault: string) {
    super(`The approvers of a call of "${tool}" cannot be used: ${fault}. ${APPROVERS_CURE}`);
  }
}
