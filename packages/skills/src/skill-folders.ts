import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SkillOptionError } from './errors.js';
import { type FrontMatter, readSkillText } from './front-matter.js';
import { SKILL_FILE } from './skill.js';
import { readSkillLock } from './skill-lock.js';

/** A skill as it stands in a list: what a model knows of it before it opens it. */
export interface ListedSkill {
  readonly frontMatter: FrontMatter;
  /** Its folder. */
  readonly folder: string;
  /** The accepted digest; null if its folder has a lock file without it; undefined if there is no lock file. */
  readonly pin: string | null | undefined;
}

/**
 * Finds the skills of folders: a folder with a `SKILL.md` is one, any other holds some. Only their front matter is kept.
 *
 * @returns the skills in the order of their names
 * @throws {SkillOptionError} if a folder has none, or two have the same name
 * @throws {SkillInvalidError} if one is not as the format asks
 */
export function listSkills(folders: readonly string[]): ListedSkill[] {
  const found = folders.flatMap((folder) =>
    isSkill(folder) ? [listed(folder, undefined)] : skillsBelow(folder),
  );
  found.sort((one, other) => (one.frontMatter.name < other.frontMatter.name ? -1 : 1));
  for (const [index, { frontMatter, folder }] of found.entries()) {
    const next = found[index + 1];
    if (next?.frontMatter.name === frontMatter.name)
      throw new SkillOptionError(
        `two skills are called "${frontMatter.name}": ${folder} and ${next.folder}`,
        'Rename one of them, or leave its folder out.',
      );
  }
  return found;
}

function isSkill(folder: string): boolean {
  return existsSync(join(folder, SKILL_FILE));
}

function skillsBelow(folder: string): ListedSkill[] {
  const cure = `Name a folder with a ${SKILL_FILE}, or one whose folders have one.`;
  if (!existsSync(folder)) throw new SkillOptionError(`there is no folder ${JSON.stringify(folder)}`, cure);
  const pins = readSkillLock(folder);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter((name) => isSkill(join(folder, name)));
  if (names.length === 0) throw new SkillOptionError(`there is no skill in ${JSON.stringify(folder)}`, cure);
  return names.map((name) => listed(join(folder, name), pins && (pins[name] ?? null)));
}

function listed(folder: string, pin: ListedSkill['pin']): ListedSkill {
  const text = readFileSync(join(folder, SKILL_FILE), 'utf8');
  return { frontMatter: readSkillText(text, folder).frontMatter, folder, pin };
}
