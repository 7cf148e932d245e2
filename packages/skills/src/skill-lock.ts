import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describeThrown, isObject } from '@adorn/core/backend';

import { SkillOptionError } from './errors.js';
import type { Skill } from './skill.js';

/** The name of the file with the digests of the skills that somebody has read and accepted; it stands beside their folders. */
export const LOCK_FILE = 'skills.lock.json';

/** The digests of accepted skills, by their names. */
export type SkillPins = Readonly<Record<string, string>>;

/**
 * Reads the accepted digests of a folder of skills.
 *
 * @returns undefined if there is no lock file
 * @throws {SkillOptionError} if the file is not one: a damaged one must not let everything pass
 */
export function readSkillLock(folder: string): SkillPins | undefined {
  const path = join(folder, LOCK_FILE);
  if (!existsSync(path)) return undefined;
  const pins = pinsIn(path);
  const isWhole = isObject(pins) && Object.values(pins).every((digest) => typeof digest === 'string');
  if (isWhole) return pins as SkillPins;
  throw new SkillOptionError(
    `${path} has no digests of skills`,
    'Write it again with `adorn skills pin`, after a look at what has changed.',
  );
}

function pinsIn(path: string): unknown {
  try {
    const { skills } = Object(JSON.parse(readFileSync(path, 'utf8'))) as { readonly skills?: unknown };
    return skills;
  } catch (error) {
    throw new SkillOptionError(
      `${path} cannot be read (${describeThrown(error).message})`,
      'Write it again with `adorn skills pin`, after a look at what has changed.',
    );
  }
}

/** Records that these skills are accepted as they are. The file is replaced at once, never half written. */
export async function writeSkillLock(folder: string, skills: readonly Skill[]): Promise<void> {
  const pins = skills
    .map(({ frontMatter: { name }, digest }) => [name, digest] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const path = join(folder, LOCK_FILE);
  const draft = `${path}.${String(process.pid)}.tmp`;
  await writeFile(
    draft,
    `${JSON.stringify({ version: 1, skills: Object.fromEntries(pins) }, undefined, 2)}\n`,
  );
  await rename(draft, path);
}
