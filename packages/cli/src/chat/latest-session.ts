import type { Runner } from '@adorn/core';

/** The conversation that the user was in last; undefined where there was none. */
export async function latestSession(runner: Runner<unknown>, userId = 'user'): Promise<string | undefined> {
  const [latest] = await runner.sessions.listSessions({ appName: runner.appName, userId }, { limit: 1 });
  return latest?.id;
}
