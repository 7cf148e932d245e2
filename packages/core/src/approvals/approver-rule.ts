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
  /** Who may approve, too, if nobody has for a time: counted from when the call asks, anew if it asks again. Default: nobody. */
  readonly escalate?: Escalation;
}

/** Who may answer a request that has waited for a time. */
export interface Escalation {
  /** How long: milliseconds, or a number with a unit such as `90s`, `30m`, `4h`, `2d`. */
  readonly after: number | string;
  /** Who may approve then, too. */
  readonly to: 'others' | Omit<RoleRule, 'count' | 'escalate'>;
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

const KEYS: ReadonlySet<string> = new Set(['role', 'of', 'count', 'self', 'escalate']);

/** The cure of an invalid rule. */
export const APPROVERS_CURE =
  "Pass 'requester', 'others', { role: 'manager', of: 'payments', count: 2, escalate: { after: '4h', to: { role: 'director' } } }, or a function of the arguments that returns one of these.";

/** What is wrong with a rule, as the rest of a sentence; undefined for a valid one. */
export function approverFault(value: unknown): string | undefined {
  if (value === 'requester' || value === 'others') return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return typeof value === 'string' ? `"${value.slice(0, 40)}" is no rule` : `${kindOf(value)} is no rule`;
  const { role, of, count, self, escalate } = value as Partial<Record<keyof RoleRule, unknown>>;
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return `there is no "${unknown.slice(0, 40)}" in a rule`;
  if ('of' in value && !isTeam(of)) return 'its "of" has no value';
  if (count !== undefined && !(Number.isSafeInteger(count) && (count as number) >= 1))
    return 'its count is no whole number of at least 1';
  if (self !== undefined && typeof self !== 'boolean') return 'its self is neither true nor false';
  const late = escalate === undefined ? undefined : escalationFault(escalate);
  if (late !== undefined) return `in its escalate, ${late}`;
  return typeof role === 'string' && role !== '' ? undefined : 'its role is no text';
}

function escalationFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'there is no { after, to }';
  const { after, to, ...others } = value as Partial<Record<keyof Escalation, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `"${unknown.slice(0, 40)}" is neither after nor to`;
  if (secondsIn(after) === undefined) return 'after is no time such as 4h';
  if (to === 'others') return undefined;
  const isNested = typeof to === 'object' && to !== null && ('count' in to || 'escalate' in to);
  if (to === 'requester' || isNested) return 'to is no role that one more person has';
  return approverFault(to);
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** A time in seconds, of a number of milliseconds or a text with a unit; undefined for anything else. */
export function secondsIn(after: unknown): number | undefined {
  if (typeof after === 'number') return Number.isFinite(after) && after >= 0 ? after / 1_000 : undefined;
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(typeof after === 'string' ? after : '') ?? [];
  const seconds = UNITS[unit];
  return count === undefined || seconds === undefined ? undefined : Number(count) * seconds;
}

/**
 * The rule that holds besides another one at a time; undefined if there is none, or it is too early.
 *
 * @param askedAt when the request was made, in seconds since 1970
 * @param at when it is answered
 */
export function escalatedRule(
  rule: ApproverRule,
  askedAt: number | undefined,
  at: number | undefined,
): ApproverRule | undefined {
  const { escalate } = typeof rule === 'object' ? rule : {};
  if (escalate === undefined || askedAt === undefined || at === undefined) return undefined;
  const seconds = secondsIn(escalate.after);
  return seconds !== undefined && at >= askedAt + seconds ? escalate.to : undefined;
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
