export { SkillInvalidError, SkillOptionError } from './errors.js';
export type { FrontMatter } from './front-matter.js';
export type { ScriptArguments, SkillsOptions } from './options.js';
export { readSkill, type Skill } from './skill.js';
export {
  inspectSkills,
  type InspectedSkill,
  type SkillFault,
  type SkillInspection,
} from './inspect-skills.js';
export { listSkills, type ListedSkill } from './skill-folders.js';
export { LOCK_FILE, type SkillPins, writeSkillLock } from './skill-lock.js';
export { skills, type SkillSource, SkillToolset } from './skill.toolset.js';
