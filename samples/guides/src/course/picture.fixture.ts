import type { Runner } from 'adorn';

import { expectKeptPicture } from '../../../../packages/docs/src/pictures/kept-picture.fixture.js';
import { stepsOf } from './picture-steps.fixture.js';
import { drawScenes, type Scene } from './picture-svg.fixture.js';

/**
 * Holds the picture of a chapter against what its solution did. With `PICTURES=write` in the environment it is written anew.
 *
 * @param chapter the name of the chapter's page
 * @param scenes what happened
 */
export function expectPicture(chapter: string, ...scenes: readonly Scene[]): Promise<void> {
  const picture = drawScenes(`What the solution of ${chapter} does`, scenes);
  return expectKeptPicture(`course/${chapter}.svg`, picture);
}

/** What happened in the conversations of a runner, by their logs. */
export async function sceneOf(runner: Runner<unknown>, title?: string): Promise<Scene> {
  const steps = [];
  for await (const { userId, sessionId } of runner.sessions.allSessions(runner.appName)) {
    const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
    steps.push(...stepsOf(session?.events ?? [], userId));
  }
  return { ...(title !== undefined && { title }), steps };
}
