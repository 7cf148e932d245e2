import { secondsIn } from '../approvals/approver-rule.js';
import { logOf } from '../events/session.js';
import { PendingIndex } from '../log/pending-index.js';
import { BOOLEAN, checkOptions, type OptionRules, rule } from '@adorn/schema';
import { findOpenRun } from './begin/open-run.js';
import type { RunSetting } from './begin/run-setting.js';

/** How long things are kept: milliseconds, or a number with a unit such as `12h`, `90d`. Default: for ever. */
export interface RetentionPolicy {
  /** Conversations after their last event, with their log, runs, state, files and memories. */
  readonly sessions?: number | string;
  /** Files of users (`user:`) after their last version. Files of a session are deleted with it. */
  readonly artifacts?: number | string;
  /** Memories after what they remember was said, or else after they were added. */
  readonly memories?: number | string;
  /** True deletes also conversations in which a request waits for somebody. Default: false. */
  readonly includeWaiting?: boolean;
}

/** How many things were deleted. */
export interface RetentionReport {
  /** Deleted conversations. */
  readonly sessions: number;
  /** Deleted versions of files. */
  readonly artifacts: number;
  /** Deleted memories. */
  readonly memories: number;
  /** Conversations that are old enough, and were kept because a request in them waits, or a run is in progress. */
  readonly keptSessions: number;
}

const DURATION = rule(
  (value) => (typeof value === 'string' || typeof value === 'number') && secondsIn(value) !== undefined,
  "Pass milliseconds, or a number with a unit, such as '90d'.",
);

/** What the options of a policy are. */
export const RETENTION_POLICY: OptionRules<RetentionPolicy> = {
  sessions: DURATION,
  artifacts: DURATION,
  memories: DURATION,
  includeWaiting: BOOLEAN,
};

/**
 * Deletes what has been kept for long enough. Several processes may do so at the same time.
 *
 * @param signal stops it behind the conversation that is being deleted: the report has what was deleted until then
 */
export async function applyRetention(
  setting: RunSetting,
  policy: RetentionPolicy,
  signal?: AbortSignal,
): Promise<RetentionReport> {
  checkOptions('runner.applyRetention', policy, RETENTION_POLICY);
  const { services, appName } = setting;
  const now = services.clock.now();
  const before = (kept: number | string): number => now - (secondsIn(kept) ?? Infinity);
  const { sessions, artifacts, memories, includeWaiting = false } = policy;
  const aged =
    sessions === undefined
      ? { sessions: 0, keptSessions: 0 }
      : await deleteSessions(setting, { before: before(sessions), includeWaiting, signal });
  const isDue = (kept: number | string | undefined): kept is number | string =>
    kept !== undefined && signal?.aborted !== true;
  return {
    ...aged,
    artifacts: isDue(artifacts) ? await services.artifacts.deleteOlder(appName, before(artifacts)) : 0,
    memories: isDue(memories) ? await services.memory.deleteOlder(appName, before(memories)) : 0,
  };
}

interface AgedSessions {
  /** In seconds since 1970. */
  readonly before: number;
  readonly includeWaiting: boolean;
  readonly signal: AbortSignal | undefined;
}

async function deleteSessions(setting: RunSetting, { before, includeWaiting, signal }: AgedSessions) {
  const { sessions } = setting.services;
  const counts = { sessions: 0, keptSessions: 0 };
  for await (const { lastUpdateTime: _time, ...key } of sessions.allSessions(setting.appName, {
    updatedBefore: before,
  })) {
    if (signal?.aborted === true) break;
    const session = await sessions.getSession(key);
    // Something may have been said since it was listed.
    if (!session || session.lastUpdateTime >= before) continue;
    const isWaiting = !includeWaiting && PendingIndex.of(session).list().length > 0;
    const place = logOf(session).length === 0 ? undefined : (await findOpenRun(setting, key))?.place;
    if (isWaiting || place === 'here' || place === 'elsewhere') counts.keptSessions++;
    else {
      await sessions.deleteSession(key);
      counts.sessions++;
    }
  }
  return counts;
}
