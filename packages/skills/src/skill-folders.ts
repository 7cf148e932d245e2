import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

import { describeThrown } from '@adorn/core/backend';

import { SkillInvalidError, SkillOptionError } from './errors.js';
import { type FrontMatter, readSkillText } from './front-matter.js';
import { MOST_BYTES, SKILL_FILE } from './skill.js';
import { readSkillLock } from './skill-lock.js';

/** A skill as it stands in a list: what a model knows of it before it opens it. */
export interface ListedSkill {
  readonly frontMatter: FrontMatter;
  /** Its folder. */
  readonly folder: string;
  /** The accepted digest; null if its folder has a lock file without it; undefined if there is no lock file. */
  readonly pin: string | null | undefined;
}

/** Where a skill is, before anything of it is read. */
export interface SkillPlace {
  readonly folder: string;
  readonly pin: ListedSkill['pin'];
}

/**
 * Finds the skills of folders: a folder with a `SKILL.md` is one, any other holds some. Only their front matter is kept.
 *
 * @returns the skills in the order of their names
 * @throws {SkillOptionError} if a folder has none, or two have the same name
 * @throws {SkillInvalidError} if one is not as the format asks
 */
export function listSkills(folders: readonly string[]): ListedSkill[] {
  const found = folders.flatMap(skillPlaces).map(({ folder, pin }) => ({
    frontMatter: readSkillText(mainTextIn(folder), folder).frontMatter,
    folder,
    pin,
  }));
  found.sort((one, other) => (one.frontMatter.name < other.frontMatter.name ? -1 : 1));
  for (const [index, { frontMatter, folder }] of found.entries()) {
    const next = found[index + 1];
    if (next?.frontMatter.name === frontMatter.name) throw nameTaken(frontMatter.name, [folder, next.folder]);
  }
  return found;
}

export function nameTaken(name: string, [one, other]: readonly [string, string]): SkillOptionError {
  return new SkillOptionError(
    `two skills are called "${name}": ${one} and ${other}`,
    'Rename one of them, or leave its folder out.',
  );
}

/**
 * The folders that are skills: the folder itself, or those in it.
 *
 * @throws {SkillOptionError} if there are none, or the lock file is damaged
 */
export function skillPlaces(folder: string): SkillPlace[] {
  if (isSkill(folder)) return [{ folder, pin: undefined }];
  const names = foldersIn(folder).filter((name) => isSkill(join(folder, name)));
  if (names.length === 0) throw new SkillOptionError(`there is no skill in ${JSON.stringify(folder)}`, CURE);
  const pins = readSkillLock(folder);
  return names.map((name) => ({ folder: join(folder, name), pin: pins && (pins[name] ?? null) }));
}

const CURE = `Name a folder with a ${SKILL_FILE}, or one whose folders have one.`;

function isSkill(folder: string): boolean {
  return existsSync(join(folder, SKILL_FILE));
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) throw new SkillOptionError(`there is no folder ${JSON.stringify(folder)}`, CURE);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch (error) {
    const { message } = describeThrown(error);
    throw new SkillOptionError(`${JSON.stringify(folder)} cannot be read (${message})`, CURE);
  }
}

/** Reads a `SKILL.md` that is a file of its folder: a link may lead to a pipe, which never ends, or to a file of somebody else. */
function mainTextIn(folder: string): string {
  try {
    const path = realpathSync(join(folder, SKILL_FILE));
    const found = statSync(path);
    if (path.startsWith(realpathSync(folder) + sep) && found.isFile() && found.size <= MOST_BYTES)
      return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SkillInvalidError(
      folder,
      `its ${SKILL_FILE} cannot be read (${describeThrown(error).message})`,
      MAIN_CURE,
      {
        cause: error,
      },
    );
  }
  throw new SkillInvalidError(
    folder,
    `its ${SKILL_FILE} is no file of this folder, or has more than ${String(MOST_BYTES)} bytes`,
    MAIN_CURE,
  );
}

const MAIN_CURE = `Put a text file ${SKILL_FILE} into the folder.`;
