import { ToolError, type ToolContext } from '@adorn/core';
import { suggestName } from '@adorn/core/backend';

import { readSkill, type Skill } from './skill.js';
import type { ListedSkill } from './skill-folders.js';

/** Of the key of the state under which the digest of an opened skill is kept: `skill:pdf`. A rewind closes what was opened after it. */
const OPENED = 'skill:';

/** How many files of a skill are named at once. */
export const MOST_NAMES = 200;

/** The skills of a toolset, and which of them a conversation has opened. */
export class SkillShelf {
  constructor(
    /** In the order of their names. */
    readonly listed: readonly ListedSkill[],
  ) {}

  /** @throws {ToolError} if there is none with this name; it names the nearest one */
  find(name: string): ListedSkill {
    const found = this.listed.find(({ frontMatter }) => frontMatter.name === name);
    if (found) return found;
    const names = this.listed.map(({ frontMatter }) => frontMatter.name);
    const help = suggestName(name, new Set(names));
    throw new ToolError(`There is no skill ${JSON.stringify(name.slice(0, 100))}. ${help}`);
  }

  /** Notes that a conversation has opened a skill as it is. */
  open({ frontMatter: { name }, digest }: Skill, { state }: ToolContext): void {
    state.set(OPENED + name, digest);
  }

  /**
   * A skill that the conversation has opened, as it was then.
   *
   * @throws {ToolError} if it was not opened, or has changed since
   */
  async opened(name: string, { state }: ToolContext): Promise<Skill> {
    const { folder } = this.find(name);
    const digest = state.get(OPENED + name);
    if (digest === undefined) throw new ToolError(`Call load_skill for "${name}" first.`);
    const skill = await readSkill(folder);
    if (skill.digest === digest) return skill;
    throw new ToolError(`The skill "${name}" has changed since it was loaded. Call load_skill for it again.`);
  }
}

/** A file of a skill, by its path in the form that the skill has it in. */
export interface SkillFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/**
 * Finds a file of a skill. Only what was read with the skill is found: a path that leads elsewhere is no key of it.
 *
 * @throws {ToolError} if there is none at this path; it names the nearest one
 */
export function fileOf({ files, frontMatter: { name } }: Skill, given: string): SkillFile {
  const path = given.replace(/^\.\//, '');
  const data = files.get(path);
  if (data) return { path, data };
  const help =
    files.size > MOST_NAMES ? 'load_skill names its files.' : suggestName(given, new Set(files.keys()));
  throw new ToolError(`The skill "${name}" has no file ${JSON.stringify(given.slice(0, 200))}. ${help}`);
}
