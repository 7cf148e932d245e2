import type { SessionKey } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import type { Child } from '../child-process.js';
import { APP } from './chaos-agent.js';

/** The last line of `runs.child.js`. */
export interface RunsReport {
  readonly runs: number;
  readonly failed: number;
  /** How many runs failed, by the error's code. */
  readonly errors: Readonly<Record<string, number>>;
}

export function reportOf({ lines }: Child): RunsReport | undefined {
  const last = lines.at(-1);
  return last?.startsWith('{') === true ? (JSON.parse(last) as RunsReport) : undefined;
}

/** How many events the child was given. */
export function acknowledgedBy(child: Child): number {
  return eventLinesOf(child).length;
}

function eventLinesOf({ lines }: Child): string[] {
  return lines.filter((line) => !line.startsWith('{'));
}

/** What is wrong with the logs; undefined if each event that a child was given stands in them once. */
export async function lossOfRuns(url: string, userId: string, child: Child): Promise<string | undefined> {
  const database = new Database(url);
  const sessions = new SqlSessionService(database);
  try {
    const given = new Map<string, string[]>();
    for (const line of eventLinesOf(child)) {
      const [sessionId = '', eventId = ''] = line.split(' ');
      const ids = given.get(sessionId) ?? [];
      given.set(sessionId, ids);
      ids.push(eventId);
    }
    for (const [sessionId, ids] of given) {
      const loss = await lossOfSession(sessions, { appName: APP, userId, sessionId }, ids);
      if (loss !== undefined) return `${userId}, ${sessionId}: ${loss}`;
    }
    return undefined;
  } finally {
    await database.close();
  }
}

async function lossOfSession(
  sessions: SqlSessionService,
  key: SessionKey,
  given: readonly string[],
): Promise<string | undefined> {
  const ids = (await sessions.getSession(key))?.events.map(({ id }) => id) ?? [];
  const kept = new Set(ids);
  if (kept.size < ids.length) return `${String(ids.length - kept.size)} events stand there twice`;
  const lost = given.filter((id) => !kept.has(id));
  return lost.length === 0 ? undefined : `${String(lost.length)} acknowledged events are lost`;
}
