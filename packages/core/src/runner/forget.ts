import type { Principal } from '../approvals/principal.js';
import { callerOf } from '../events/caller.js';
import { feedbackIn } from '../events/feedback.js';
import { settlementIn } from '../events/settlement.js';
import { functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { delegationIn, isRequestName, principalIn } from '../events/pending-request.js';
import { requesterIn, saysRequester } from '../events/requester.js';
import { logOf, type Session, type SessionKey, type SessionSummary } from '../events/session.js';
import { PendingIndex } from '../log/pending-index.js';
import { AdornError, composedKey, composedPrefix } from '@adorn/schema';
import { startTimer } from '../runtime/clock.js';
import { cancelRun, findOpenRun } from './begin/open-run.js';
import type { RunSetting } from './begin/run-setting.js';
import { InvocationActiveError } from './errors.js';

/** How a user is forgotten. */
export interface ForgetOptions {
  /** True cancels the runs of the user that are in progress, and waits for their ends. Default: such a run refuses the call. */
  readonly cancelRuns?: boolean;
  /**
   * False does not search the sessions of other users for the user: for an application with so many that it takes too long. Default:
   * true.
   */
  readonly searchOthers?: boolean;
}

/** How many things of each kind were erased by this call; what an earlier one has erased is not counted again. */
export interface ErasedCounts {
  /** Conversations of the user. */
  readonly sessions: number;
  /** Events in the logs of those conversations. */
  readonly events: number;
  /** Requests that waited for somebody. */
  readonly requests: number;
  /** Keys of the state of the user. */
  readonly state: number;
  /** Files of the user; those of a session are erased with it. */
  readonly artifacts: number;
  /** Memories that were not made of a session. */
  readonly memories: number;
  /** Stored credentials of the user. */
  readonly credentials: number;
  /** Entries of the ledger for effects of the user's scope, or of one of the user's sessions. */
  readonly effects: number;
  /**
   * Entries of effects in the whole application that the user's runs had: who asked and the result were erased. That it happened
   * stays, because it would else happen again.
   */
  readonly anonymizedEffects: number;
}

/** Something that was not erased, and why. */
export interface NotErased {
  /** `sessions`, `state`, `artifacts`, `memories`, `credentials`, `effects`, `storage`: where it is. */
  readonly kind: string;
  /** A sentence for people. */
  readonly reason: string;
  /** The sessions of others in which the user is named. */
  readonly sessions?: readonly SessionKey[];
}

/** What has been erased of a user. */
export interface ForgetReceipt {
  /** The application in which the user was forgotten. */
  readonly appName: string;
  /** The id of the user. */
  readonly userId: string;
  /** When, as ISO 8601. */
  readonly at: string;
  /** What was erased, by kind. */
  readonly erased: ErasedCounts;
  /** Empty if nothing is left that is known of. */
  readonly notErased: readonly NotErased[];
}

interface User {
  readonly appName: string;
  readonly userId: string;
}

/**
 * Erases a user: every step may be repeated, so a call after a crash finishes what the first one has begun.
 *
 * @throws {InvocationActiveError} if a run of the user is in progress; nothing was erased
 */
export async function forgetUser(
  setting: RunSetting,
  user: User,
  options: ForgetOptions,
): Promise<ForgetReceipt> {
  const { services } = setting;
  await endRuns(setting, user, options.cancelRuns === true);
  const shared = new Mentions(user);
  const gone = await eraseSessions(setting, user, shared);
  const left = new Leftovers();
  const state = await left.of('state', () => services.sessions.deleteUserState(user));
  const artifacts = await left.of('artifacts', () => services.artifacts.deleteUser(user));
  const memories = await left.of('memories', () => services.memory.deleteUser(user));
  const credentials = await left.of('credentials', () => services.credentials.deleteUser(user));
  const effects = await left.of('effects', () => services.effects.eraseUser(scopesOf(user)), {
    deleted: 0,
    anonymized: 0,
  });
  if (options.searchOthers === false) left.add('sessions', 'The sessions of other users were not searched.');
  else await left.of('sessions', () => searchOthers(setting, shared));
  left.addAll(shared.found());
  for (const reason of await services.sessions.overwriteDeleted()) left.add('storage', reason);
  return {
    ...user,
    at: new Date(services.clock.now() * 1000).toISOString(),
    erased: {
      ...gone,
      state,
      artifacts,
      memories,
      credentials,
      effects: effects.deleted,
      anonymizedEffects: effects.anonymized,
    },
    notErased: left.all,
  };
}

/** What a backend cannot erase. */
class Leftovers {
  readonly all: NotErased[] = [];

  add(kind: string, reason: string): void {
    this.all.push({ kind, reason });
  }

  addAll(found: readonly NotErased[]): void {
    this.all.push(...found);
  }

  of(kind: string, erase: () => Promise<number>): Promise<number>;
  of<Erased>(kind: string, erase: () => Promise<Erased>, nothing: Erased): Promise<Erased>;
  async of(kind: string, erase: () => Promise<unknown>, nothing: unknown = 0): Promise<unknown> {
    try {
      return await erase();
    } catch (error) {
      if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
      this.add(kind, error.message);
      return nothing;
    }
  }
}

/** How long a run may take to end after it was cancelled, and how often it is looked for, in milliseconds. */
const END_LIMIT_MS = 10_000;
const LOOK_MS = 100;

/** @throws {InvocationActiveError} */
async function endRuns(setting: RunSetting, user: User, cancels: boolean): Promise<void> {
  const { clock, sessions } = setting.services;
  const listed = await sessions.listSessions(user, { state: false });
  for (const { id: sessionId, lastRun } of listed) {
    // A store that records no runs tells by the log.
    if (lastRun !== undefined && lastRun.status !== 'open') continue;
    const key = { ...user, sessionId };
    const deadline = clock.now() + END_LIMIT_MS / 1000;
    let hasCancelled = false;
    for (;;) {
      const open = await findOpenRun(setting, key);
      const isRunning = open?.place === 'here' || open?.place === 'elsewhere';
      if (!isRunning) break;
      if (!cancels || clock.now() >= deadline) throw InvocationActiveError.ofUser(open.invocationId);
      if (!hasCancelled) hasCancelled = await cancelRun(setting, key, open.invocationId);
      await new Promise<void>((resolve) => startTimer(clock, LOOK_MS, resolve));
    }
  }
}

/** Deletes all sessions, with what belongs to each, until there is none: one may be created meanwhile. */
async function eraseSessions({ services }: RunSetting, user: User, shared: Mentions) {
  const { sessions } = services;
  const counts = { sessions: 0, events: 0, requests: 0 };
  const limit = 100;
  for (;;) {
    const page = await sessions.listSessions(user, { limit, state: false });
    if (page.length === 0) return counts;
    for (const { id: sessionId, nextSeq } of page as readonly SessionSummary[]) {
      const key = { ...user, sessionId };
      const session = await readable(sessions.getSession(key));
      if (session) shared.readState(session);
      counts.requests += session ? PendingIndex.of(session).list().length : 0;
      await sessions.deleteSession(key);
      counts.sessions++;
      counts.events += nextSeq;
    }
  }
}

/** Undefined if a row of it is damaged: it is erased all the same. */
async function readable(reading: Promise<Session | undefined>): Promise<Session | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (AdornError.is(error) && error.code === 'STORAGE_ROW_DAMAGED') return undefined;
    throw error;
  }
}

/** The scopes of effects that are the user's, as `once` of a tool composes them. */
function scopesOf({ appName, userId }: User) {
  return {
    appName,
    userId,
    scopes: [`user:${composedKey(appName, userId)}`],
    scopePrefix: `session:${composedPrefix(appName, userId)}`,
  };
}

async function searchOthers({ services: { sessions } }: RunSetting, mentions: Mentions): Promise<number> {
  for await (const key of sessions.allSessions(mentions.user.appName)) {
    const session = await readable(sessions.getSession(key));
    if (session) mentions.read(session);
  }
  return 0;
}

/** What sessions of others say of a user: an approval that the user gave is the evidence of another one's run. */
class Mentions {
  private readonly sessions: SessionKey[] = [];
  private readonly keys = new Set<string>();

  constructor(readonly user: User) {}

  read(session: Session): void {
    const { appName, userId, id: sessionId } = session;
    if (userId === this.user.userId) return;
    this.readState(session);
    if (logOf(session).some((event) => this.isIn(event, userId)))
      this.sessions.push({ appName, userId, sessionId });
  }

  /** Looks for the user in the state of the application. */
  readState({ state }: Session): void {
    for (const [key, value] of Object.entries(state))
      if (key.startsWith('app:') && JSON.stringify(value).includes(this.user.userId)) this.keys.add(key);
  }

  found(): NotErased[] {
    const { userId } = this.user;
    const found: NotErased[] = [];
    if (this.keys.size > 0)
      found.push({
        kind: 'state',
        reason: `The state of the application names "${userId}" in ${[...this.keys].sort().join(', ')}: it belongs to all users.`,
      });
    if (this.sessions.length > 0)
      found.push({
        kind: 'sessions',
        reason: `"${userId}" asked, answered or gave feedback in ${String(this.sessions.length)} sessions of others, whose log says so.`,
        sessions: this.sessions,
      });
    return found;
  }

  private isIn(event: Event, owner: string): boolean {
    return principalsOf(event, owner).some(
      ({ id, actsFor }) => id === this.user.userId || actsFor === this.user.userId,
    );
  }
}

/** Who asked, called, answered, gave feedback or settled an effect by an event. */
function principalsOf(event: Event, owner: string): Pick<Principal, 'id' | 'actsFor'>[] {
  const found: Pick<Principal, 'id' | 'actsFor'>[] = [];
  if (saysRequester(event)) found.push(requesterIn(event, owner));
  const caller = callerOf(event);
  if (caller) found.push({ id: caller.by });
  const feedback = feedbackIn(event);
  if (feedback) found.push(feedback.by);
  const settlement = settlementIn(event);
  if (settlement) found.push(settlement.by);
  if (event.author === 'user')
    for (const { name, response } of functionResponsesOf(event.content)) {
      if (!isRequestName(name)) continue;
      const by = principalIn(response)?.principal;
      const to = response && delegationIn(response)?.to;
      if (by) found.push(by);
      if (to !== undefined) found.push({ id: to });
    }
  return found;
}
