import {
  ANY,
  OptionInvalidError,
  type OptionRules,
  TEXT,
  checkOptions,
  frozenJson,
  present,
  wholeFrom,
} from '@adorn/schema';
import { approvedBy, hasApproved } from '../../approvals/answer-authority.js';
import { countOf, secondsIn } from '../../approvals/approver-rule.js';
import { type Principal, type PrincipalInput, toPrincipal } from '../../approvals/principal.js';
import { answerSubjectOf, approvalsWith, mayAnswer } from '../../events/pending-request.js';
import type { OpenRequestPlace, OpenRequestQuery, OpenRequestRecord } from '../../log/open-requests.js';
import type { InvocationServices } from '../../run/invocation-services.js';

/** Which open requests of an application are listed. */
export interface InboxFilter {
  /**
   * Only requests that this principal may answer now. A request of a run that somebody of another tenant began is none. Default: all
   * requests, for a program that decides itself who sees them.
   */
  readonly for?: PrincipalInput | undefined;
  /** Only requests in the sessions of this user. */
  readonly userId?: string | undefined;
  /** Only requests of runs that somebody of this tenant began. */
  readonly tenant?: string | undefined;
  /** Only requests of calls of this tool. */
  readonly tool?: string | undefined;
  /** Only requests that have waited so long: milliseconds, or a number with a unit such as `30m`, `4h`, `2d`. */
  readonly olderThan?: number | string | undefined;
}

/** A part of the open requests of an application. */
export interface InboxQuery extends InboxFilter {
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** How many requests a page has at most. Default: 100. At most 1,000. */
  readonly limit?: number | undefined;
}

/** How far the approvals of a request are. */
export interface Quorum {
  /** How many people have to approve it. */
  readonly needed: number;
  /** How many have. */
  readonly approved: number;
  /** True if the one whom the list is for has approved it: somebody else has to, and this one may still reject it. */
  readonly hasApproved?: true;
}

/** A request that waits, with what a list shows of it. `runner.approve`, `reject` and `supply` take it. */
export interface InboxRequest extends OpenRequestRecord {
  /** How many people have to approve it, and how many have. */
  readonly quorum: Quorum;
}

/** A page of open requests, the oldest first. */
export interface InboxPage {
  /** The requests of the page. */
  readonly requests: readonly InboxRequest[];
  /** To be passed as `after`. Absent for the last page. */
  readonly next?: string;
}

const FILTER: OptionRules<InboxFilter> = { for: ANY, userId: TEXT, tenant: TEXT, tool: TEXT, olderThan: ANY };
const QUERY: OptionRules<InboxQuery> = { ...FILTER, after: TEXT, limit: wholeFrom(1) };

/** The application whose requests are listed. */
export interface InboxOfApp {
  readonly appName: string;
  readonly services: Pick<InvocationServices, 'sessions' | 'clock'>;
}

/** A filter that has been checked. */
export interface CheckedFilter extends Omit<InboxFilter, 'for' | 'olderThan'> {
  readonly principal: Principal | undefined;
  /** In seconds. */
  readonly age: number | undefined;
}

/**
 * Reads a page of the open requests of an application.
 *
 * @throws {OptionInvalidError | PrincipalInvalidError | NotSupportedError}
 */
export async function readInbox(app: InboxOfApp, query: InboxQuery): Promise<InboxPage> {
  checkOptions('runner.inbox', query, QUERY);
  const { after, limit = DEFAULT_PAGE } = query;
  if (limit > LARGEST_PAGE)
    throw new OptionInvalidError(
      'runner.inbox',
      `limit is ${String(limit)}`,
      `Pass at most ${String(LARGEST_PAGE)}.`,
    );
  const filter = checkedFilter(query);
  const found: InboxRequest[] = [];
  for await (const request of requestsOfApp(app, filter, after === undefined ? undefined : placeIn(after))) {
    const last = found.at(-1);
    if (found.length === limit && last) return { requests: found, next: cursorOf(last) };
    found.push(request);
  }
  return { requests: found };
}

/** How many requests a page has if its reader does not say. */
const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 1_000;

/**
 * Checks a filter.
 *
 * @throws {OptionInvalidError | PrincipalInvalidError}
 */
export function checkedFilter({ for: by, olderThan, userId, tenant, tool }: InboxFilter): CheckedFilter {
  const age = olderThan === undefined ? undefined : secondsIn(olderThan);
  if (olderThan !== undefined && age === undefined)
    throw new OptionInvalidError(
      'runner.inbox',
      'olderThan is no time',
      'Pass milliseconds, or a text such as 30m or 4h.',
    );
  const principal = by === undefined ? undefined : toPrincipal(by, 'for');
  return { principal, age, userId, tenant, tool };
}

/** @throws {OptionInvalidError} */
export function checkFilter(owner: string, filter: InboxFilter): CheckedFilter {
  checkOptions(owner, filter, FILTER);
  return checkedFilter(filter);
}

/** The open requests that a filter asks for, the oldest first, read in pages. */
export async function* requestsOfApp(
  { appName, services: { sessions, clock } }: InboxOfApp,
  filter: CheckedFilter,
  from?: OpenRequestPlace,
): AsyncGenerator<InboxRequest, void, undefined> {
  const now = clock.now();
  const { userId, tool, age } = filter;
  // A request that is as old as the age counts.
  const askedBefore = age === undefined ? undefined : now - age + SMALLEST_STEP;
  const query: OpenRequestQuery = { appName, userId, tool, askedBefore, limit: STORE_PAGE };
  for (let after = from; ;) {
    const page = await sessions.listOpenRequests({ ...query, after });
    for (const request of page) if (isShown(request, filter, now)) yield inboxRequest(request, filter);
    after = page.at(-1);
    if (page.length < STORE_PAGE) return;
  }
}

const STORE_PAGE = 200;
/** Times are seconds with a resolution of a millisecond. */
const SMALLEST_STEP = 0.0005;

/** Who may answer is decided by the one function that decides it; what is of another tenant is not even shown. */
function isShown(request: OpenRequestRecord, { principal, tenant }: CheckedFilter, now: number): boolean {
  const own = request.requester?.tenant;
  if (tenant !== undefined && own !== tenant) return false;
  if (principal === undefined) return true;
  return (own === undefined || own === principal.tenant) && mayAnswer(request, principal, now);
}

function inboxRequest(request: OpenRequestRecord, { principal }: CheckedFilter): InboxRequest {
  const subject = answerSubjectOf(request, request.userId);
  const approvals = approvalsWith(request);
  const isOwn = principal && hasApproved(approvals, { principal, isStated: false });
  const quorum = present({
    needed: countOf(subject.rules),
    approved: approvedBy(approvals, subject).length,
    hasApproved: isOwn === true ? (true as const) : undefined,
  });
  return frozenJson({ ...request, quorum });
}

function cursorOf({ askedAt, userId, sessionId, id }: OpenRequestPlace): string {
  return Buffer.from(JSON.stringify([askedAt, userId, sessionId, id])).toString('base64url');
}

/** @throws {OptionInvalidError} */
function placeIn(cursor: string): OpenRequestPlace {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    place = undefined;
  }
  const fields: readonly unknown[] = Array.isArray(place) ? place : [];
  const [askedAt, userId, sessionId, id] = fields;
  if (
    typeof askedAt !== 'number' ||
    typeof userId !== 'string' ||
    typeof sessionId !== 'string' ||
    typeof id !== 'string'
  )
    throw new OptionInvalidError(
      'runner.inbox',
      'after is no place of a list',
      'Pass next of the page before.',
    );
  return { askedAt, userId, sessionId, id };
}
