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

const POLICY: OptionRules<RetentionPolicy> = {
  sessions: DURATION,
  artifacts: DURATION,
  memories: DURATION,
  includeWaiting: BOOLEAN,
};

/** Deletes what has been kept for long enough. Several processes may do so at the same time. */
export async function applyRetention(setting: RunSetting, policy: RetentionPolicy): Promise<RetentionReport> {
  checkOptions('runner.applyRetention', policy, POLICY);
  const { services, appName } = setting;
  const now = services.clock.now();
  const before = (kept: number | string): number => now - (secondsIn(kept) ?? Infinity);
  const { sessions, artifacts, memories, includeWaiting = false } = policy;
  const aged =
    sessions === undefined
      ? { sessions: 0, keptSessions: 0 }
      : await deleteSessions(setting, before(sessions), includeWaiting);
  return {
    ...aged,
    artifacts: artifacts === undefined ? 0 : await services.artifacts.deleteOlder(appName, before(artifacts)),
    memories: memories === undefined ? 0 : await services.memory.deleteOlder(appName, before(memories)),
  };
}

async function deleteSessions(setting: RunSetting, before: number, includeWaiting: boolean) {
  const { sessions } = setting.services;
  const counts = { sessions: 0, keptSessions: 0 };
  for await (const { lastUpdateTime: _time, ...key } of sessions.allSessions(setting.appName, {
    updatedBefore: before,
  })) {
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
