import { fileURLToPath } from 'node:url';

import { type Tool, Toolset } from '@adorn/core';
import { kindOf } from '@adorn/core/backend';

import { SkillOptionError } from './errors.js';
import { loadSkillResourceTool } from './load-skill-resource.tool.js';
import { loadSkillTool } from './load-skill.tool.js';
import { checkOptions, type SkillsOptions } from './options.js';
import { runSkillScriptTool } from './run-skill-script.tool.js';
import { type ListedSkill, listSkills } from './skill-folders.js';
import { SkillShelf } from './skill-shelf.js';

/** The path or the `file:` URL of a folder. */
export type SkillSource = string | URL;

/**
 * The skills of one folder or several as tools. A model first reads names and descriptions; it reads a whole skill by
 * `load_skill`, and what the skill names by `load_skill_resource`. With an `executor`, `run_skill_script` runs its scripts.
 *
 * A folder is a skill if it has a `SKILL.md`; any other is a folder of skills. They are found when this is called; what a model
 * opens is read when it opens it. A skill whose folder has a `skills.lock.json` without its present digest is not read until a
 * person has said yes.
 *
 * @param source a path from the working folder, or a URL such as `new URL('../skills', import.meta.url)`; or several
 * @throws {SkillOptionError} if an option is invalid, or a folder holds no skill
 * @throws {SkillInvalidError} if a skill is not as the format asks
 * @example
 * @agent({ tools: [skills('./skills', { executor: bubblewrap() })] })
 * class Assistant extends LlmAgent {}
 */
export function skills(
  source: SkillSource | readonly SkillSource[],
  options: SkillsOptions = {},
): SkillToolset {
  return new SkillToolset(source, options);
}

/** Skills as tools. */
export class SkillToolset extends Toolset {
  /** The skills, in the order of their names. */
  readonly skills: readonly ListedSkill[];
  private readonly tools: readonly Tool[];

  /** @throws {SkillOptionError | SkillInvalidError} */
  constructor(source: SkillSource | readonly SkillSource[], options: SkillsOptions = {}) {
    super();
    checkOptions(options);
    this.skills = listSkills(foldersIn(source));
    const shelf = new SkillShelf(this.skills);
    const { executor } = options;
    this.tools = [
      loadSkillTool(shelf),
      loadSkillResourceTool(shelf),
      ...(executor ? [runSkillScriptTool(executor, options, shelf)] : []),
    ];
  }

  override listTools(): readonly Tool[] {
    return this.tools;
  }
}

function foldersIn(source: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(source) ? source : [source];
  if (given.length > 0) return given.map(folderOf);
  throw new SkillOptionError('the list of folders is empty', CURE);
}

const CURE = "Pass a path, such as './skills', a file: URL, or a list of them.";

function folderOf(source: unknown): string {
  if (source instanceof URL && source.protocol === 'file:') return fileURLToPath(source);
  if (typeof source === 'string' && source !== '') return source;
  const given = source instanceof URL ? `a URL with ${source.protocol}` : kindOf(source);
  throw new SkillOptionError(`the folder is ${given === 'a string' ? 'an empty text' : given}`, CURE);
}
