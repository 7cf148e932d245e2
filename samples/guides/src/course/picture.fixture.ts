import { mkdir, readFile, writeFile } from 'node:fs/promises';

import type { Runner } from 'adorn';

import { stepsOf } from './picture-steps.fixture.js';
import { drawScenes, type Scene } from './picture-svg.fixture.js';

const FOLDER = new URL('../../../../packages/docs/images/course/', import.meta.url);

/**
 * Holds the picture of a chapter against what its solution did. With `PICTURES=write` in the environment it is written anew.
 *
 * @param chapter the name of the chapter's page
 * @param scenes what happened
 */
export async function expectPicture(chapter: string, ...scenes: readonly Scene[]): Promise<void> {
  const file = new URL(`${chapter}.svg`, FOLDER);
  const picture = drawScenes(`What the solution of ${chapter} does`, scenes);
  if (process.env['PICTURES'] === 'write') {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, picture);
  }
  expect(await readFile(file, 'utf8')).toBe(picture);
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
